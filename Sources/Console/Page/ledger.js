// The exchanges of the list, newest first: those that came live, and below them pages of the history, fetched when they are looked at
// and forgotten when they are far away. Memory does not grow with the history.

import { get, query } from "./api.js";
import { fits } from "./filter.js";

const pageSize = 100;
const pagesKept = 24;
const liveKept = 400;
/** Rows are laid out by height, and browsers bound that. */
const rowsShown = 400_000;

export class Ledger {
  filter = {};
  /** Exchanges that are shown, and those that came since and are not. */
  count = 0;
  waiting = 0;
  /** More may have come than were counted. */
  hasMissed = false;
  isComplete = true;
  #live = [];
  #liveIds = new Set();
  #pages = new Map();
  #start = null;
  #stored = 0;
  #generation = 0;
  #loading = new Set();

  /** `changed` is called when something can be seen, `failed` with the reason when the console refuses. */
  constructor(changed, failed) {
    this.changed = changed;
    this.failed = failed;
  }

  /** Reads from the top, by this filter. */
  async load(filter = this.filter) {
    const generation = ++this.#generation;
    this.filter = filter;
    try {
      const page = await get(`/api/exchanges${query({ ...filter, limit: pageSize })}`);
      if (generation !== this.#generation) return;
      const isAll = page.next === null || page.next === undefined;
      const count = isAll ? page.exchanges.length : (await get(`/api/exchanges/count${query({ ...filter, cursor: page.start })}`)).count;
      if (generation !== this.#generation) return;
      this.#reset(page, count);
    } catch (fault) {
      if (generation === this.#generation) this.failed(fault);
    }
  }

  #reset(page, count) {
    this.#live = [];
    this.#liveIds = new Set(page.exchanges.map((record) => record.id));
    this.#pages = new Map([[0, page.exchanges]]);
    this.#loading.clear();
    this.#start = page.start;
    this.#stored = Math.min(count, rowsShown);
    this.isComplete = count <= rowsShown;
    this.waiting = 0;
    this.hasMissed = false;
    this.#recount();
  }

  #recount() {
    this.count = this.#live.length + this.#stored;
    this.changed();
  }

  /** Takes new exchanges: at once on top, or as a number only while somebody reads further down. */
  add(records, isFollowing) {
    const fitting = records.filter((record) => fits(this.filter, record) && !this.#liveIds.has(record.id));
    if (!fitting.length) return;
    if (!isFollowing) {
      this.waiting += fitting.length;
      return this.changed();
    }
    for (const record of fitting) this.#liveIds.add(record.id);
    this.#live.unshift(...fitting.reverse());
    if (this.#live.length > liveKept) return void this.load();
    this.#recount();
  }

  /** Some may have come that nobody told of. */
  missed() {
    this.waiting = Math.max(1, this.waiting);
    this.hasMissed = true;
    this.changed();
  }

  /** The exchange of a row; undefined: it is being fetched. */
  at(row) {
    if (row < this.#live.length) return this.#live[row];
    const place = row - this.#live.length;
    const number = Math.floor(place / pageSize);
    const page = this.#pages.get(number);
    if (!page) return void this.#fetch(number);
    // The order of the map is the order of use.
    this.#pages.delete(number);
    this.#pages.set(number, page);
    return page[place % pageSize];
  }

  /** The row of an exchange, if it is at hand; else -1. */
  find(identifier) {
    const live = this.#live.findIndex((record) => record.id === identifier);
    if (live >= 0) return live;
    for (const [number, page] of this.#pages) {
      const place = page.findIndex((record) => record.id === identifier);
      if (place >= 0) return this.#live.length + number * pageSize + place;
    }
    return -1;
  }

  async #fetch(number) {
    if (this.#loading.has(number) || !this.#start || number * pageSize >= this.#stored) return;
    const generation = this.#generation;
    this.#loading.add(number);
    try {
      const page = await get(`/api/exchanges${query({ ...this.filter, limit: pageSize, cursor: this.#start, skip: number * pageSize })}`);
      if (generation !== this.#generation) return;
      this.#pages.set(number, page.exchanges);
      while (this.#pages.size > pagesKept) this.#pages.delete(this.#pages.keys().next().value);
      // The oldest may have given way meanwhile.
      if (page.exchanges.length < pageSize) this.#stored = Math.min(this.#stored, number * pageSize + page.exchanges.length);
      this.#recount();
    } catch (fault) {
      if (generation === this.#generation) this.failed(fault);
    } finally {
      this.#loading.delete(number);
    }
  }
}
