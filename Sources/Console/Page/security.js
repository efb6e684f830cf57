// The two connections of an exchange, and the keys that the origin showed, as each tool writes them.

import { code, facts, h, replace } from "./dom.js";
import { parts } from "./format.js";
import { formats } from "./pins.js";
import { copyable } from "./status.js";

export function connections(record) {
  const { origin } = record;
  const isSecure = /^(https|wss):/.test(record.url);
  const asked = origin?.clientCertificate;
  const device = facts([["Between", `${record.client} and pinwarden`], ["Protocol", record.protocol], ["TLS", record.clientTLS?.version ?? (isSecure ? "no handshake was completed" : "none, plain HTTP")],
    ["Certificate", record.clientTLS && "our own, for this name"], ...session(record.clientTLS)]);
  const away = origin ? facts([["Between", `pinwarden and ${origin.address}`], ["By the proxy", origin.proxy], ["TLS", origin.tls ? origin.tls.version : isSecure ? "no handshake was completed" : "none, plain HTTP"],
    ...session(origin.tls), ["Connection", origin.reused ? "reused" : "new"],
    ["Identity", origin.identity], ["Client certificate", asked && (asked.sent ?? asked.reason ?? "asked for")], ["Transparency", origin.ct && `${origin.ct.status}: ${origin.ct.reason}`]])
    : h("p", { class: "hint" }, "None was made.");
  return h("div", { class: "sides" }, h("section", null, h("h4", null, "Device side"), device), h("section", null, h("h4", null, "Origin side"), away));
}

function session(tls) {
  return tls ? [["Cipher suite", code(tls.cipher)], ["ALPN", tls.alpn], ["Session", tls.resumed ? "resumed" : "full handshake"]] : [];
}

export function chain(record) {
  const pins = record.origin?.pins ?? seen(record.error?.detail);
  if (!pins.length) return [h("h3", null, "Chain"), h("p", { class: "hint" }, "No certificate was seen.")];
  const matched = record.origin?.matchedPin;
  const list = h("ol", { class: "chain" }, pins.map((pin, place) => h("li", { "data-matched": pin === matched }, h("span", { class: "chain-role" }, role(place, pins.length)), code(pin), pin === matched ? h("b", null, "matched") : null)));
  const place = h("div", null);
  const host = parts(record.url).host.replace(/:\d+$/, "");
  const choose = (name) => replace(place, copyable(formats[name].write(host, pins), `${formats[name].title} for ${host}`));
  const select = h("select", { "aria-label": "Format of the pins", on: { change: (event) => choose(event.target.value) } },
    Object.entries(formats).map(([name, { title }]) => h("option", { value: name }, title)));
  choose(Object.keys(formats)[0]);
  return [h("h3", null, "Chain, by the SHA-256 of each public key"), list, h("div", { class: "row-of" }, h("h3", null, "Pins to copy"), select), place];
}

/** A refusal of a pin tells the keys that were there. */
function seen(detail) {
  return [...(detail ?? "").matchAll(/sha256\/[A-Za-z0-9+/]{43}=/g)].map(([pin]) => pin);
}

function role(place, count) {
  if (place === 0) return "leaf";
  return count > 2 ? `issuer ${place}` : "issuer";
}
