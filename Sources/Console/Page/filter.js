// What the list is narrowed to: the console's own parameters, typed as `host:a.test status:403 words`.

const names = ["host", "status", "verdict", "lane", "client"];
export const verdicts = ["intercept", "bypass", "deny", "pass", "fail", "off", "error"];

/** The members of a filter that the address holds. */
export function fromValues(values) {
  return Object.fromEntries([...names, "text"].filter((name) => values[name]).map((name) => [name, values[name]]));
}

/** What was typed, as members; words without a name are text. */
export function parse(line) {
  const filter = {};
  const words = [];
  for (const [, name, quoted, word] of line.matchAll(/(?:(\w+):)?(?:"([^"]*)"|(\S+))/g)) {
    const value = quoted ?? word;
    if (name && names.includes(name)) filter[name] = value;
    else words.push(name ? `${name}:${value}` : value);
  }
  if (words.length) filter.text = words.join(" ");
  return filter;
}

/** The line that `parse` reads as this filter. */
export function line(filter) {
  const quoted = (value) => (/\s/.test(value) ? `"${value}"` : value);
  return [...names.filter((name) => filter[name]).map((name) => `${name}:${quoted(filter[name])}`), filter.text ?? ""].join(" ").trim();
}

/** What is wrong with a filter, or null. The console would say the same. */
export function fault(filter) {
  if (filter.status && !/^[1-9]\d\d$/.test(filter.status)) return "A status has three digits, such as status:403.";
  if (filter.verdict && !verdicts.includes(filter.verdict)) return `A verdict is one of ${verdicts.join(", ")}.`;
  return null;
}

/** Whether a record that has just come fits. */
export function fits(filter, record) {
  const host = authority(record.url);
  if (filter.host && !sameEndpoint(filter.host, host.name, host.port)) return false;
  if (filter.status && String(record.status) !== filter.status) return false;
  if (filter.lane && record.lane !== filter.lane) return false;
  if (filter.client && !sameEndpoint(filter.client, ...split(record.client))) return false;
  if (filter.verdict && !hasVerdict(filter.verdict, record)) return false;
  const searched = `${record.url}\n${record.error?.detail ?? ""}`.toLowerCase();
  return !filter.text || searched.includes(filter.text.toLowerCase());
}

function hasVerdict(verdict, record) {
  if (verdict === "error") return Boolean(record.error);
  if (["pass", "fail", "off"].includes(verdict)) return record.ats?.verdict === verdict;
  return record.decision?.action === verdict;
}

function authority(url) {
  const [, scheme, text] = /^(\w+):\/\/([^/?#]*)/.exec(url ?? "") ?? [];
  const [name, port] = split(text ?? "");
  return { name, port: port ?? ({ https: "443", wss: "443", http: "80", ws: "80" })[scheme] };
}

function split(text) {
  const cut = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text ?? "");
  return cut ? [cut[1].replace(/^\[|\]$/g, ""), cut[2]] : [text, undefined];
}

function sameEndpoint(wanted, name, port) {
  const [wantedName, wantedPort] = split(wanted.toLowerCase());
  return wantedName === name && (!wantedPort || wantedPort === port);
}
