// Bytes in rows of sixteen, with their place before and their characters behind.

import { button, h } from "./dom.js";
import { bytes as size } from "./format.js";

const step = 16 << 10;

export function hex(bytes) {
  const shown = h("pre", { class: "hex", tabindex: "0", "aria-label": "Body as hexadecimal digits" });
  let end = 0;
  const more = button("", show, { class: "small" });
  function show() {
    const next = Math.min(bytes.length, end + step);
    shown.append(rows(bytes, end, next));
    end = next;
    more.hidden = end >= bytes.length;
    more.textContent = `Show more (${size(bytes.length - end)} left)`;
  }
  show();
  return [shown, more];
}

function rows(bytes, begin, end) {
  let text = "";
  for (let at = begin; at < end; at += 16) {
    const row = bytes.subarray(at, Math.min(at + 16, end));
    const digits = Array.from(row, (byte) => byte.toString(16).padStart(2, "0"));
    const left = digits.slice(0, 8).join(" ");
    const right = digits.slice(8).join(" ");
    const letters = Array.from(row, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·")).join("");
    text += `${at.toString(16).padStart(6, "0")}  ${left.padEnd(23)}  ${right.padEnd(23)}  ${letters}\n`;
  }
  return text;
}
