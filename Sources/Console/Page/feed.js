// Exchanges as they end, from the console's events. The browser reconnects by itself; what came meanwhile is told as a gap.

export class Feed {
  #source = null;
  #waiting = [];
  #scheduled = false;
  #wasOpen = false;

  /** `records` takes what came since the last frame, `gap` is told that some may be missing, `state` that it is open or not. */
  constructor({ records, gap, state }) {
    this.records = records;
    this.gap = gap;
    this.state = state;
  }

  open() {
    this.#source = new EventSource("/api/events");
    this.#source.addEventListener("exchange", (event) => this.#came(event.data));
    this.#source.addEventListener("lost", () => this.gap());
    this.#source.addEventListener("open", () => {
      this.state("open");
      if (this.#wasOpen) this.gap();
      this.#wasOpen = true;
    });
    this.#source.addEventListener("error", () => {
      this.state("closed");
      // A browser gives up on an answer that is none of events, such as 401 or 503.
      if (this.#source.readyState === EventSource.CLOSED) setTimeout(() => this.#reopen(), 3000);
    });
  }

  #reopen() {
    this.#source.close();
    this.#wasOpen = true;
    this.open();
  }

  #came(text) {
    try {
      this.#waiting.push(JSON.parse(text));
    } catch {
      return;
    }
    // A page in the background paints nothing: it keeps the newest and forgets the rest.
    if (this.#waiting.length > 2000) {
      this.#waiting = [];
      this.gap();
    }
    if (this.#scheduled) return;
    this.#scheduled = true;
    setTimeout(() => this.#deliver(), 60);
  }

  #deliver() {
    this.#scheduled = false;
    const records = this.#waiting;
    this.#waiting = [];
    if (records.length) this.records(records);
  }
}
