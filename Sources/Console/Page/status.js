// What is told in passing: to those who see by a note that goes away, to those who listen by the live region.

import { button, h } from "./dom.js";

const region = document.getElementById("announce");
const toasts = document.getElementById("toasts");

/** For those who listen only. */
export function announce(text) {
  region.textContent = text;
}

/** For everybody. `kind`: "good" or "bad". */
export function tell(text, kind = "good") {
  announce(text);
  const note = h("p", { class: "toast", "data-kind": kind }, text);
  note.append(button("×", () => note.remove(), { class: "quiet", "aria-label": "Dismiss" }));
  while (toasts.childElementCount >= 3) toasts.firstElementChild.remove();
  toasts.append(note);
  setTimeout(() => note.remove(), kind === "bad" ? 9000 : 4000);
}

/** Copies a text, and says so. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    tell(`${what} copied`);
  } catch {
    tell(`The browser does not let this page copy. Select the text instead.`, "bad");
  }
}

/** A block of text with a button that copies it. */
export function copyable(text, what) {
  return h("div", { class: "copyable" }, h("pre", { tabindex: "0", "aria-label": what }, text),
    button("Copy", () => copy(text, what), { class: "small", "aria-label": `Copy: ${what}` }));
}
