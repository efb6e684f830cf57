// What happened over time: how much, how it came out, and how long it took.

import { get } from "./api.js";
import { button, empty, h, pending, replace } from "./dom.js";
import { milliseconds, number, plural } from "./format.js";
import { bars, lines } from "./plot.js";
import * as route from "./route.js";
import { announce } from "./status.js";
import { kinds } from "./verdict.js";

const spans = [[5, "5 min"], [60, "1 h"], [360, "6 h"], [1440, "1 d"], [10080, "1 w"]];
const pause = 10_000;

export class Trends {
  title = "Trends";
  #timer = null;
  #series = null;
  #width = 0;

  constructor() {
    this.chips = h("div", { class: "chips", role: "group", "aria-label": "Time" }, spans.map(([minutes, text]) => button(text, () => route.adjust({ minutes }), { "data-minutes": minutes })));
    this.body = h("div", { class: "plots" });
    // Plots are drawn as wide as they are shown, so that their letters keep their size.
    this.observer = new ResizeObserver(() => {
      if (this.#series && Math.abs(this.body.clientWidth - this.#width) > 8) this.#draw(this.#series);
    });
    this.observer.observe(this.body);
    this.element = h("div", { class: "page" }, h("header", { class: "page-head" }, h("h1", null, "Trends"), h("div", { class: "tools" }, this.chips)), this.body);
  }

  show(values) {
    this.minutes = spans.some(([minutes]) => String(minutes) === values.minutes) ? values.minutes : "60";
    for (const chip of this.chips.children) chip.setAttribute("aria-pressed", String(chip.dataset.minutes === this.minutes));
    this.#read("told");
  }

  hide() {
    clearTimeout(this.#timer);
  }

  async #read(how) {
    clearTimeout(this.#timer);
    const { minutes } = this;
    pending(this.body);
    try {
      const series = await get(`/api/series?minutes=${minutes}`);
      if (minutes !== this.minutes) return;
      // While somebody reads a value off, nothing moves away under them.
      if (how === "told" || !this.body.matches(":focus-within, :hover")) this.#draw(series);
      if (how === "told") announce(`${plural(total(series), "exchange")} in this time`);
    } catch (fault) {
      replace(this.body, h("p", { class: "notice" }, fault.message));
    }
    if (this.element.isConnected) this.#timer = setTimeout(() => this.element.isConnected && this.#read("again"), pause);
  }

  #draw(series) {
    this.#series = series;
    this.#width = this.body.clientWidth;
    if (!series.buckets.length) {
      return replace(this.body, empty("Nothing happened in this time", h("p", null, "Choose a longer one, or send something through the proxy.")));
    }
    const start = Date.parse(series.start);
    const axis = { start, step: series.step, count: series.steps, width: Math.max(280, this.#width - 42) };
    const place = (bucket) => Math.round((Date.parse(bucket.time) - start) / series.step);
    const rate = (count) => count / (series.step / 1000);
    const names = Object.keys(kinds);
    const verdicts = names.map((name) => ({ name, title: kinds[name].word, values: spread(axis, series, place, (bucket) => bucket.verdicts[name]) })).filter(({ values }) => values.some(Boolean));
    const rates = [{ name: "rate", title: "requests", values: spread(axis, series, place, (bucket) => rate(sum(bucket))) }];
    const quantiles = [["p50", "half"], ["p90", "9 of 10"], ["p99", "99 of 100"]].map(([name, title]) => ({ name, title, values: spread(axis, series, place, (bucket) => bucket.latency[name], null) }));
    const bad = series.buckets.reduce((all, { verdicts: { deny, fail } }) => all + deny + fail, 0);
    replace(this.body,
      h("dl", { class: "figures" }, figure("Exchanges", number(total(series))), figure("Went wrong", number(bad), `${((bad / total(series)) * 100).toFixed(1)} %`), figure("Busiest", `${rounded(Math.max(...rates[0].values))}/s`),
        figure("Half took at most", milliseconds(median(series)))),
      bars({ title: "Verdicts", unit: (value) => number(value), axis, series: verdicts }),
      lines({ title: "Rate", unit: (value) => `${rounded(value)}/s`, axis, series: rates, isFilled: true }),
      lines({ title: "Latency", unit: milliseconds, axis, series: quantiles, isLogarithmic: true }));
  }
}

const sum = (bucket) => Object.values(bucket.verdicts).reduce((all, count) => all + count, 0);
const total = (series) => series.buckets.reduce((all, bucket) => all + sum(bucket), 0);
const rounded = (value) => (value >= 10 ? number(Math.round(value)) : value.toFixed(value < 0.1 && value > 0 ? 2 : 1));

/** The middle of the buckets' medians, each counted by its exchanges. */
function median(series) {
  const known = series.buckets.filter(({ latency }) => latency.p50 !== null).sort((a, b) => a.latency.p50 - b.latency.p50);
  let left = known.reduce((all, bucket) => all + sum(bucket), 0) / 2;
  for (const bucket of known) if ((left -= sum(bucket)) <= 0) return bucket.latency.p50;
  return null;
}

function spread(axis, series, place, value, none = 0) {
  const values = new Array(axis.count).fill(none);
  for (const bucket of series.buckets) if (place(bucket) < axis.count) values[place(bucket)] = value(bucket);
  return values;
}

function figure(name, value, about) {
  return h("div", null, h("dt", null, name), h("dd", null, value, about ? h("small", null, about) : null));
}
