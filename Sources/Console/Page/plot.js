// Small plots: stacked bars, and lines. Each can be read off by pointer or arrow keys, and is a table for those who want one.

import { h, replace, s } from "./dom.js";

/** Pixels. The width is the axis's. */
const height = 152;
const edge = { left: 1, right: 1, top: 14, bottom: 22 };
const innerHeight = height - edge.top - edge.bottom;
const innerWidth = (axis) => axis.width - edge.left - edge.right;

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const exact = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const dated = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });

/** Bars of several series on top of each other. */
export function bars(plot) {
  const sums = plot.series.reduce((all, { values }) => all.map((value, place) => value + values[place]), new Array(plot.axis.count).fill(0));
  const most = ceiling(Math.max(...sums));
  const step = innerWidth(plot.axis) / plot.axis.count;
  const base = new Array(plot.axis.count).fill(0);
  const shapes = plot.series.map(({ name, values }) => s("g", { class: `plot-fill kind-${name}` }, values.map((value, place) => {
    if (!value) return null;
    const below = base[place];
    base[place] += value;
    const top = edge.top + innerHeight * (1 - base[place] / most);
    return s("rect", { x: edge.left + place * step + step * 0.08, y: top, width: step * 0.84, height: Math.max(1, innerHeight * ((base[place] - below) / most)) });
  })));
  return figure(plot, shapes, scale(plot, [0, most / 2, most], (value) => value / most));
}

/** Lines of several series. */
export function lines(plot) {
  const known = plot.series.flatMap(({ values }) => values.filter((value) => value !== null));
  const [least, most] = plot.isLogarithmic ? decades(known) : [0, ceiling(Math.max(...known))];
  const share = plot.isLogarithmic ? (value) => Math.log(Math.max(value, least) / least) / Math.log(most / least) : (value) => value / most;
  const step = innerWidth(plot.axis) / plot.axis.count;
  const point = (value, place) => [edge.left + (place + 0.5) * step, edge.top + innerHeight * (1 - share(value))];
  const shapes = plot.series.map(({ name, values }) => {
    const runs = connected(values).map((run) => run.map(([value, place]) => point(value, place)));
    const path = runs.map((run) => `M${run.map((pair) => pair.map((number) => number.toFixed(1)).join(" ")).join("L")}${run.length === 1 ? "h0.1" : ""}`).join("");
    const ground = edge.top + innerHeight;
    const area = plot.isFilled ? s("path", { class: "plot-area", d: runs.map((run) => `M${run[0][0]} ${ground}L${run.map((pair) => pair.join(" ")).join("L")}L${run.at(-1)[0]} ${ground}Z`).join("") }) : null;
    return s("g", { class: `plot-line line-${name}` }, area, s("path", { d: path }));
  });
  const marks = plot.isLogarithmic ? powers(least, most) : [0, most / 2, most];
  return figure(plot, shapes, scale(plot, marks, share));
}

/** Values that follow each other without a gap, with their places. */
function connected(values) {
  const runs = [];
  values.forEach((value, place) => {
    if (value === null) return;
    if (place > 0 && values[place - 1] !== null && runs.length) runs.at(-1).push([value, place]);
    else runs.push([[value, place]]);
  });
  return runs;
}

function scale(plot, marks, share) {
  const across = marks.map((value) => {
    const y = edge.top + innerHeight * (1 - share(value));
    return [s("line", { class: "plot-rule", x1: edge.left, x2: plot.axis.width - edge.right, y1: y, y2: y }), value ? s("text", { class: "plot-mark", x: edge.left, y: y - 3 }, plot.unit(value)) : null];
  });
  const { start, step, count } = plot.axis;
  const format = step * count > 86_400_000 ? dated : step * count < 900_000 ? exact : clock;
  const places = plot.axis.width < 520 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1];
  const along = places.map((part) => s("text", { class: "plot-mark", x: edge.left + innerWidth(plot.axis) * part, y: height - 6, "text-anchor": part === 0 ? "start" : part === 1 ? "end" : "middle" }, format.format(start + step * count * part)));
  return [across, along];
}

