// The policy in force: what it says, what the linter says of it, and the whitelist, which can be changed here.

import { get, send } from "./api.js";
import { button, code, empty, facts, h, replace } from "./dom.js";
import { plural } from "./format.js";
import { plist } from "./plist.js";
import { announce, copyable, tell } from "./status.js";
import { Whitelist } from "./whitelist.js";

const levels = { error: "deny", warning: "fail", note: "bypass" };

export class Policy {
  title = "Policy";

  constructor() {
    this.whitelist = new Whitelist();
    this.body = h("div", null);
    this.element = h("div", { class: "page" }, h("header", { class: "page-head" }, h("h1", null, "Policy"), h("div", { class: "tools" }, h("output", { class: "count", id: "policy-file" }), button("Reload the configuration", () => this.#reload(), { class: "small", id: "reload" }))),
      this.whitelist.element, this.body);
  }

  async show() {
    this.whitelist.read();
    try {
      const policy = await get("/api/policy");
      this.element.querySelector("#policy-file").textContent = policy.file ?? "built-in defaults";
      replace(this.body, policy.lanes.map((lane) => section(lane, policy.lanes.length > 1)));
      announce(plural(policy.lanes.length, "lane"));
    } catch (fault) {
      replace(this.body, h("p", { class: "notice" }, fault.message));
    }
  }

  async #reload() {
    try {
      await send("POST", "/api/reload");
      tell("The configuration was loaded again.");
      this.show();
    } catch (fault) {
      tell(fault.message, "bad");
    }
  }
}

function section(lane, isOneOfSeveral) {
  const findings = [...lane.ats.findings.map((finding) => ({ ...finding, keyPath: `ats.${finding.keyPath}` })), ...Object.entries(lane.trust).flatMap(([name, trust]) => (trust.findings ?? []).map((finding) => ({ ...finding, keyPath: `trust.${name}${finding.keyPath ? `.${finding.keyPath}` : ""}` })))];
  return h("section", { class: "lane" }, isOneOfSeveral ? h("h2", { class: "lane-name" }, "Lane ", code(lane.name)) : null,
    h("div", { class: "card" }, h("h2", null, "Findings"), findings.length ? h("ul", { class: "findings" }, findings.map(finding)) : h("p", { class: "hint" }, "The linter has nothing to say.")),
    h("div", { class: "columns" },
      h("div", { class: "card" }, h("h2", null, "App Transport Security"), facts([["Mode", modes[lane.ats.mode] ?? lane.ats.mode], ["By the rules of", `OS ${lane.ats.os}`], ["Context", lane.context]]),
        h("details", { open: Object.keys(lane.ats.dictionary ?? {}).length > 0 }, h("summary", null, "The dictionary"), copyable(plist(lane.ats.dictionary ?? {}, "NSAppTransportSecurity"), "NSAppTransportSecurity"))),
      h("div", { class: "card" }, h("h2", null, "Lane"), facts([["Name", lane.name], ["Clients", lane.clients.length ? lane.clients.map((client) => [code(client), " "]) : "everybody whom no other lane takes"], ["Users", lane.users.join(", ")], ["Fails open", lane.failOpen ? "yes: what goes wrong is passed on unseen" : "no"],
        ["Identities", lane.identities.join(", ")], ["Hosts without a rule", lane.rules.default], ["An empty whitelist", lane.rules.emptyWhitelist === "bypass" ? "bypasses everything" : "bypasses nothing"]]))),
    h("div", { class: "card" }, h("h2", null, "Rules"), rules(lane.rules.hosts)),
    Object.keys(lane.trust).length ? h("div", { class: "card" }, h("h2", null, "Trust policies"), Object.entries(lane.trust).map(trust)) : null);
}

const modes = { enforce: "enforced", observe: "observed only: nothing is refused", off: "off" };

function finding({ level, keyPath, message }) {
  return h("li", null, h("span", { class: "tag", "data-kind": levels[level] ?? "none" }, level), h("div", null, h("p", null, message), code(keyPath)));
}

function rules(hosts) {
  if (!hosts.length) return empty("No rule", h("p", null, "Every host is treated alike. A rule names a host and what happens to it, under ", code("rules.hosts"), "."));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Rules" }, h("table", { class: "grid" }, h("thead", null, h("tr", null, ["Host", "Action", "Trust", "Identity", "On a trust failure", "HTTP/2"].map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", null, hosts.map((rule) => h("tr", null, h("th", { scope: "row" }, code(rule.host)), h("td", null, rule.action ? h("span", { class: "tag", "data-kind": { reject: "deny", bypass: "bypass", intercept: "pass" }[rule.action] }, rule.action) : "–"),
      h("td", null, rule.trust ?? "–"), h("td", null, rule.identity.join(", ") || "–"), h("td", null, rule.onTrustFailure === "refuse" ? "TLS failure" : "answer 502"), h("td", null, rule.http2 ? "yes" : "no"))))));
}

function trust([name, policy]) {
  return h("section", { class: "trust" }, h("h3", null, code(name)),
    facts([["Pinning", { none: "pins only", publicKey: "public keys", certificate: "whole certificates" }[policy.pinning]], ["Pins", policy.pins.length ? h("ul", { class: "plain" }, policy.pins.map((pin) => h("li", null, code(pin)))) : null],
      ["Certificates", policy.certificates.length ? h("ul", { class: "plain" }, policy.certificates.map(({ subject, pin }) => h("li", null, subject, " ", code(pin)))) : null], ["Name", policy.validatesDomainName ? "must fit" : "is not looked at"],
      ["Invalid certificates", policy.allowInvalidCertificates ? "allowed where ATS permits it" : "refused"], ["Expires", policy.expires], ["Enforced", policy.enforce ? "yes" : "no, only reported"], ["Reports to", policy.reportURIs.join(", ")]]));
}
