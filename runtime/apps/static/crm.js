// The deals board under the mouse: a card dropped on a stage sends the card's own form.
"use strict";

let dragged = null;
for (const card of document.querySelectorAll(".deal")) {
  card.addEventListener("dragstart", (event) => {
    dragged = card;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", card.querySelector("a").textContent);
  });
  card.addEventListener("dragend", () => { dragged = null; });
}
for (const lane of document.querySelectorAll(".lane[data-stage]")) {
  const light = (on) => lane.classList.toggle("over", on);
  lane.addEventListener("dragover", (event) => { if (dragged) { event.preventDefault(); light(true); } });
  lane.addEventListener("dragleave", () => light(false));
  lane.addEventListener("drop", (event) => {
    event.preventDefault();
    light(false);
    if (!dragged || dragged.parentElement === lane) return;
    const form = dragged.querySelector("form");
    form.elements.value.value = lane.dataset.stage;
    form.submit();
  });
}
