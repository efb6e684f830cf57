// The devices that use the proxy: which lane they are in, what they are, and what the trust doctor found.

import { get } from "./api.js";
import { button, code, empty, facts, h, pending, replace } from "./dom.js";
import { ago, fullTime, milliseconds, plural } from "./format.js";
import * as route from "./route.js";
import { announce } from "./status.js";

export class Devices {
  title = "Devices";

  constructor() {
    this.body = h("div", null);
    this.element = h("div", { class: "page" }, h("header", { class: "page-head" }, h("h1", null, "Devices"), h("div", { class: "tools" }, button("Refresh", () => this.show(), { class: "small" }))), this.body);
  }

  async show() {
    pending(this.body);
    try {
      const devices = merged(await examined(), await seen());
      announce(plural(devices.length, "device"));
      replace(this.body, devices.length ? h("div", { class: "cards" }, devices.map(card)) : nobody());
    } catch (fault) {
      replace(this.body, h("p", { class: "notice" }, fault.message));
    }
  }
}

/** Those that the console knows from their set-up. */
async function examined() {
  try {
    return (await get("/api/devices")).devices ?? [];
  } catch (fault) {
    if (fault.status === 404) return [];
    throw fault;
  }
}

/** Those that the newest exchanges came from. */
async function seen() {
  let exchanges = [];
  try {
    ({ exchanges } = await get("/api/exchanges?limit=1000"));
  } catch (fault) {
    if (fault.status !== 404) throw fault;
  }
  const devices = new Map();
  for (const { client, lane, time, error } of exchanges) {
    const address = host(client);
    const known = devices.get(`${address} ${lane}`);
    if (known) {
      known.requests += 1;
      known.failed += error ? 1 : 0;
    } else {
      devices.set(`${address} ${lane}`, { client: address, lane, lastSeen: time, requests: 1, failed: error ? 1 : 0 });
    }
  }
  return [...devices.values()];
}

function merged(examined, seen) {
  const devices = new Map(seen.map((device) => [`${device.client} ${device.lane}`, device]));
  for (const device of examined) {
    const key = `${host(device.client ?? "")} ${device.lane}`;
    const known = devices.get(key);
    devices.set(key, { ...known, ...device, client: host(device.client ?? ""), lastSeen: newest(known?.lastSeen, device.lastSeen) });
  }
  return [...devices.values()].sort((a, b) => (b.lastSeen ?? "").localeCompare(a.lastSeen ?? ""));
}

const host = (client) => client.replace(/:\d+$/, "").replace(/^\[|\]$/g, "");
const newest = (one, other) => ((one ?? "") > (other ?? "") ? one : other);

function card(device) {
  const { doctor } = device;
  return h("article", { class: "card device" }, h("header", null, h("h2", { class: "mono" }, device.client), h("span", { class: "tags" }, ready(doctor), h("span", { class: "tag" }, `lane ${device.lane}`))),
    facts([["Client", device.userAgent], ["Last seen", device.lastSeen && h("time", { datetime: device.lastSeen, title: fullTime(device.lastSeen) }, ago(device.lastSeen))],
      ["Lately", device.requests && `${plural(device.requests, "request")}${device.failed ? `, ${device.failed} of them went wrong` : ""}`]]),
    h("h3", null, "Trust doctor"), doctor ? diagnosis(doctor) : h("p", { class: "hint" }, "It was not asked. Open ", code("http://pinwarden.internal/"), " in this device's browser."),
    h("p", null, h("a", { class: "button small", href: route.address("traffic", { client: device.client, lane: device.lane }) }, "Its exchanges")));
}

function ready(doctor) {
  if (!doctor) return null;
  const isReady = !doctor.missing && doctor.certificate === "trusted" && doctor.proxy === "ok";
  return isReady ? h("span", { class: "tag", "data-kind": "pass" }, "ready") : doctor.missing ? h("span", { class: "tag", "data-kind": "fail" }, "a step is left") : null;
}

const findings = {
  proxy: { ok: ["pass", "It uses the proxy"], missing: ["deny", "It does not use the proxy"], unknown: ["none", "Whether it uses the proxy is not known yet"] },
  certificate: { trusted: ["pass", "It trusts the authority"], refused: ["deny", "It refuses the authority's certificates"], unknown: ["none", "Whether it trusts the authority is not known yet"] },
  clock: { ok: ["pass", "Its clock is right"], off: ["fail", "Its clock is wrong"], unknown: ["none", "Its clock is not known yet"] },
};
const signs = { pass: "✓", deny: "✗", fail: "!", none: "·" };
const next = {
  proxy: "Next: enter the proxy in the settings of its network.",
  certificate: "Next: download the certificate from the page for devices, and install it.",
  trust: "Next: install the file that was downloaded; on iPhone and iPad switch full trust on, in Certificate Trust Settings.",
  clock: "Next: set its clock, since certificates seem to be out of date.",
};

function diagnosis(doctor) {
  const { clockOffset, refusal, missing } = doctor;
  const about = { certificate: refusal, clock: doctor.clock === "off" && clockOffset !== null && `by ${milliseconds(Math.abs(clockOffset))}, ${clockOffset < 0 ? "behind" : "ahead"}` };
  return h("div", null, h("ul", { class: "checks" }, Object.entries(findings).map(([name, words]) => {
    const [kind, text] = words[doctor[name]] ?? ["none", `${name}: ${doctor[name] ?? "not known"}`];
    return h("li", { "data-kind": kind }, h("span", { "aria-hidden": "true" }, signs[kind]), text, about[name] ? h("span", { class: "hint" }, ` (${about[name]})`) : null);
  })), missing ? h("p", { class: "next" }, next[missing] ?? `Missing: ${missing}`) : null);
}

function nobody() {
  return empty("No device yet", h("ol", { class: "steps" },
    h("li", null, h("b", null, "Let it in"), h("p", null, "A device that is not this machine needs its address in ", code("access.clients"), ".")),
    h("li", null, h("b", null, "Give it the proxy"), h("p", null, "In the settings of its network: the address of this machine, and the port of the listener.")),
    h("li", null, h("b", null, "Let it trust"), h("p", null, "Open ", code("http://pinwarden.internal/"), " on it, and follow the steps."))));
}
