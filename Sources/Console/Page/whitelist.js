// The origins that are passed on unseen. A change holds at once, and over restarts.

import { get, send } from "./api.js";
import { button, code, h, replace } from "./dom.js";
import { plural } from "./format.js";
import { announce, tell } from "./status.js";

export class Whitelist {
  #origins = [];

  constructor() {
    this.input = h("input", { id: "whitelist-origin", name: "origin", placeholder: "https://updates.example.com", "aria-describedby": "whitelist-fault", "aria-label": "Origin to add", autocomplete: "off", spellcheck: "false", inputmode: "url" });
    this.fault = h("p", { class: "fault", id: "whitelist-fault", role: "alert" });
    this.list = h("ul", { class: "origins", "aria-label": "Whitelisted origins" });
    this.element = h("section", { class: "card whitelist", "aria-labelledby": "whitelist-title" }, h("h2", { id: "whitelist-title" }, "Whitelist"),
      h("p", { class: "hint" }, "These origins are not intercepted: the device talks to them as if there were no proxy. From the first change on this list counts in place of ", code("rules.whitelist"), "."),
      h("form", { class: "row-of", novalidate: true, on: { submit: (event) => this.#submitted(event) } }, this.input, h("button", { class: "primary", id: "whitelist-add" }, "Add")), this.fault, this.list);
  }

  async read() {
    try {
      this.#use(await get("/api/whitelist"));
    } catch (fault) {
      this.fault.textContent = fault.message;
    }
  }

  #use(origins) {
    this.#origins = origins;
    replace(this.list, origins.length ? origins.map((origin) => h("li", null, code(origin), button("Remove", () => this.#remove(origin), { class: "small", "aria-label": `Remove ${origin}` }))) : h("li", { class: "hint" }, "It is empty."));
  }

  #submitted(event) {
    event.preventDefault();
    const origin = this.input.value.trim();
    if (!origin) return this.#refuse("Name an origin, such as https://updates.example.com.");
    if (this.#origins.includes(origin)) return this.#refuse("It is on the list already.");
    this.#put([...this.#origins, origin], `${origin} is on the whitelist.`);
  }

  async #remove(origin) {
    const place = this.#origins.indexOf(origin);
    await this.#put(this.#origins.filter((other) => other !== origin), `${origin} is off the whitelist.`);
    (this.list.querySelectorAll("button")[Math.max(0, place - 1)] ?? this.input).focus();
  }

  async #put(origins, told) {
    try {
      this.#use(await send("PUT", "/api/whitelist", origins));
      this.input.value = "";
      this.input.removeAttribute("aria-invalid");
      this.fault.textContent = "";
      tell(told);
      announce(`${told} ${plural(this.#origins.length, "origin")} in all.`);
    } catch (fault) {
      this.#refuse(fault.message.replace(/^\[\d+\] /, ""));
    }
  }

  #refuse(reason) {
    this.fault.textContent = reason;
    this.input.setAttribute("aria-invalid", "true");
    this.input.focus();
  }
}
