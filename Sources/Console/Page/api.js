// Questions to the console. A session that has ended leads to the login page.

/** What the console refused, in its own words. */
export class Refusal extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(path, { credentials: "same-origin", cache: "no-store", ...options });
  } catch (fault) {
    if (fault.name === "AbortError") throw fault;
    throw new Refusal(0, "The daemon does not answer. Is it running?");
  }
  if (answer.status === 401) {
    location.assign("/");
    throw new Refusal(401, "The session has ended.");
  }
  if (!answer.ok) throw new Refusal(answer.status, await detail(answer));
  return answer;
}

async function detail(answer) {
  try {
    return (await answer.json()).detail ?? `The console answered ${answer.status}.`;
  } catch {
    return `The console answered ${answer.status}.`;
  }
}

/** A query string of the members that have a value. */
export function query(members) {
  const pairs = Object.entries(members).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return pairs.length ? `?${new URLSearchParams(pairs)}` : "";
}

export const get = async (path, signal) => (await ask(path, { signal })).json();

export const bytes = async (path, signal) => new Uint8Array(await (await ask(path, { signal })).arrayBuffer());

export const send = async (method, path, document) =>
  (await ask(path, {
    method,
    headers: document === undefined ? {} : { "Content-Type": "application/json" },
    body: document === undefined ? undefined : JSON.stringify(document),
  })).json();
