// The page: its views, which of them is shown, and what holds for all.

import { h, replace } from "./dom.js";
import { Devices } from "./devices.js";
import { Explain } from "./explain.js";
import { Feed } from "./feed.js";
import { number } from "./format.js";
import { Hosts } from "./hosts.js";
import { install } from "./keys.js";
import { Policy } from "./policy.js";
import * as route from "./route.js";
import { announce, tell } from "./status.js";
import { Traffic } from "./traffic.js";
import { Trends } from "./trends.js";

const makers = { traffic: Traffic, hosts: Hosts, devices: Devices, trends: Trends, policy: Policy, explain: Explain };
const titles = { traffic: "Traffic", hosts: "Hosts", devices: "Devices", trends: "Trends", policy: "Policy", explain: "Explain" };
const main = document.getElementById("main");
const nav = document.getElementById("views");
const made = {};
let shown = null;

const links = Object.fromEntries(Object.entries(titles).map(([name, title]) => [name, h("a", { href: `#/${name}` }, title)]));
replace(nav, Object.values(links));

function show({ view, values }) {
  const name = makers[view] ? view : "traffic";
  const next = (made[name] ??= new makers[name]());
  if (next !== shown) {
    shown?.hide?.();
    const isFirst = shown === null;
    shown = next;
    replace(main, next.element);
    document.title = `${next.title} · pinwarden`;
    for (const [other, link] of Object.entries(links)) {
      if (other === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (next.focus) next.focus();
    else if (!isFirst) main.focus({ preventScroll: true });
  }
  next.show(values);
}

// The live feed runs whatever is shown.

const pulse = document.getElementById("pulse");
const words = document.getElementById("pulse-text");
let recent = [];

const feed = new Feed({
  records(records) {
    const now = performance.now();
    for (const _ of records) recent.push(now);
    made.traffic?.records(records);
  },
  gap: () => made.traffic?.gap(),
  state(state) {
    if (state === pulse.dataset.state) return;
    if (state === "closed") announce("The connection to the daemon is lost; trying again.");
    else if (pulse.dataset.state === "closed") tell("Connected again");
    pulse.dataset.state = state;
    beat();
  },
});

/** Exchanges a second, over the last five. */
function beat() {
  const now = performance.now();
  recent = recent.filter((time) => now - time < 5000).slice(-20_000);
  const rate = recent.length / 5;
  words.textContent = pulse.dataset.state === "open" ? (rate ? `${rate >= 10 ? number(Math.round(rate)) : rate.toFixed(1)}/s` : "live, quiet") : pulse.dataset.state === "closed" ? "reconnecting" : "connecting";
}

setInterval(beat, 1000);

// The theme: as the system, or chosen.

const theme = document.getElementById("theme");
const themes = [["", "◐", "as the system"], ["light", "○", "light"], ["dark", "●", "dark"]];

function useTheme(name) {
  const [, sign, text] = themes.find(([known]) => known === name) ?? themes[0];
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  theme.textContent = sign;
  theme.setAttribute("aria-label", `Theme: ${text}`);
  theme.title = `Theme: ${text}`;
}

theme.addEventListener("click", () => {
  const place = themes.findIndex(([name]) => name === (document.documentElement.dataset.theme ?? ""));
  const [name, , text] = themes[(place + 1) % themes.length];
  if (name) localStorage.setItem("pinwarden.theme", name);
  else localStorage.removeItem("pinwarden.theme");
  useTheme(name);
  announce(`Theme: ${text}`);
});

useTheme(document.documentElement.dataset.theme ?? "");
route.onChange(show);
install((view) => route.go(view), () => shown);
show(route.current());
feed.open();
