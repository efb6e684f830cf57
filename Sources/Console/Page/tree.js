// JSON as a tree that opens and closes. Branches are made when they are opened, and in groups.

import { button, h } from "./dom.js";

const group = 200;
const openDepth = 2;

export function tree(value) {
  return h("div", { class: "tree" }, node(null, value, 0));
}

function node(name, value, depth) {
  if (value === null || typeof value !== "object") return h("div", { class: "leaf" }, label(name), leaf(value));
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  const about = isList ? `[${entries.length}]` : `{${entries.length}}`;
  if (!entries.length) return h("div", { class: "leaf" }, label(name), h("span", { class: "about" }, isList ? "[]" : "{}"));
  const branch = h("div", { class: "branch" });
  const details = h("details", null, h("summary", null, label(name), h("span", { class: "about" }, about), h("span", { class: "glance" }, glance(entries, isList))), branch);
  let shown = 0;
  const more = button("", show, { class: "small" });
  function show() {
    const end = Math.min(entries.length, shown + group);
    more.remove();
    for (const [key, child] of entries.slice(shown, end)) branch.append(node(key, child, depth + 1));
    shown = end;
    more.textContent = `${entries.length - shown} more`;
    if (shown < entries.length) branch.append(more);
  }
  details.addEventListener("toggle", () => {
    if (details.open && !shown) show();
  });
  if (depth < openDepth && entries.length <= 40) {
    show();
    details.open = true;
  }
  return details;
}

const label = (name) => (name === null ? null : [h("span", { class: "key" }, name), h("span", { class: "colon" }, ": ")]);

function leaf(value) {
  const kind = value === null ? "null" : typeof value;
  return h("span", { class: `value ${kind}` }, kind === "string" ? JSON.stringify(value) : String(value));
}

/** The first few members, for a closed branch. */
function glance(entries, isList) {
  const brief = (value) => (value === null || typeof value !== "object" ? JSON.stringify(value) : Array.isArray(value) ? "[…]" : "{…}");
  const text = entries.slice(0, 4).map(([key, value]) => (isList ? brief(value) : `${key}: ${brief(value)}`)).join(", ");
  return text.length > 90 ? `${text.slice(0, 90)}…` : text;
}
