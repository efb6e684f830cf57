// What the page shows stands in the hash of its address: `#/view?name=value`. So it can be kept, sent on, and gone back to.

const listeners = new Set();

export function current() {
  const [path, text] = location.hash.replace(/^#\/?/, "").split("?", 2);
  return { view: path || "traffic", values: Object.fromEntries(new URLSearchParams(text ?? "")) };
}

export function address(view, values = {}) {
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return `#/${view}${pairs.length ? `?${new URLSearchParams(pairs)}` : ""}`;
}

/** Goes there; a step that can be gone back from. */
export function go(view, values) {
  const target = address(view, values);
  if (target !== location.hash) location.hash = target;
}

/** Changes some values of the place where one is, without a step of its own. */
export function adjust(values) {
  const { view, values: before } = current();
  history.replaceState(null, "", address(view, { ...before, ...values }));
  tell();
}

export function onChange(listener) {
  listeners.add(listener);
}

function tell() {
  for (const listener of listeners) listener(current());
}

addEventListener("hashchange", tell);
