// A property list as XML, as it stands in an Info.plist.

const escaped = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function element(value, indent) {
  if (typeof value === "boolean") return `${indent}<${value}/>`;
  if (typeof value === "number") return Number.isInteger(value) ? `${indent}<integer>${value}</integer>` : `${indent}<real>${value}</real>`;
  if (Array.isArray(value)) return value.length ? `${indent}<array>\n${value.map((item) => element(item, `${indent}  `)).join("\n")}\n${indent}</array>` : `${indent}<array/>`;
  if (value && typeof value === "object") return dictionary(value, indent);
  return `${indent}<string>${escaped(value ?? "")}</string>`;
}

function dictionary(members, indent) {
  const entries = Object.entries(members);
  if (!entries.length) return `${indent}<dict/>`;
  const lines = entries.map(([key, value]) => `${indent}  <key>${escaped(key)}</key>\n${element(value, `${indent}  `)}`);
  return `${indent}<dict>\n${lines.join("\n")}\n${indent}</dict>`;
}

/** The value under a key of its own. */
export const plist = (value, key) => `<key>${escaped(key)}</key>\n${element(value, "")}`;
