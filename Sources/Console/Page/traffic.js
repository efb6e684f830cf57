// The view of what passes: a filter, the list, and beside it the exchange that is looked at.

import { get } from "./api.js";
import { Detail } from "./detail.js";
import { button, code, empty, h, replace } from "./dom.js";
import * as filters from "./filter.js";
import { number, plural } from "./format.js";
import { Ledger } from "./ledger.js";
import { List } from "./list.js";
import * as route from "./route.js";
import { announce } from "./status.js";

const quick = [["", "All"], ["deny", "Denied"], ["error", "Went wrong"], ["bypass", "Bypassed"], ["intercept", "Intercepted"]];

export class Traffic {
  title = "Traffic";
  #isPaused = false;
  #line = null;

  constructor() {
    this.ledger = new Ledger(() => this.#changed(), (fault) => this.#failed(fault));
    this.list = new List(this.ledger, (record, how) => this.#opened(record, how));
    this.detail = new Detail({ close: () => this.#close(), step: (count) => this.list.move(count) });
    this.input = h("input", {
      id: "filter", type: "search", placeholder: "Filter: words, host: status: verdict: lane: client:", "aria-label": "Filter the exchanges", autocomplete: "off",
      spellcheck: "false", enterkeyhint: "search", on: { input: () => this.#typed(), keydown: (event) => this.#inputKey(event) },
    });
    this.note = h("p", { class: "filter-fault", role: "alert", hidden: true });
    this.chips = h("div", { class: "chips", role: "group", "aria-label": "Verdict" }, quick.map(([verdict, text]) =>
      button(text, () => this.#choose(verdict), { "data-verdict": verdict, "aria-pressed": "false" })));
    this.count = h("output", { class: "count", "aria-label": "Exchanges shown" });
    this.pause = button("Pause", () => this.togglePause(), { class: "small", id: "pause", "aria-pressed": "false", title: "Pause the live list (p)" });
    this.fresh = button("", () => this.#toTop(), { class: "fresh", id: "fresh", hidden: true });
    this.blank = h("div", { class: "blank", hidden: true });
    this.pane = h("div", { class: "pane" }, this.fresh, this.list.element, this.blank);
    this.element = h("div", { class: "traffic" },
      h("div", { class: "filter", role: "search" }, h("div", { class: "field" }, this.input, h("kbd", { "aria-hidden": "true" }, "/")), this.chips, h("div", { class: "tools" }, this.count, this.pause,
        h("a", { class: "button small", id: "har", href: "/api/har", download: "pinwarden.har", title: "Save what is shown as HAR" }, "HAR")), this.note),
      h("div", { class: "split" }, this.pane, this.detail.element));
    this.list.element.addEventListener("scroll", () => {
      if (this.list.isAtTop && this.ledger.waiting && !this.#isPaused) this.ledger.load();
    });
  }

  /** The address has changed. */
  show(values) {
    const filter = filters.fromValues(values);
    const text = filters.line(filter);
    if (text !== this.#line) {
      this.#line = text;
      if (document.activeElement !== this.input) this.input.value = text;
      for (const chip of this.chips.children) chip.setAttribute("aria-pressed", String((filter.verdict ?? "") === chip.dataset.verdict));
      document.getElementById("har")?.setAttribute("href", `/api/har${route.address("", filter).slice(2)}`);
      this.#narrow(filter);
    }
    this.element.classList.toggle("has-detail", Boolean(values.id));
    this.list.select(values.id ?? null);
    if (values.id) this.detail.show(values.id, values.tab ?? "overview");
    else this.detail.clear();
  }

  #narrow(filter) {
    const fault = filters.fault(filter);
    this.note.hidden = !fault;
    this.note.textContent = fault ?? "";
    if (fault) return;
    this.list.toTop();
    this.ledger.load(filter);
  }

  // events

  records(records) {
    this.ledger.add(records, this.list.isAtTop && !this.#isPaused);
  }

  gap() {
    if (this.list.isAtTop && !this.#isPaused) this.ledger.load();
    else this.ledger.missed();
  }

  togglePause() {
    this.#isPaused = !this.#isPaused;
    this.pause.setAttribute("aria-pressed", String(this.#isPaused));
    this.pause.textContent = this.#isPaused ? "Resume" : "Pause";
    announce(this.#isPaused ? "Paused: new exchanges are counted, not shown." : "Live again.");
    if (!this.#isPaused) this.#toTop();
  }

  #toTop() {
    if (this.#isPaused) return this.togglePause();
    this.list.toTop();
    this.ledger.load();
  }

  #changed() {
    const { count, waiting, hasMissed, isComplete, filter } = this.ledger;
    this.count.textContent = isComplete ? plural(count, "exchange") : `the newest ${number(count)}`;
    this.fresh.hidden = !waiting;
    this.fresh.textContent = `${this.#isPaused ? "Paused, " : ""}${number(waiting)}${hasMissed ? " or more" : ""} new${this.#isPaused ? "" : " ↑"}`;
    this.blank.hidden = count > 0;
    if (!count) this.#showBlank(filter);
    this.list.draw();
  }

  #showBlank(filter) {
    const isFiltered = Object.keys(filter).length > 0;
    if (this.blank.dataset.for === String(isFiltered)) return;
    this.blank.dataset.for = String(isFiltered);
    if (isFiltered) {
      replace(this.blank, empty("Nothing fits this filter", h("p", null, "New exchanges that fit appear here by themselves."), button("Clear the filter", () => this.#choose(null))));
    } else {
      this.#welcome();
    }
  }

  /** For who has just installed it. */
  async #welcome() {
    const show = (proxy) => replace(this.blank, empty("Nothing has passed yet",
      h("ol", { class: "steps" },
        h("li", null, h("b", null, "Send something through the proxy"), h("pre", { tabindex: "0" }, `curl --proxy http://${proxy} http://example.com/`)),
        h("li", null, h("b", null, "Or set up a device"), h("p", null, "Give it this proxy, then open ", code("http://pinwarden.internal/"), " in its browser: there it gets the authority to trust, step by step.")),
        h("li", null, h("b", null, "Watch it here"), h("p", null, "Each request shows up as it ends, with what was decided and why.")))));
    show("127.0.0.1:8080");
    try {
      const { listeners } = await get("/api/policy");
      if (listeners?.length) show(listeners[0].address);
    } catch {
      // The steps are right without it.
    }
  }

  #failed(fault) {
    this.note.hidden = false;
    this.note.textContent = fault.message;
  }

  // what is chosen

  #opened(record, how) {
    const { values } = route.current();
    if (how === "follow") return route.adjust({ id: record.id });
    route.go("traffic", { ...values, id: record.id });
  }

  #close() {
    const { id, tab, ...values } = route.current().values;
    route.go("traffic", values);
    this.list.element.focus();
  }

  #typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#apply(), 220);
  }

  #apply() {
    const filter = filters.parse(this.input.value);
    const { id, tab } = route.current().values;
    const none = { host: null, status: null, verdict: null, lane: null, client: null, text: null };
    route.adjust({ ...none, ...filter, id, tab });
  }

  #inputKey(event) {
    if (event.key === "Escape") {
      event.stopPropagation();
      if (this.input.value) this.input.value = "";
      else this.list.element.focus();
      this.#apply();
    }
    if (event.key === "Enter" || event.key === "ArrowDown") {
      event.preventDefault();
      clearTimeout(this.timer);
      this.#apply();
      this.list.element.focus();
    }
  }

  #choose(verdict) {
    const filter = verdict === null ? {} : { ...filters.parse(this.input.value), verdict };
    this.input.value = filters.line(filter);
    this.#apply();
  }

  // keys

  key(event) {
    if (event.key === "/") this.input.select(), this.input.focus();
    else if (event.key === "j") this.list.move(1);
    else if (event.key === "k") this.list.move(-1);
    else if (event.key === "Enter") this.list.openActive();
    else if (event.key === "p") this.togglePause();
    else if (event.key === "Escape" && route.current().values.id) this.#close();
    else if (/^[1-5]$/.test(event.key) && route.current().values.id) this.detail.choose(Number(event.key) - 1);
    else if (event.key === "r" && route.current().values.id) this.detail.replay();
    else return false;
    return true;
  }

  focus() {
    this.list.element.focus({ preventScroll: true });
  }
}

