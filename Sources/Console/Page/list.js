// The list of exchanges: a grid that holds only the rows that can be seen, however many there are.

import { h } from "./dom.js";
import { bytes, fullTime, milliseconds, parts, time } from "./format.js";
import { kind, kinds, why } from "./verdict.js";

const spare = 8;

export class List {
  #rows = new Map();
  #selected = null;
  #active = 0;
  #anchor = null;
  #frame = 0;
  #isSought = false;
  #rowHeight = 32;
  #height = 0;
  #drawnCount = -1;

  /** `open` is called with the exchange that is chosen. */
  constructor(ledger, open) {
    this.ledger = ledger;
    this.open = open;
    this.canvas = h("div", { class: "rows", role: "rowgroup" });
    this.element = h("div", {
      class: "list", role: "grid", tabindex: "0", "aria-label": "Exchanges, newest first", "aria-colcount": "8",
      on: { scroll: () => this.draw(), keydown: (event) => this.#key(event), focus: () => this.#mark() },
    }, head(), this.canvas);
    new ResizeObserver(() => this.#resized()).observe(this.element);
  }

  /** Whether the newest exchanges are in sight. */
  get isAtTop() {
    return this.element.scrollTop < this.#rowHeight;
  }

  /** Marks an exchange, and brings it into sight if it is at hand. */
  select(identifier) {
    const isOther = identifier !== this.#selected;
    this.#selected = identifier;
    this.#isSought = Boolean(identifier) && isOther;
    this.draw();
  }

  /** Whoever is not at the top stays at an exchange, not at a row: new ones push it down. */
  #stay() {
    const row = this.#anchor ? this.ledger.find(this.#anchor) : -1;
    if (row >= 0) this.#active = row;
  }

  /** Where the marked exchange is, once that is known. */
  #seek() {
    if (!this.#isSought || !this.ledger.count) return;
    this.#isSought = false;
    const row = this.ledger.find(this.#selected);
    if (row < 0) return;
    this.#activate(row);
    this.#reveal();
  }

  toTop() {
    this.element.scrollTop = 0;
    this.#activate(0);
    this.draw();
  }

  /** Moves by so many rows, and opens what is there. */
  move(count) {
    this.#moveTo(this.#active + count);
  }

  #moveTo(row) {
    const { count } = this.ledger;
    if (!count) return;
    this.#activate(Math.max(0, Math.min(count - 1, row)));
    this.#reveal();
    this.draw();
    const record = this.ledger.at(this.#active);
    if (record && this.#selected) this.open(record, "follow");
  }

  #activate(row) {
    this.#active = row;
    this.#anchor = row > 0 || this.#selected ? (this.ledger.at(row)?.id ?? null) : null;
  }

  #reveal() {
    const top = this.#active * this.#rowHeight;
    // The line with the names of the columns stays on top.
    const height = this.element.clientHeight - this.canvas.offsetTop;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top + this.#rowHeight > this.element.scrollTop + height) this.element.scrollTop = top + this.#rowHeight - height;
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.#rowHeight) - 2);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    if (event.key in steps) this.move(steps[event.key]);
    else if (event.key === "Home") this.#moveTo(0);
    else if (event.key === "End") this.#moveTo(this.ledger.count - 1);
    else if (event.key === "Enter" || event.key === " ") this.openActive();
    else return;
    event.preventDefault();
  }

  openActive() {
    const record = this.ledger.at(this.#active);
    if (record) this.open(record, "choose");
  }

  #resized() {
    this.#height = this.element.clientHeight;
    // The style sheet says how high a row is, and it depends on the width.
    const height = parseFloat(getComputedStyle(this.element).getPropertyValue("--row"));
    const first = this.element.scrollTop / this.#rowHeight;
    if (height && height !== this.#rowHeight) {
      this.#rowHeight = height;
      this.#clear();
      this.element.scrollTop = first * height;
      this.#isSought = Boolean(this.#selected);
    }
    this.draw();
  }

  #clear() {
    for (const row of this.#rows.values()) row.remove();
    this.#rows.clear();
    this.#drawnCount = -1;
  }

  /** Shows what is in sight, at the next frame. */
  draw() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#drawNow();
    });
  }

  #drawNow() {
    const { count } = this.ledger;
    this.#active = Math.min(this.#active, Math.max(0, count - 1));
    if (count !== this.#drawnCount) {
      this.#drawnCount = count;
      this.canvas.style.height = `${count * this.#rowHeight}px`;
      this.element.setAttribute("aria-rowcount", count + 1);
    }
    this.#stay();
    this.#seek();
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.#rowHeight) - spare);
    const last = Math.min(count, first + Math.ceil(this.#height / this.#rowHeight) + 2 * spare);
    const kept = new Map();
    for (let row = first; row < last; row++) {
      const record = this.ledger.at(row);
      const key = record?.id ?? `row ${row}`;
      const element = this.#rows.get(key) ?? (record ? this.#row(record) : h("div", { class: "row pending", role: "row" }));
      element.style.transform = `translateY(${row * this.#rowHeight}px)`;
      element.setAttribute("aria-rowindex", row + 2);
      element.id = `row-${key}`.replace(" ", "-");
      element.setAttribute("aria-selected", String(Boolean(record) && record.id === this.#selected));
      element.toggleAttribute("data-active", row === this.#active);
      kept.set(key, element);
    }
    for (const [key, element] of this.#rows) if (!kept.has(key)) element.remove();
    for (const [key, element] of kept) if (!this.#rows.has(key)) this.canvas.append(element);
    this.#rows = kept;
    this.#mark();
  }

  #mark() {
    const record = this.ledger.count ? this.ledger.at(this.#active) : null;
    if (record) this.element.setAttribute("aria-activedescendant", `row-${record.id}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  #row(record) {
    const { scheme, host, path } = parts(record.url);
    const verdict = kind(record);
    const reason = why(record);
    const cell = (name, ...content) => h("span", { class: name, role: "gridcell" }, ...content);
    return h("div", { class: "row", role: "row", "data-kind": verdict, on: { click: () => this.#clicked(record) } },
      cell("c-time", h("time", { datetime: record.started, title: fullTime(record.started) }, time(record.started))),
      cell("c-verdict", badge(verdict)),
      cell("c-method", record.method),
      cell("c-url", h("span", { class: "url", title: record.url },
        scheme === "https" || scheme === "wss" ? null : h("span", { class: "scheme" }, `${scheme}://`), h("b", null, host), h("span", { class: "path" }, path))),
      cell("c-why", h("span", { title: record.error?.detail ?? reason }, reason)),
      cell("c-status", record.status === null || record.status === undefined ? "–" : String(record.status)),
      cell("c-size", bytes(record.response?.bytes)),
      cell("c-total", milliseconds(record.timing?.total)));
  }

  #clicked(record) {
    const row = this.ledger.find(record.id);
    if (row >= 0) this.#activate(row);
    this.open(record, "choose");
  }
}

function head() {
  const cell = (name, text) => h("span", { class: name, role: "columnheader" }, text);
  return h("div", { class: "row head", role: "row", "aria-rowindex": "1" }, cell("c-time", "Time"), cell("c-verdict", "Verdict"), cell("c-method", "Method"),
    cell("c-url", "Request"), cell("c-why", "Why"), cell("c-status", "Status"), cell("c-size", "Size"), cell("c-total", "Took"));
}

/** The verdict as a sign and a word. */
export function badge(verdict) {
  return h("span", { class: "badge", "data-kind": verdict }, h("i", { "aria-hidden": "true" }, kinds[verdict].sign), kinds[verdict].word);
}
