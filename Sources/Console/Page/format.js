// Numbers and times as people read them.

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const full = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const grouped = new Intl.NumberFormat("en");

export const number = (value) => grouped.format(value);

/** The time of day, and the day if it is another one. */
export function time(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return "–";
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? clock.format(date) : `${day.format(date)} ${clock.format(date)}`;
}

export function fullTime(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? "–" : full.format(date);
}

export function ago(text) {
  const seconds = (Date.now() - new Date(text).getTime()) / 1000;
  if (!Number.isFinite(seconds)) return "never";
  if (seconds < 5) return "now";
  if (seconds < 60) return `${Math.round(seconds)} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86400)} d ago`;
}

export function bytes(count) {
  if (count === null || count === undefined) return "–";
  if (count < 1000) return `${count} B`;
  const units = ["kB", "MB", "GB"];
  let value = count / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function milliseconds(value) {
  if (value === null || value === undefined) return "–";
  if (value < 0.05) return "0 ms";
  if (value < 1) return `${value.toFixed(1)} ms`;
  if (value < 10) return `${value.toFixed(1)} ms`;
  if (value < 1000) return `${Math.round(value)} ms`;
  if (value < 60000) return `${(value / 1000).toFixed(value < 10000 ? 2 : 1)} s`;
  return `${(value / 60000).toFixed(1)} min`;
}

export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** A URL in its parts; what is no URL is all path. */
export function parts(url) {
  const cut = /^([a-z]+):\/\/([^/?#]*)(.*)$/i.exec(url ?? "");
  return cut ? { scheme: cut[1], host: cut[2], path: cut[3] || "/" } : { scheme: "", host: "", path: url ?? "" };
}
