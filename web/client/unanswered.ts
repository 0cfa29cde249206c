/**
 * What was sent and is not answered, kept for the tab: a page that is loaded again, or is lost with
 * its line, sends the same once more, by the same request id or number, and it is recorded once.
 */

const PREFIX = "emeth.unanswered.";

/** One text under a name, as long as it waits for its answer. */
export class Unanswered {
  readonly #key: string;

  constructor(name: string) {
    this.#key = PREFIX + name;
  }

  get text(): string | undefined {
    return storage()?.getItem(this.#key) ?? undefined;
  }

  set text(text: string | undefined) {
    try {
      if (text === undefined) storage()?.removeItem(this.#key);
      else storage()?.setItem(this.#key, text);
    } catch {
      // A tab that keeps nothing sends it as long as the page is there.
    }
  }
}

/** Undefined where there is none, as outside of browsers, or where nothing may be kept. */
function storage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}
