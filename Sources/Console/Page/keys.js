// The keyboard: keys of the whole page, and help about all of them.

import { button, h, replace } from "./dom.js";

const views = { t: "traffic", h: "hosts", d: "devices", r: "trends", p: "policy", e: "explain" };
const groups = [
  ["Everywhere", [["g t", "Traffic"], ["g h", "Hosts"], ["g d", "Devices"], ["g r", "Trends"], ["g p", "Policy"], ["g e", "Explain"], ["/", "To the filter"], ["?", "This help"]]],
  ["In the list", [["j  k", "Next, previous"], ["↑ ↓ PgUp PgDn", "Move"], ["Home End", "Newest, oldest"], ["Enter", "Open the exchange"], ["p", "Pause, resume"]]],
  ["In an exchange", [["1 … 5", "Its parts"], ["r", "Replay"], ["j  k", "Next, previous exchange"], ["Esc", "Close"]]],
];

/** `go` takes the name of a view, `view` gives the one that is shown. */
export function install(go, view) {
  const help = document.getElementById("help");
  let isPrefixed = false;
  let timer = null;
  replace(help, h("header", { class: "detail-line" }, h("h2", { id: "help-title" }, "Keyboard"), button("×", () => help.close(), { class: "quiet close", "aria-label": "Close the help" })),
    h("div", { class: "help" }, groups.map(([title, keys]) => h("section", null, h("h3", null, title), h("dl", null, keys.map(([key, text]) => h("div", null, h("dt", null, key.split(/ +/).map((part) => (part === "…" ? part : h("kbd", null, part)))), h("dd", null, text))))))));
  const open = () => help.showModal();
  help.addEventListener("click", (event) => {
    if (event.target === help) help.close();
  });
  document.getElementById("help-open").addEventListener("click", open);
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    if (isTyping(event.target)) return;
    if (isPrefixed) {
      isPrefixed = false;
      if (views[event.key]) {
        event.preventDefault();
        return go(views[event.key]);
      }
    }
    if (event.key === "g") {
      isPrefixed = true;
      clearTimeout(timer);
      timer = setTimeout(() => (isPrefixed = false), 1200);
    } else if (event.key === "?") {
      event.preventDefault();
      open();
    } else if (!(event.key === "Enter" && isControl(event.target)) && view()?.key?.(event)) {
      event.preventDefault();
    }
  });
}

function isTyping(element) {
  return element.matches?.("input, textarea, select, [contenteditable]");
}

/** What does something of its own at Enter. */
function isControl(element) {
  return element.matches?.("a, button, summary, [role=tab]");
}
