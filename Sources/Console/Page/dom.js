// Builds elements. Text only ever becomes text nodes: nothing here makes markup out of a string.

const drawing = "http://www.w3.org/2000/svg";

/** An HTML element. `attributes`: `on` maps events to listeners; false and null leave an attribute out, true makes it empty. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of a drawing. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(drawing, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else element.setAttribute(name, value === true ? "" : value);
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child);
  }
}

/** Puts `children` in place of what the element has. */
export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** A button that does something. */
export function button(text, act, attributes) {
  return h("button", { type: "button", ...attributes, on: { click: act } }, text);
}

/** A list of names and values. Values may be elements. */
export function facts(rows) {
  return h("dl", { class: "facts" }, rows.filter((row) => row && row[1] !== null && row[1] !== undefined && row[1] !== false && row[1] !== "")
    .map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
}

/** A figure for when there is nothing: what it means and what to do. */
export function empty(title, ...steps) {
  return h("section", { class: "empty" }, h("h2", null, title), ...steps);
}

/** Says that something is on its way, where nothing is shown yet. */
export function pending(element) {
  if (!element.childElementCount) replace(element, h("p", { class: "hint" }, "Reading the history…"));
}

export const code = (text, attributes) => h("code", attributes, text);
