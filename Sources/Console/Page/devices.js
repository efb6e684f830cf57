// The devices that use the proxy: which lane they are in, what they are, and what the trust doctor found.

import { get } from "./api.js";
import { button, code, empty, facts, h, replace } from "./dom.js";
import { ago, fullTime, plural } from "./format.js";
import * as route from "./route.js";
import { announce } from "./status.js";

export class Devices {
  title = "Devices";

  constructor() {
    this.body = h("div", null);
    this.element = h("div", { class: "page" }, h("header", { class: "page-head" }, h("h1", null, "Devices"), h("div", { class: "tools" }, button("Refresh", () => this.show(), { class: "small" }))), this.body);
  }

  async show() {
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
  return h("article", { class: "card device" }, h("header", null, h("h2", { class: "mono" }, device.client), h("span", { class: "tag" }, `lane ${device.lane}`)),
    facts([["Client", device.userAgent], ["Last seen", device.lastSeen && h("time", { datetime: device.lastSeen, title: fullTime(device.lastSeen) }, ago(device.lastSeen))],
      ["Lately", device.requests && `${plural(device.requests, "request")}${device.failed ? `, ${device.failed} of them went wrong` : ""}`]]),
    h("h3", null, "Trust doctor"), doctor ? diagnosis(doctor) : h("p", { class: "hint" }, "It was not asked. Open ", code("http://pinwarden.internal/"), " in this device's browser."),
    h("p", null, h("a", { class: "button small", href: route.address("traffic", { client: device.client, lane: device.lane }) }, "Its exchanges")));
}

/** Whatever the doctor says: members that are true or false are checks, others are told. */
function diagnosis(doctor) {
  if (typeof doctor !== "object") return h("p", null, String(doctor));
  const words = (name) => name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  const checks = Array.isArray(doctor.checks) ? doctor.checks.map((check) => [check.name ?? check.title ?? "", check.result ?? check.passed ?? check.ok, check.detail]) : Object.entries(doctor);
  return h("ul", { class: "checks" }, checks.filter(([, value]) => value !== null && value !== undefined).map(([name, value, detail]) => {
    const isGood = value === true || value === "pass" || value === "ok" || value === "trusted";
    const isBad = value === false || value === "fail" || value === "untrusted";
    const told = typeof value === "object" ? JSON.stringify(value) : String(value);
    return h("li", { "data-kind": isGood ? "pass" : isBad ? "deny" : "none" }, h("span", { "aria-hidden": "true" }, isGood ? "✓" : isBad ? "✗" : "·"), words(name), isGood ? h("span", { class: "unseen" }, " passed") : isBad ? h("span", { class: "unseen" }, " failed") : `: ${told}`, detail ? h("p", { class: "hint" }, detail) : null);
  }));
}

function nobody() {
  return empty("No device yet", h("ol", { class: "steps" },
    h("li", null, h("b", null, "Let it in"), h("p", null, "A device that is not this machine needs its address in ", code("access.clients"), ".")),
    h("li", null, h("b", null, "Give it the proxy"), h("p", null, "In the settings of its network: the address of this machine, and the port of the listener.")),
    h("li", null, h("b", null, "Let it trust"), h("p", null, "Open ", code("http://pinwarden.internal/"), " on it, and follow the steps."))));
}
