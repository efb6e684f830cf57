// Where the time of one exchange went, as bars one below the other.

import { h, s } from "./dom.js";
import { milliseconds } from "./format.js";

/** The phases, each with its begin and its length. A connection that was made before the request came is not part of its time. */
function phases({ queued, dns, connect, tls, firstByte, total }) {
  const made = (dns ?? 0) + (connect ?? 0) + (tls ?? 0);
  const before = queued ?? 0;
  const isAhead = made > before;
  const found = [];
  let at = 0;
  const add = (name, length, text) => {
    if (length === null || length === undefined) return;
    found.push({ name, begin: at, length, text });
    at += length;
  };
  if (!isAhead) {
    add("waiting", before - made || null, "in the queue");
    add("dns", dns, "name");
    add("connect", connect, "TCP");
    add("tls", tls, "TLS");
  } else if (before) {
    add("waiting", before, "for the connection");
  }
  const rest = Math.max(0, (total ?? 0) - at);
  const first = Math.min(firstByte ?? rest, rest);
  add("origin", first, "until the first byte");
  add("receive", rest - first || null, "receiving");
  return { found, isAhead, ahead: [["name", dns], ["TCP", connect], ["TLS", tls]].filter(([, value]) => value) };
}

export function timeline(timing) {
  if (!timing) return h("p", { class: "hint" }, "No times were kept.");
  const { found, isAhead, ahead } = phases(timing);
  const total = Math.max(timing.total ?? 0, 0.001);
  const words = found.map(({ text, length }) => `${text} ${milliseconds(length)}`).join(", ");
  const rows = found.map(({ name, begin, length, text }) => h("li", null, h("span", { class: "phase-name" }, text),
    s("svg", { class: "phase-bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      s("rect", { class: "phase-ground", width: "100", height: "8" }),
      s("rect", { class: `phase phase-${name}`, x: (begin / total) * 100, width: Math.max(0.6, (length / total) * 100), height: "8" })),
    h("span", { class: "phase-time" }, milliseconds(length))));
  return h("figure", { class: "timeline", "aria-label": `Time: ${words}; ${milliseconds(timing.total)} in all` }, h("ol", null, rows),
    isAhead && ahead.length ? h("figcaption", { class: "hint" }, `The connection was made ahead, at the CONNECT: ${ahead.map(([name, value]) => `${name} ${milliseconds(value)}`).join(", ")}.`) : null);
}
