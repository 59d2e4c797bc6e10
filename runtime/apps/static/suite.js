// What all work apps add to their pages: keys, and addresses completed while they are typed.
// Every page works without it; nothing here leads anywhere but through the page's own links and forms.
"use strict";

function made(tag, values = {}, ...inside) {
  const element = Object.assign(document.createElement(tag), values);
  element.append(...inside);
  return element;
}

function typing(target) {
  return target.matches("input, textarea, select") || target.isContentEditable;
}

document.addEventListener("keydown", (press) => {
  if (press.key === "Enter" && (press.ctrlKey || press.metaKey) && press.target.matches("textarea")) {
    press.target.form?.requestSubmit();
    return;
  }
  if (press.ctrlKey || press.metaKey || press.altKey || typing(press.target)) return;
  if (press.key === "j" || press.key === "k") {
    const rows = [...document.querySelectorAll(".listing li a")];
    const open = rows.findIndex((row) => row.matches("[aria-current]"));
    const next = rows[open < 0 ? 0 : open + (press.key === "j" ? 1 : -1)];
    next?.click();
    return;
  }
  for (const element of document.querySelectorAll("[aria-keyshortcuts]")) {
    if (element.getAttribute("aria-keyshortcuts") !== press.key) continue;
    press.preventDefault();
    if (element.matches("input")) element.select();
    else element.click();
    return;
  }
});

/** Shows the people that fit the address being typed; arrows, Enter or Tab, Escape and the mouse choose. */
class Completion {
  constructor(field, people) {
    this.field = field;
    this.people = people;
    this.at = -1;
    this.list = made("ul", { className: "choices", id: `${field.id}-choices`, role: "listbox", hidden: true });
    field.removeAttribute("list");
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", this.list.id);
    field.setAttribute("aria-expanded", "false");
    field.parentElement.classList.add("completed");
    field.after(this.list);
    field.addEventListener("input", () => this.offer());
    field.addEventListener("keydown", (press) => this.key(press));
    field.addEventListener("blur", () => this.close());
    this.list.addEventListener("mousedown", (press) => {
      press.preventDefault();
      const row = press.target.closest("li");
      if (row) this.take(row);
    });
  }

  begun() {
    return Math.max(this.field.value.lastIndexOf(","), this.field.value.lastIndexOf(";")) + 1;
  }

  offer() {
    const words = this.field.value.slice(this.begun()).trim().toLowerCase();
    const taken = this.field.value.slice(0, this.begun()).toLowerCase();
    const address = (person) => person.slice(person.lastIndexOf("<") + 1).replace(">", "").toLowerCase();
    const fits = words && !words.endsWith(">")
      ? this.people.filter((person) => person.toLowerCase().split(/[\s<@.]+/).some((part) => part.startsWith(words))
          || person.toLowerCase().includes(words))
      : [];
    const rows = fits.filter((person) => address(person) !== words && !taken.includes(address(person))).slice(0, 8);
    this.list.replaceChildren(...rows.map((person, place) =>
      made("li", { id: `${this.list.id}-${place}`, role: "option", textContent: person })));
    this.mark(rows.length ? 0 : -1);
    this.list.hidden = !rows.length;
    this.field.setAttribute("aria-expanded", String(rows.length > 0));
  }

  mark(at) {
    this.at = at;
    [...this.list.children].forEach((row, place) => row.setAttribute("aria-selected", String(place === at)));
    if (at >= 0) this.field.setAttribute("aria-activedescendant", this.list.children[at].id);
    else this.field.removeAttribute("aria-activedescendant");
  }

  key(press) {
    if (this.list.hidden) return;
    const count = this.list.children.length;
    if (press.key === "ArrowDown") this.mark((this.at + 1) % count);
    else if (press.key === "ArrowUp") this.mark((this.at + count - 1) % count);
    else if (press.key === "Enter" || press.key === "Tab") this.take(this.list.children[this.at]);
    else if (press.key === "Escape") this.close();
    else return;
    press.preventDefault();
  }

  take(row) {
    const before = this.field.value.slice(0, this.begun());
    this.field.value = `${before}${before ? " " : ""}${row.textContent}, `;
    this.field.dispatchEvent(new Event("change", { bubbles: true }));
    this.close();
  }

  close() {
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.mark(-1);
  }
}

const people = [...document.querySelectorAll("#people option")].map((option) => option.value);
for (const field of document.querySelectorAll("input[list=people]")) new Completion(field, people);

for (const field of document.querySelectorAll("select[data-at-once]")) {
  field.addEventListener("change", () => field.form.requestSubmit());
}
