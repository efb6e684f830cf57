// What would happen to a URL, without any traffic: every step of the decision, and the one that decided.

import { get, send } from "./api.js";
import { code, facts, h, replace } from "./dom.js";
import * as route from "./route.js";
import { announce, copyable } from "./status.js";
import { decider, kind, violations } from "./verdict.js";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT"];
const contexts = [["", "as the lane says"], ["app", "app"], ["web", "web"], ["media", "media"]];
const outcomes = { decided: "decided", deny: "denies", pass: "passes", skip: "does not apply", pending: "at the origin", bypass: "bypasses" };

export class Explain {
  title = "Explain";
  #asked = null;

  constructor() {
    this.url = h("input", { id: "explain-url", type: "text", inputmode: "url", placeholder: "https://api.example.com/orders", autocomplete: "off", spellcheck: "false", required: true });
    this.method = h("select", { id: "explain-method" }, methods.map((name) => h("option", null, name)));
    this.context = h("select", { id: "explain-context" }, contexts.map(([value, text]) => h("option", { value }, text)));
    this.lane = h("select", { id: "explain-lane" }, h("option", { value: "" }, "default"));
    this.answer = h("div", { class: "answer", "aria-live": "polite" });
    const field = (text, input, name) => h("div", { class: `labelled ${name ?? ""}` }, h("label", { for: input.id }, text), input);
    this.element = h("div", { class: "page narrow" }, h("header", { class: "page-head" }, h("h1", null, "Explain")), h("p", { class: "lead" }, "What would happen to a request, decided by the same function as live traffic, without sending anything."),
      h("form", { class: "card ask", novalidate: true, on: { submit: (event) => this.#submitted(event) } }, field("URL", this.url, "wide"), field("Method", this.method), field("Context", this.context), field("Lane", this.lane), h("button", { class: "primary", id: "explain-ask" }, "Explain")), this.answer);
  }

  async show(values) {
    await this.#lanes();
    if (values.url === undefined) return;
    this.url.value = values.url;
    if (methods.includes(values.method)) this.method.value = values.method;
    this.context.value = contexts.some(([value]) => value === values.context) ? values.context : "";
    if ([...this.lane.options].some(({ value }) => value === values.lane)) this.lane.value = values.lane;
    this.#ask();
  }

  focus() {
    this.url.focus();
  }

  async #lanes() {
    if (this.lane.options.length > 1) return;
    try {
      const { lanes } = await get("/api/policy");
      replace(this.lane, lanes.map(({ name }, place) => h("option", { value: place ? name : "" }, name)));
    } catch {
      // Only the default is offered then.
    }
  }

  #submitted(event) {
    event.preventDefault();
    const values = { url: this.url.value.trim(), method: this.method.value, context: this.context.value, lane: this.lane.value };
    if (!values.url) return void replace(this.answer, h("p", { class: "notice", role: "alert" }, "Give a URL, such as https://api.example.com/."));
    const address = route.address("explain", values);
    if (address === location.hash) this.#ask();
    else location.hash = address;
  }

  async #ask() {
    const question = { url: this.url.value.trim(), method: this.method.value };
    if (this.context.value) question.context = this.context.value;
    if (this.lane.value) question.lane = this.lane.value;
    const asked = (this.#asked = {});
    try {
      const explanation = await send("POST", "/api/explain", question);
      if (asked === this.#asked) this.#tell(explanation);
    } catch (fault) {
      if (asked === this.#asked) replace(this.answer, h("p", { class: "notice", role: "alert" }, fault.message));
    }
  }

  #tell(explanation) {
    const { decision, steps, error, ats, trust, pins, identities } = explanation;
    const action = { intercept: "Intercepted", bypass: "Passed on unseen", deny: "Denied" }[decision.action] ?? decision.action;
    const demands = ats.requirements;
    announce(`${action}, by ${decider(decision)}`);
    replace(this.answer,
      h("div", { class: "verdict-box", "data-kind": decision.action === "intercept" && !error ? "none" : kind({ decision, error }) }, h("p", { class: "verdict-why" }, `${action}, by ${decider(decision)}`), error ? h("p", null, error.detail) : h("p", null, steps.find(({ outcome }) => outcome === "decided")?.reason ?? ""),
        error?.code ? h("p", { class: "hint" }, `NSURLError ${error.code} ${error.name} · status ${error.status}`) : null),
      h("h2", null, "Step by step"), h("ol", { class: "decision" }, steps.map(({ step, outcome, reason }) => h("li", { "data-outcome": outcome }, h("b", null, step), h("span", { class: "tag" }, outcomes[outcome] ?? outcome), h("p", null, reason)))),
      demands || trust ? [h("h2", null, "What the origin must satisfy"), facts([["TLS", demands?.minimumTLS && `${demands.minimumTLS} or later${demands.forwardSecrecy ? ", with forward secrecy" : ""}`],
        ["Keys", demands?.keySizes && `RSA ${demands.keySizes.rsa} bits, EC ${demands.keySizes.ec} bits`], ["Signatures", demands?.signatureHash], ["Trust policy", trust && (typeof trust === "string" ? trust : JSON.stringify(trust))],
        ["Pins", Array.isArray(pins) && pins.length ? h("ul", { class: "plain" }, pins.map((pin) => h("li", null, code(typeof pin === "string" ? pin : JSON.stringify(pin))))) : null],
        ["Identities", identities?.length ? identities.join(", ") : null], ["If trust fails", explanation.onTrustFailure === "refuse" ? "the device sees a TLS failure" : explanation.onTrustFailure && "every request is answered 502"],
        ["Objections", ats.violations.length ? ats.violations.map((name) => violations[name] ?? name).join("; ") : null]])] : null,
      h("details", null, h("summary", null, "As JSON"), copyable(JSON.stringify(explanation, null, 2), "The explanation as JSON")));
  }
}
