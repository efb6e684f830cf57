// A body, or what was kept of it: as a tree, a picture, text, or bytes.

import { bytes as fetchBytes } from "./api.js";
import { button, h, replace } from "./dom.js";
import { bytes as size } from "./format.js";
import { charsetOf, charsets, codings, decoded, text } from "./coding.js";
import { hex } from "./hex.js";
import { copy } from "./status.js";
import { tree } from "./tree.js";

const pictures = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/svg+xml", "image/x-icon", "image/heic"]);
const textual = /^(text\/|application\/(.*\+)?(json|xml|javascript|x-www-form-urlencoded|x-javascript|graphql))/;

export class BodyView {
  #address = null;
  #raw = null;
  #plain = null;
  #fault = null;

  constructor(record, side) {
    this.message = record[side] ?? {};
    this.path = `/api/exchanges/${record.id}/body/${side}`;
    this.type = field(this.message, "content-type");
    this.element = h("div", { class: "body" });
    this.#begin();
  }

  /** Lets go what the browser keeps for it. */
  dispose() {
    if (this.#address) URL.revokeObjectURL(this.#address);
  }

  async #begin() {
    if (!this.message.body) return void this.#say("Nothing was kept of it (bodies.capture, store).");
    if (!this.message.bytes && !this.message.body.text && !this.message.body.base64) return void this.#say("None.");
    try {
      this.#raw = await fetchBytes(this.path);
      const applied = codings(field(this.message, "content-encoding"));
      ({ bytes: this.#plain, fault: this.#fault } = await decoded(this.#raw, applied));
    } catch (fault) {
      return void this.#say(fault.message);
    }
    if (!this.#plain.length) return void this.#say("It has bytes, but none of them were kept.");
    this.#offer();
  }

  #say(words) {
    replace(this.element, h("p", { class: "hint" }, words));
  }

  #offer() {
    this.charset = charsetOf(this.type, this.#plain);
    const media = (this.type ?? "").split(";")[0].trim().toLowerCase();
    const content = text(this.#plain, this.charset);
    const json = parsed(content.text);
    const views = [];
    if (json !== undefined) views.push(["Tree", () => tree(json)]);
    if (pictures.has(media)) views.push(["Picture", () => this.#picture(media)]);
    if (textual.test(media) || json !== undefined || content.isClean) views.push(["Text", () => this.#text()]);
    views.push(["Hex", () => hex(this.#plain)]);
    const shown = h("div", { class: "body-shown" });
    const choose = (place) => {
      for (const [index, item] of [...bar.children].entries()) item.setAttribute("aria-pressed", String(index === place));
      replace(shown, views[place][1]());
    };
    const bar = h("div", { class: "chips", role: "group", "aria-label": "Show the body as" }, views.map(([name], place) => button(name, () => choose(place))));
    replace(this.element, h("div", { class: "body-bar" }, bar, h("span", { class: "hint" }, this.#about(media)),
      h("a", { class: "button small", href: this.path, download: true, title: "The bytes as they were on the wire" }, "Save")), this.#notes(), shown);
    choose(0);
  }

  #about(media) {
    const packed = this.#plain.length === this.#raw.length ? "" : ` from ${size(this.#raw.length)} ${field(this.message, "content-encoding")}`;
    return [media || "no type", `${size(this.#plain.length)}${packed}`].join(", ");
  }

  #notes() {
    const notes = [];
    if (this.message.body.truncated) notes.push(`Only the beginning was kept: ${size(this.#raw.length)} of ${size(this.message.bytes)} (bodies.capture).`);
    if (this.#fault) notes.push(this.#fault);
    return notes.map((note) => h("p", { class: "notice" }, note));
  }

  #picture(media) {
    this.#address ??= URL.createObjectURL(new Blob([this.#plain], { type: media }));
    const caption = h("figcaption", { class: "hint" });
    const image = h("img", { src: this.#address, alt: "The picture in this body", on: {
      load: () => replace(caption, `${image.naturalWidth} × ${image.naturalHeight}`),
      error: () => replace(caption, "The browser cannot show this picture: it is cut, or of a kind that it does not know."),
    } });
    return h("figure", { class: "picture" }, image, caption);
  }

  #text() {
    const shown = h("pre", { class: "text", tabindex: "0", "aria-label": "Body as text" });
    const draw = () => {
      const content = text(this.#plain, select.value);
      shown.textContent = content.text;
    };
    const known = [...new Set([this.charset, ...charsets])];
    const select = h("select", { "aria-label": "Charset", on: { change: draw } }, known.map((name) => h("option", { value: name }, name)));
    draw();
    return [h("div", { class: "row-of" }, h("label", { class: "hint" }, "Charset ", select), button("Copy", () => copy(shown.textContent, "The text"), { class: "small" })), shown];
  }
}

function field(message, name) {
  return message.headers?.find((header) => header.name.toLowerCase() === name)?.value ?? null;
}

/** undefined: it is no JSON object or array. */
function parsed(content) {
  if (!/^\s*[[{]/.test(content)) return undefined;
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
