// What became of an exchange: one of five kinds, and why, in one sentence.

export const kinds = {
  pass: { word: "passed", many: "passed", sign: "●" },
  cached: { word: "cached", many: "cached", sign: "◆" },
  bypass: { word: "bypassed", many: "bypassed", sign: "◐" },
  fail: { word: "failed", many: "failed", sign: "▲" },
  deny: { word: "denied", many: "denied", sign: "■" },
};

export function kind(record) {
  if (record.decision?.action === "deny") return "deny";
  if (record.error) return "fail";
  if (record.decision?.action === "bypass") return "bypass";
  return record.response?.fromCache ? "cached" : "pass";
}

export const violations = {
  cleartext: "Plain HTTP, and no key of the Info.plist permits it",
  "minimum-tls": "The origin speaks an older TLS than ATS permits",
  "forward-secrecy": "The origin chose a cipher suite without forward secrecy",
  "cipher-suite": "The origin chose a cipher suite that the system does not speak",
  "extended-master-secret": "TLS 1.2 without the extended master secret",
  "signature-algorithm": "The certificate is signed by an algorithm that is not offered",
  "key-size": "The certificate's key is too short for ATS",
  "leaf-signature-hash": "The certificate is signed with a hash below SHA-256",
  "chain-signature-hash": "A certificate of the chain is signed with a hash below SHA-256",
  trust: "The origin's certificate is not trusted",
};

const failures = {
  ServerCertificateHasBadDate: "The origin's certificate has expired",
  ServerCertificateNotYetValid: "The origin's certificate is not valid yet",
  ServerCertificateHasUnknownRoot: "No path leads from the certificate to a trusted root",
  ClientCertificateRequired: "The origin asks for a client certificate, and no identity fits",
  ClientCertificateRejected: "The origin refused the client certificate",
  CannotFindHost: "The name does not resolve",
  CannotConnectToHost: "The origin cannot be reached",
  NetworkConnectionLost: "The origin cut the answer short",
  TimedOut: "The origin did not answer in time",
  TooManyRedirects: "The request came back to this proxy",
};

/** Why it came out so, short enough for a row. */
export function why(record) {
  if (record.error) return reason(record);
  const { action, decidedBy, rule } = record.decision ?? {};
  if (record.response?.fromCache) return "Answered from the picture cache";
  if (action === "bypass") return decidedBy === "whitelist" ? "On the whitelist, passed on unseen" : `Bypassed by ${rule ? `the rule ${rule}` : "default"}`;
  return passed(record);
}

function reason({ error, decision, ats }) {
  if (decision?.decidedBy === "rule") return `Rejected by the rule ${decision.rule}`;
  if (/pin/i.test(error.detail) && /matches/.test(error.detail)) return "No certificate of the chain matches a pin";
  const objection = (ats?.violations ?? []).find((name) => name !== "trust" && violations[name]);
  if (objection) return violations[objection];
  return failures[error.name] ?? sentence(error.detail) ?? error.name ?? error.proxyStatus;
}

function passed({ url, origin, ats }) {
  if (/^https?:\/\/pinwarden\.internal[/:]/.test(url)) return "Our own site for devices";
  if (/^(http|ws):/.test(url) && ats?.verdict === "pass") return "Plain HTTP, which the Info.plist permits";
  const words = ats?.verdict === "pass" ? ["ATS satisfied"] : [];
  if (origin?.tls) words.push(origin.tls.version.replace("v", " "));
  if (origin?.matchedPin) words.push("pin matched");
  if (origin?.identity) words.push(`as ${origin.identity}`);
  if (ats?.verdict === "off") words.push("ATS off");
  if (ats?.verdict === "fail") words.push(`observed: ${(ats.violations ?? []).join(", ")}`);
  return words.join(", ");
}

/** The first sentence of a text. */
export function sentence(text) {
  return text ? (/^(.+?[.!?])(?=\s+[A-Z]|$)/s.exec(text)?.[1] ?? text) : null;
}

/** What decided, in words. */
export function decider({ decidedBy, rule }) {
  const words = {
    access: "who may use the proxy (access)", loop: "the guard against loops", target: "the guard of local addresses",
    rule: `the rule ${rule}`, whitelist: "the whitelist", default: "the default", ats: "App Transport Security", trust: "certificate trust",
  };
  return words[decidedBy] ?? "nothing: it did not come to a decision";
}
