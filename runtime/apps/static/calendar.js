// The calendar's grid under the mouse: drag an entry to another time, drag over free time to make one.
// What a drag means is sent by the page's own forms; entries with guests only fill the form, which is then sent.
"use strict";

const canvas = document.querySelector(".canvas");
const HOUR_PX = 48;
const STEP = 15;
const first = Number(canvas?.dataset.first ?? 0);

function minutesOf(text) {
  const match = /^(\d{1,2})(?:[:.](\d{2}))?\s*(?:([ap])\.?m\.?)?$/i.exec(text.trim());
  if (!match || (!match[2] && !match[3])) return NaN;
  const hour = Number(match[1]);
  const half = match[3]?.toLowerCase();
  return (half ? hour % 12 + (half === "p" ? 12 : 0) : hour) * 60 + Number(match[2] ?? 0);
}

function clockOf(minutes) {
  const hour = Math.floor(minutes / 60);
  return `${(hour + 11) % 12 + 1}:${String(minutes % 60).padStart(2, "0")} ${hour < 12 ? "AM" : "PM"}`;
}

function columnAt(x) {
  return [...canvas.querySelectorAll(".column")].find((column) => {
    const { left, right } = column.getBoundingClientRect();
    return left <= x && x < right;
  });
}

function minuteAt(y, step = STEP) {
  const past = (y - canvas.getBoundingClientRect().top) * 60 / HOUR_PX;
  return first + Math.max(0, Math.floor(past / step) * step);
}

function ghost(column, start, minutes) {
  const shape = canvas.querySelector(".ghost") ?? made("div", { className: "ghost" });
  shape.style.top = `${(start - first) * HOUR_PX / 60}px`;
  shape.style.height = `${minutes * HOUR_PX / 60 - 2}px`;
  shape.textContent = `${clockOf(start)} - ${clockOf(start + minutes)}`;
  column.append(shape);
}

/** Follows the mouse from a press until its release; without a real way it stays a click. */
function drag(press, moved, dropped) {
  const way = { far: false };
  const move = (event) => {
    if (!way.far && Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) < 5) return;
    way.far = true;
    moved(event);
  };
  const end = (event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    canvas.querySelector(".ghost")?.remove();
    if (!way.far) return;
    addEventListener("click", (click) => { click.preventDefault(); click.stopPropagation(); }, { capture: true, once: true });
    setTimeout(() => dropped(event), 0);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", end);
}

function movedEntry(press, entry) {
  const length = Number(entry.dataset.minutes);
  const grip = minuteAt(press.clientY, 1) - minutesOf(entry.dataset.start);
  let to = null;
  drag(press, (event) => {
    const column = columnAt(event.clientX);
    if (!column) return;
    const start = Math.min(24 * 60 - length - 1, Math.max(0, Math.round((minuteAt(event.clientY, 1) - grip) / STEP) * STEP));
    to = { day: column.dataset.day, start: clockOf(start), end: clockOf(start + length) };
    ghost(column, start, length);
  }, () => {
    if (!to) return;
    const here = `/calendar/${encodeURIComponent(entry.dataset.id)}`;
    if ("guests" in entry.dataset) {
      location.assign(`${here}?${new URLSearchParams({ view: canvas.dataset.view, ...to })}`);
      return;
    }
    const form = document.querySelector("#move");
    for (const [name, value] of Object.entries({ title: entry.querySelector("b").textContent, ...to })) form.elements[name].value = value;
    form.action = `${here}/change?view=${canvas.dataset.view}`;
    form.submit();
  });
}

function newEntry(press, column) {
  const from = minuteAt(press.clientY, 30);
  let until = from + 30;
  drag(press, (event) => {
    until = Math.max(from + STEP, minuteAt(event.clientY) + STEP);
    ghost(column, from, until - from);
  }, () => location.assign(`/calendar/new?${new URLSearchParams(
    { view: canvas.dataset.view, day: column.dataset.day, start: clockOf(from), end: clockOf(until) })}`));
}

canvas?.addEventListener("pointerdown", (press) => {
  if (press.button !== 0) return;
  const entry = press.target.closest(".event");
  if (entry && !("gone" in entry.dataset)) movedEntry(press, entry);
  else if (press.target.matches(".slot")) newEntry(press, press.target.closest(".column"));
});
canvas?.addEventListener("dragstart", (event) => event.preventDefault());

/** Says which standing entries on show overlap the time in the form. */
function showClash(form) {
  const box = form.querySelector("[data-clash]");
  const value = (name) => form.elements[name]?.value ?? "";
  const behind = Number(form.elements.zone?.selectedOptions[0].dataset.behind ?? 0);
  const day = value("day");
  const start = minutesOf(value("start")) + behind;
  const end = minutesOf(value("end")) + behind;
  const column = canvas?.querySelector(`.column[data-day="${CSS.escape(day)}"]`);
  if (!box || !column || Number.isNaN(start) || Number.isNaN(end) || start < 0 || end > 24 * 60) return;
  const others = [...column.querySelectorAll(".event:not([data-gone])")].filter((entry) => {
    const begin = minutesOf(entry.dataset.start);
    return entry.dataset.id !== box.dataset.but && begin < end && start < begin + Number(entry.dataset.minutes);
  });
  box.hidden = !others.length;
  box.textContent = others.length ? `Conflicts with ${others.map((entry) => entry.title).join("; ")}` : "";
}

for (const form of document.querySelectorAll(".aside form")) {
  if (!form.elements.start) continue;
  form.addEventListener("input", (event) => {
    const start = minutesOf(form.elements.start.value);
    const end = minutesOf(form.elements.end.value);
    const late = event.target === form.elements.start && !Number.isNaN(start) && !(end > start);
    if (late && start + 30 < 24 * 60) form.elements.end.value = clockOf(start + 30);
    showClash(form);
  });
}
const shownNow = document.querySelector(".column .now, .column .event.shown");
if (shownNow) shownNow.closest(".hours").scrollTop = Math.max(0, shownNow.offsetTop - 150);
