// One exchange: what was decided and why, when, over which connections, and what was said.

import { get, send } from "./api.js";
import { BodyView } from "./body.js";
import { button, code, facts, h, replace } from "./dom.js";
import { bytes, fullTime, milliseconds, number } from "./format.js";
import { badge } from "./list.js";
import { chain, connections } from "./security.js";
import * as route from "./route.js";
import { copy, copyable, tell } from "./status.js";
import { timeline } from "./timeline.js";
import { decider, kind, violations, why } from "./verdict.js";

const tabs = [["overview", "Overview"], ["request", "Request"], ["response", "Response"], ["tls", "TLS and pins"], ["record", "Record"]];

export class Detail {
  #id = null;
  #record = null;
  #tab = "overview";
  #asked = null;
  #bodies = {};

  /** `close` and `step` are what the list does. */
  constructor({ close, step }) {
    this.close = close;
    this.step = step;
    this.head = h("header", { class: "detail-head" });
    this.tabs = h("div", { role: "tablist", "aria-label": "Parts of the exchange", class: "tabs", on: { keydown: (event) => this.#tabKey(event) } },
      tabs.map(([name, text]) => button(text, () => this.#go(name), { role: "tab", id: `tab-${name}`, "aria-controls": "part", "aria-selected": "false", tabindex: "-1" })));
    this.part = h("div", { role: "tabpanel", id: "part", class: "part", tabindex: "0" });
    this.element = h("section", { class: "detail", "aria-label": "Exchange", hidden: true }, this.head, this.tabs, this.part);
  }

  clear() {
    this.#id = null;
    this.#asked?.abort();
    this.element.hidden = true;
    this.#forget();
  }

  #forget() {
    for (const body of Object.values(this.#bodies)) body.dispose();
    this.#bodies = {};
    this.#record = null;
  }

  async show(id, tab) {
    this.element.hidden = false;
    const known = tabs.some(([name]) => name === tab) ? tab : "overview";
    const isOther = id !== this.#id;
    const isSame = !isOther && known === this.#tab;
    this.#tab = known;
    this.#id = id;
    for (const [name] of tabs) {
      const element = this.tabs.querySelector(`#tab-${name}`);
      element.setAttribute("aria-selected", String(name === known));
      element.tabIndex = name === known ? 0 : -1;
    }
    this.part.setAttribute("aria-labelledby", `tab-${known}`);
    if (isOther) await this.#read(id);
    else if (!isSame && this.#record) this.#draw();
  }

  async #read(id) {
    this.#asked?.abort();
    this.#asked = new AbortController();
    try {
      const record = await get(`/api/exchanges/${encodeURIComponent(id)}`, this.#asked.signal);
      if (id !== this.#id) return;
      this.#forget();
      this.#record = record;
      this.#drawHead();
      this.#draw();
    } catch (fault) {
      if (fault.name === "AbortError" || id !== this.#id) return;
      this.#forget();
      replace(this.head, h("div", { class: "detail-line" }, h("h2", null, "Not there"), h("div", { class: "actions" }, this.#closer())));
      replace(this.part, h("p", { class: "notice" }, fault.status === 404 ? "This exchange is not in the history: it gave way to newer ones, or it was never kept." : fault.message));
    }
  }

  #closer() {
    return button("×", this.close, { class: "quiet close", "aria-label": "Close the exchange (Escape)", title: "Close (Esc)" });
  }

  #drawHead() {
    const record = this.#record;
    replace(this.head,
      h("div", { class: "detail-line" }, badge(kind(record)), h("span", { class: "mono" }, record.method), h("span", { class: "mono status" }, record.status ?? "–"),
        h("div", { class: "actions" },
          button("Replay", () => this.replay(), { class: "small", title: "Send the request once more (r)" }),
          button("Copy as curl", () => copy(asCurl(record), "The command"), { class: "small" }),
          h("a", { class: "button small", href: route.address("explain", { url: record.url, method: record.method, lane: record.lane, context: record.context }) }, "Explain"),
          this.#closer())),
      h("h2", { class: "mono target" }, record.url));
  }

  #go(name) {
    route.adjust({ tab: name === "overview" ? null : name });
  }

  choose(place) {
    if (tabs[place]) this.#go(tabs[place][0]);
  }

  #tabKey(event) {
    const place = tabs.findIndex(([name]) => name === this.#tab);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.choose((place + step + tabs.length) % tabs.length);
    this.tabs.querySelector("[aria-selected=true]").focus();
  }

  async replay() {
    if (!this.#record) return;
    try {
      const { id, status } = await send("POST", `/api/exchanges/${this.#record.id}/replay`);
      tell(`Sent once more: ${status ?? "no answer"}`);
      route.adjust({ id });
    } catch (fault) {
      tell(fault.message, "bad");
    }
  }

  // parts

  #draw() {
    const drawn = { overview: overview, request: (record) => this.#message(record, "request"), response: (record) => this.#message(record, "response"), tls: security, record: raw };
    replace(this.part, drawn[this.#tab](this.#record));
    this.part.scrollTop = 0;
  }

  #message(record, side) {
    const message = record[side] ?? {};
    const body = (this.#bodies[side] ??= new BodyView(record, side));
    return [
      facts([["Body", `${number(message.bytes ?? 0)} bytes${message.framing && message.framing !== "none" ? `, ${message.framing}` : ""}`],
        ["SHA-256 as received", message.sha256 && code(message.sha256)], ["SHA-256 as sent", message.sentSha256 && message.sentSha256 !== message.sha256 && code(message.sentSha256)],
        ["Trailers", message.trailers && "yes"], ["Restored", message.restored && "The body was restored by the body hook"],
        ["Suspicious", message.suspectedStripped && "A Content-Type but no body: something before the proxy took it"], ["From", message.fromCache && "the picture cache"]]),
      h("h3", null, "Header fields"), fields(message.headers), h("h3", null, "Body"), body.element,
    ];
  }
}

function fields(headers) {
  if (!headers) return h("p", { class: "hint" }, "Nothing was kept of this message (bodies.capture, store).");
  if (!headers.length) return h("p", { class: "hint" }, "None.");
  return h("table", { class: "fields" }, h("tbody", null, headers.map(({ name, value }) => h("tr", null, h("th", { scope: "row" }, name), h("td", null, value)))));
}

function overview(record) {
  const { decision, ats, error } = record;
  return [
    h("div", { class: "verdict-box", "data-kind": kind(record) }, h("p", { class: "verdict-why" }, why(record) || "Nothing stood against it"),
      error?.detail ? h("p", null, error.detail) : null,
      error ? h("p", { class: "hint" }, [error.code !== null && error.code !== undefined ? `NSURLError ${error.code} ${error.name}` : null, error.proxyStatus].filter(Boolean).join(" · ")) : null),
    h("h3", null, "Time"), timeline(record.timing),
    h("h3", null, "Decision"),
    facts([["Action", decision?.action], ["Decided by", decider(decision ?? {})], ["App Transport Security", `${{ pass: "satisfied", fail: "not satisfied", off: "off" }[ats?.verdict] ?? ats?.verdict}, by the rules of OS ${ats?.os}`],
      ["Objections", ats?.violations?.length ? h("ul", { class: "plain" }, ats.violations.map((name) => h("li", null, code(name), ` ${violations[name] ?? ""}`))) : null]]),
    h("h3", null, "Who and where"),
    facts([["Began", fullTime(record.started)], ["Device", code(record.client)], ["Lane", record.lane], ["Context", record.context], ["Device speaks", record.protocol + (record.stream ? `, stream ${record.stream}` : "")],
      ["Origin", record.origin && code(record.origin.address)], ["By the proxy", record.origin?.proxy && code(record.origin.proxy)], ["Sent", bytes(record.request?.bytes)], ["Received", bytes(record.response?.bytes)],
      ["Took", milliseconds(record.timing?.total)], ["Id", code(record.id)]]),
  ];
}

function security(record) {
  return [h("h3", null, "Both connections"), connections(record), ...chain(record)];
}

function raw(record) {
  return copyable(JSON.stringify(record, null, 2), "The record as JSON");
}

/** The command that sends the same; secrets were never kept. */
function asCurl(record) {
  const quoted = (text) => `'${String(text).replaceAll("'", "'\\''")}'`;
  const skipped = new Set(["host", "content-length", "connection", "proxy-connection", "accept-encoding"]);
  const options = (record.request?.headers ?? []).filter(({ name }) => !skipped.has(name.toLowerCase()) && !name.startsWith(":"))
    .map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`);
  if (record.method !== "GET") options.unshift(`-X ${record.method}`);
  if (record.request?.body?.text) options.push(`--data-binary ${quoted(record.request.body.text)}`);
  return ["curl", quoted(record.url), ...options].join(" \\\n  ");
}
