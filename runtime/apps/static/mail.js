// The mailbox in the browser: drafts, which only this browser keeps, and a list that shows new mail by itself.
"use strict";

const KEPT = "drafts";
const DAY = 86400;
const now = Number(document.body.dataset.now);
const place = new URL(location.href);

/** The drafts of this day's work; those of a later or long past moment belong to another shift. */
function drafts() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
    return Object.fromEntries(Object.entries(kept).filter(([, draft]) => draft.at <= now && draft.at > now - DAY));
  } catch {
    return {};
  }
}

function keep(key, draft) {
  const kept = drafts();
  if (draft) kept[key] = draft;
  else delete kept[key];
  localStorage.setItem(KEPT, JSON.stringify(kept));
  count();
}

function count() {
  const folder = document.querySelector('a.folder[href="/mail?folder=drafts"]');
  const number = Object.keys(drafts()).length;
  folder?.querySelector(".number")?.remove();
  if (number) folder?.append(made("span", { className: "number", textContent: number }));
}

function keyOf(form) {
  if (form.dataset.draft !== "new") return form.dataset.draft;
  const asked = place.searchParams.get("draft");
  if (asked) return `new ${Number(asked)}`;
  let free = 1;
  while (drafts()[`new ${free}`]) free += 1;
  return `new ${free}`;
}

function addressOf(key) {
  const [first, second] = key.split(" ");
  return first === "new" ? `/mail/new?draft=${second}` : `/mail/${encodeURIComponent(first)}?write=${second.replace("-", "_")}`;
}

/** What goes with a mail: ticked in the picker, shown as chips that can be taken off. */
class Attached {
  constructor(form) {
    this.boxes = [...form.querySelectorAll("input[name=files]")];
    this.chips = form.querySelector(".chips");
    this.picker = form.querySelector("details.attach");
    this.picker.open = false;
    form.addEventListener("change", () => this.show());
    document.addEventListener("click", (press) => {
      if (!this.picker.contains(press.target)) this.picker.open = false;
    });
    this.picker.addEventListener("keydown", (press) => {
      if (press.key !== "Escape" || !this.picker.open) return;
      this.picker.open = false;
      this.picker.querySelector("summary").focus();
    });
    this.show();
  }

  ids() {
    return this.boxes.filter((box) => box.checked).map((box) => box.value);
  }

  choose(ids) {
    for (const box of this.boxes) box.checked = ids.includes(box.value);
    this.show();
  }

  show() {
    const rows = this.boxes.filter((box) => box.checked).map((box) => this.chip(box));
    this.chips.replaceChildren(...rows);
    this.chips.hidden = !rows.length;
  }

  chip(box) {
    const { name, size, icon } = box.dataset;
    const off = made("button", { type: "button", textContent: "\u00d7", title: "Remove", ariaLabel: `Remove ${name}` });
    off.addEventListener("click", () => {
      box.checked = false;
      box.dispatchEvent(new Event("change", { bubbles: true }));
      (this.chips.querySelector("button") ?? this.picker.querySelector("summary")).focus();
    });
    return made("li", {}, made("span", { className: `filetype ${icon.toLowerCase()}`, textContent: icon, ariaHidden: "true" }),
      made("b", { textContent: name }), made("span", { className: "hint", textContent: size }), off);
  }
}

function write(form) {
  const refused = document.querySelector(".said.refused");
  const key = refused && sessionStorage.getItem("sending") || keyOf(form);
  const fields = [...form.querySelectorAll("input[type=text], textarea")];
  const kept = drafts()[key];
  const box = form.querySelector("input[name=quote]");
  const attached = new Attached(form);
  if (kept && !refused) {
    for (const field of fields) field.value = kept.fields[field.name] ?? field.value;
    if (box) box.checked = Boolean(kept.quote);
    if (kept.files) attached.choose(kept.files);
  }
  const all = () => [...fields.map((field) => field.value), ...attached.ids()].join("\n");
  const given = all();
  const changed = () => {
    const values = Object.fromEntries(fields.map((field) => [field.name, field.value]));
    if (!kept && all() === given) return;
    const subject = form.closest("section").querySelector("h1")?.textContent ?? "";
    keep(key, { fields: values, quote: box?.checked, files: attached.ids(), at: now, subject: values.subject || subject });
    form.querySelector("[data-kept]").textContent = "Draft saved";
  };
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  form.addEventListener("submit", () => sessionStorage.setItem("sending", key));
  form.querySelector("[data-discard]").addEventListener("click", () => keep(key, null));
  const first = fields.find((field) => !field.value) ?? fields.at(-1);
  first.focus();
}

function showDrafts() {
  const list = document.querySelector(".listing ol");
  const rows = Object.entries(drafts()).map(([key, draft]) => made("li", {}, made("a", { href: addressOf(key) },
    made("span", { className: "top" }, made("span", { className: "who", textContent: `To: ${draft.fields.to || "nobody yet"}` }),
      made("span", { className: "when", textContent: "Draft" })),
    made("span", { className: "what", textContent: draft.subject || "(no subject)" }),
    made("span", { className: "peek", textContent: (draft.fields.body ?? "").slice(0, 90) }))));
  if (rows.length) list.replaceChildren(...rows.reverse());
}

async function renew(listing) {
  const answer = await fetch(listing.dataset.renew);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  const list = fresh.querySelector(".listing ol");
  if (!list) return location.reload();
  const open = listing.querySelector("a[aria-current]")?.pathname;
  for (const row of list.querySelectorAll("a")) if (row.getAttribute("href") === open) row.setAttribute("aria-current", "true");
  listing.querySelector("ol").replaceChildren(...list.children);
  document.querySelector(".folders").replaceWith(fresh.querySelector(".folders"));
  count();
}

const listing = document.querySelector(".listing");
const badge = document.querySelector("iframe.news");
let said = "";
badge?.addEventListener("load", () => {
  const text = badge.contentDocument?.body?.textContent.trim() ?? "";
  if (said && text !== said && listing?.dataset.renew) renew(listing);
  said = text;
});

if (place.searchParams.get("folder") === "drafts") showDrafts();
const form = document.querySelector("form[data-draft]");
if (form) write(form);
count();
