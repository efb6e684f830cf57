// From the bytes on the wire to those that were meant, and on to text.

/** More than this of what comes out is not wanted here. */
const limit = 8 << 20;

export const charsets = ["utf-8", "gb18030", "big5", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "windows-1252", "iso-8859-2", "windows-1251", "koi8-r", "utf-16le", "utf-16be"];

/** The content codings, in the order in which they were put on. */
export function codings(value) {
  return (value ?? "").split(",").map((name) => name.trim().toLowerCase()).filter((name) => name && name !== "identity");
}

/** Takes the codings off; `fault` says in words why not all of it is there. */
export async function decoded(bytes, names) {
  let plain = bytes;
  for (const name of [...names].reverse()) {
    const result = await undone(plain, name);
    if (!result.bytes) return { bytes: plain, fault: result.fault };
    plain = result.bytes;
    if (result.fault) return { bytes: plain, fault: result.fault };
  }
  return { bytes: plain, fault: null };
}

const formats = { gzip: ["gzip"], "x-gzip": ["gzip"], deflate: ["deflate", "deflate-raw"], br: ["brotli"], zstd: ["zstd"] };

async function undone(bytes, name) {
  let fault = `This browser cannot undo the content coding “${name}”: these are the coded bytes.`;
  for (const format of formats[name] ?? []) {
    let stream;
    try {
      stream = new DecompressionStream(format);
    } catch {
      continue;
    }
    const result = await through(stream, bytes);
    if (result.bytes.length || result.isWhole) return { bytes: result.bytes, fault: result.isWhole ? null : `The ${name} data ends early; this is what it holds so far.` };
    fault = `The body says that it is ${name}, but it is not.`;
  }
  return { bytes: null, fault };
}

async function through(stream, bytes) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const pieces = [];
  let count = 0;
  let isWhole = false;
  try {
    while (count < limit) {
      const { value, done } = await reader.read();
      if (done) {
        isWhole = true;
        break;
      }
      pieces.push(value);
      count += value.length;
    }
    if (!isWhole) await reader.cancel();
  } catch {
    // What came before is kept.
  }
  const all = new Uint8Array(count);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return { bytes: all, isWhole };
}

/** The charset: by a byte order mark, the content type, or what the text itself says; else UTF-8. */
export function charsetOf(type, bytes) {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const named = /charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? "")?.[1];
  if (named && isKnown(named)) return named.toLowerCase();
  const begin = new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024));
  const told = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i.exec(begin)?.[1] ?? /^<\?xml[^>]+encoding\s*=\s*["']([\w-]+)/i.exec(begin)?.[1];
  return told && isKnown(told) ? told.toLowerCase() : "utf-8";
}

function isKnown(charset) {
  try {
    new TextDecoder(charset);
    return true;
  } catch {
    return false;
  }
}

/** `isClean`: no byte was without meaning, and it holds no control characters that text has not. */
export function text(bytes, charset) {
  const content = new TextDecoder(charset).decode(bytes);
  const isClean = !/[\u0000-\u0008\u000e-\u001a\ufffd]/.test(content.slice(0, 4096));
  return { text: content, isClean };
}
