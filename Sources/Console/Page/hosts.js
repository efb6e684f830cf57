// The hosts of the history: how much, how it came out, and what an Info.plist would need.

import { get } from "./api.js";
import { button, code, empty, facts, h, pending, replace } from "./dom.js";
import { ago, fullTime, number, plural } from "./format.js";
import { plist } from "./plist.js";
import * as route from "./route.js";
import { announce, copyable } from "./status.js";
import { violations } from "./verdict.js";

const orders = {
  last: ["Last seen", (a, b) => b.last.localeCompare(a.last)],
  requests: ["Requests", (a, b) => b.requests - a.requests],
  trouble: ["Trouble", (a, b) => b.failed - a.failed || b.requests - a.requests],
  name: ["Name", (a, b) => a.host.localeCompare(b.host)],
};
/** More rows are not drawn at once. */
const step = 200;

export class Hosts {
  title = "Hosts";
  #hosts = [];
  #order = "last";
  #shown = step;

  constructor() {
    this.search = h("input", { type: "search", placeholder: "Find a host", "aria-label": "Find a host", spellcheck: "false", on: { input: () => this.#draw() } });
    const order = h("select", { "aria-label": "Order", on: { change: (event) => { this.#order = event.target.value; this.#draw(); } } },
      Object.entries(orders).map(([name, [text]]) => h("option", { value: name }, text)));
    this.count = h("output", { class: "count" });
    this.body = h("div", null);
    this.element = h("div", { class: "page" }, h("header", { class: "page-head" }, h("h1", null, "Hosts"),
      h("div", { class: "tools" }, this.count, h("div", { class: "field" }, this.search), order, button("Refresh", () => this.read(), { class: "small" }))), this.body);
  }

  show() {
    this.read();
  }

  key(event) {
    if (event.key !== "/") return false;
    this.search.focus();
    return true;
  }

  async read() {
    pending(this.body);
    try {
      ({ hosts: this.#hosts } = await get("/api/hosts"));
      this.#shown = step;
      this.#draw();
      announce(plural(this.#hosts.length, "host"));
    } catch (fault) {
      replace(this.body, h("p", { class: "notice" }, fault.message));
    }
  }

  #draw() {
    const wanted = this.search.value.trim().toLowerCase();
    const hosts = this.#hosts.filter(({ host }) => host.includes(wanted)).sort(orders[this.#order][1]);
    this.count.textContent = plural(hosts.length, "host");
    if (!this.#hosts.length) {
      return replace(this.body, empty("No host yet", h("p", null, "As soon as something passes through the proxy, its host appears here with what App Transport Security says of it. The first steps are under "), h("a", { href: "#/traffic" }, "Traffic"), "."));
    }
    if (!hosts.length) return replace(this.body, empty("No such host", h("p", null, `Nothing in the history has “${wanted}” in its name.`)));
    replace(this.body, h("div", { class: "host-list" }, hosts.slice(0, this.#shown).map(card)),
      hosts.length > this.#shown ? button(`Show more (${number(hosts.length - this.#shown)} left)`, () => { this.#shown += step; this.#draw(); }) : null);
  }
}

function card(host) {
  const name = host.host.includes(":") ? `[${host.host}]` : host.host;
  const standard = host.encrypted ? 443 : 80;
  const authority = host.port && host.port !== standard ? `${name}:${host.port}` : name;
  const status = standing(host);
  return h("details", { class: "host", "data-status": status.kind },
    h("summary", null, h("span", { class: "host-name" }, host.encrypted ? null : h("span", { class: "scheme" }, "http://"), authority), meter(host),
      h("span", { class: "host-count" }, number(host.requests)), h("span", { class: "tag", "data-kind": status.kind }, status.text), h("time", { class: "host-last", datetime: host.last, title: fullTime(host.last) }, ago(host.last))),
    h("div", { class: "host-body" },
      facts([["Requests", plural(host.requests, "request")], ["Intercepted", number(host.actions.intercept)], ["Bypassed", host.actions.bypass ? number(host.actions.bypass) : null],
        ["Denied", host.actions.deny ? number(host.actions.deny) : null], ["Went wrong", host.failed ? number(host.failed) : null], ["First seen", fullTime(host.first)], ["Last seen", fullTime(host.last)],
        ["Objections", Object.keys(host.violations).length ? h("ul", { class: "plain" }, Object.entries(host.violations).map(([violation, count]) => h("li", null, code(violation), ` ${violations[violation] ?? ""}, ${plural(count, "time")}`))) : null]]),
      need(host, name),
      h("p", { class: "row-of" }, h("a", { class: "button small", href: route.address("traffic", { host: host.port ? `${name}:${host.port}` : name }) }, "Its exchanges"),
        h("a", { class: "button small", href: route.address("explain", { url: `${host.encrypted ? "https" : "http"}://${authority}/` }) }, "Explain"))));
}

/** Where the host stands with App Transport Security. */
function standing(host) {
  if (host.ats.fail) return { kind: "deny", text: host.ats.pass ? "ATS: not always satisfied" : "ATS: not satisfied" };
  if (host.failed) return { kind: "fail", text: "Failures, none by ATS" };
  if (!host.ats.pass) return { kind: "bypass", text: "ATS: off" };
  return { kind: "pass", text: "ATS: satisfied" };
}

function meter(host) {
  const other = Math.max(0, host.failed - host.actions.deny);
  const good = Math.max(0, host.requests - host.actions.deny - other - host.actions.bypass);
  const shares = [["pass", good], ["bypass", host.actions.bypass], ["fail", other], ["deny", host.actions.deny]].filter(([, count]) => count > 0);
  const bar = h("span", { class: "meter", role: "img", "aria-label": shares.map(([kind, count]) => `${number(count)} ${kind}`).join(", ") });
  for (const [kind, count] of shares) {
    const part = h("i", { "data-kind": kind, title: `${number(count)} ${kind}` });
    part.style.flexGrow = String(Math.max(count / host.requests, 0.04));
    bar.append(part);
  }
  return bar;
}

function need(host, name) {
  if (host.exception) {
    const text = plist({ NSExceptionDomains: { [host.host]: host.exception } }, "NSAppTransportSecurity");
    return h("div", null, h("h3", null, "What an Info.plist would need"), h("p", { class: "hint" }, "The smallest that lets pass what was recorded. Better is to mend the origin; ", code(`pinwarden diagnose ${name}`), " measures what it can do."), copyable(text, `Exception for ${host.host}`));
  }
  if (host.unhelped.length) return h("p", { class: "notice" }, "No key of an Info.plist helps: ", host.unhelped.map((violation, place) => [place ? ", " : "", code(violation)]), ". The origin, or the authority that is trusted, has to change.");
  return h("p", { class: "hint" }, host.ats.pass ? "An Info.plist needs nothing for this host." : "App Transport Security was off for it.");
}