function figure(plot, shapes, marks) {
  const cursor = s("line", { class: "plot-cursor", y1: edge.top, y2: edge.top + innerHeight, visibility: "hidden" });
  const drawing = s("svg", { viewBox: `0 0 ${plot.axis.width} ${height}`, preserveAspectRatio: "none", class: "plot", role: "img", "aria-label": summary(plot), tabindex: "0" }, marks[0], shapes, marks[1], cursor);
  const reading = h("output", { class: "plot-reading" });
  const { start, step, count } = plot.axis;
  let at = count - 1;
  const read = (place) => {
    at = Math.max(0, Math.min(count - 1, place));
    const x = edge.left + ((at + 0.5) * innerWidth(plot.axis)) / count;
    for (const name of ["x1", "x2"]) cursor.setAttribute(name, x);
    cursor.setAttribute("visibility", "visible");
    replace(reading, h("time", null, (step * count > 86_400_000 ? dated : exact).format(start + at * step)),
      plot.series.map(({ name, title, values }) => h("span", { class: `key kind-${name} line-${name}` }, `${title} ${values[at] === null ? "–" : plot.unit(values[at])}`)));
  };
  const rest = () => {
    cursor.setAttribute("visibility", "hidden");
    replace(reading, plot.series.map(({ name, title }) => h("span", { class: `key kind-${name} line-${name}` }, title)));
  };
  drawing.addEventListener("pointermove", (event) => {
    const box = drawing.getBoundingClientRect();
    read(Math.floor((((event.clientX - box.left) / box.width) * plot.axis.width - edge.left) / (innerWidth(plot.axis) / count)));
  });
  drawing.addEventListener("pointerleave", rest);
  drawing.addEventListener("blur", rest);
  drawing.addEventListener("keydown", (event) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!move) return;
    event.preventDefault();
    read(at + move);
  });
  rest();
  return h("figure", { class: "plot-box" }, h("figcaption", null, h("h2", null, plot.title), reading), drawing, table(plot));
}

function summary({ title, unit, axis, series }) {
  const told = series.map(({ title: name, values }) => {
    const known = values.filter((value) => value !== null);
    return known.length ? `${name}: at most ${unit(Math.max(...known))}, last ${unit(known.at(-1))}` : `${name}: nothing`;
  });
  return `${title}, from ${exact.format(axis.start)} to ${exact.format(axis.start + axis.step * axis.count)}. ${told.join("; ")}. Arrow keys read it off.`;
}

function table(plot) {
  const details = h("details", { class: "plot-table" }, h("summary", null, "As a table"));
  details.addEventListener("toggle", () => {
    if (!details.open || details.childElementCount > 1) return;
    const { start, step } = plot.axis;
    const rows = [...plot.series[0].values.keys()].filter((place) => plot.series.some(({ values }) => values[place]));
    details.append(h("table", null, h("thead", null, h("tr", null, h("th", { scope: "col" }, "Time"), plot.series.map(({ title }) => h("th", { scope: "col" }, title)))),
      h("tbody", null, rows.map((place) => h("tr", null, h("th", { scope: "row" }, exact.format(start + place * step)), plot.series.map(({ values }) => h("td", null, values[place] === null ? "–" : plot.unit(values[place]))))))));
  });
  return details;
}

/** The next number that people count to. */
function ceiling(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? value;
}

function decades(values) {
  const least = 10 ** Math.floor(Math.log10(Math.max(0.01, Math.min(...values))));
  return [least, Math.max(least * 10, 10 ** Math.ceil(Math.log10(Math.max(0.01, ...values))))];
}

function powers(least, most) {
  const found = [];
  for (let value = least; value <= most * 1.001; value *= 10) found.push(value);
  return found;
}
