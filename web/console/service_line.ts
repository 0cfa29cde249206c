/**
 * Does the service answer? Whatever fails by the network is a sign that it is away: then the service
 * is asked until it answers. What pages wanted to read waits so long, and they are told of both.
 */

import type { Interceptor } from "@connectrpc/connect";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { asEmethError, Emeth } from "../client/index.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 4_000;
const SHARED = "emeth.line";

/** Fires `change` when the service is found to be away, and when it is back. */
class ServiceLine extends EventTarget {
  isLost = false;
  readonly #service: Emeth;
  readonly #channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(SHARED) : undefined;
  #asking: Promise<void> | undefined;

  constructor(baseUrl: string) {
    super();
    this.#service = new Emeth({ baseUrl });
    this.#channel?.addEventListener("message", () => void this.answered());
    addEventListener("offline", () => this.suspect());
  }

  /** Something has failed: see what there is to it. Other pages of the browser look, too. */
  suspect(): void {
    if (this.#asking) return;
    this.#channel?.postMessage("");
    void this.answered();
  }

  /** Until the service has answered. */
  answered(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #ask(): Promise<void> {
    for (let wait = FIRST_WAIT_MS; !(await this.#answers()); wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      this.#set(true);
      await pause(wait);
    }
    this.#set(false);
  }

  async #answers(): Promise<boolean> {
    try {
      await this.#service.games.listGames({});
      return true;
    } catch (failure) {
      return !asEmethError(failure).unreached;
    }
  }

  #set(isLost: boolean): void {
    if (isLost === this.isLost) return;
    this.isLost = isLost;
    this.dispatchEvent(new Event("change"));
  }

  /** Has calls tell what fails; those that only read wait until the service answers, and are made again. */
  readonly watching: Interceptor = (next) => async (request) => {
    // One call may fail though the service answers others: it is not asked without end at once.
    for (let wait = 0; ; wait = Math.min(2 * wait || FIRST_WAIT_MS, LONGEST_WAIT_MS)) {
      try {
        const answer = await next(request);
        return answer.stream ? { ...answer, message: this.#heard(answer.message) } : answer;
      } catch (failure) {
        if (!asEmethError(failure).unreached || request.signal.aborted) throw failure;
        this.suspect();
        const isRead = request.method.idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS;
        if (request.stream || !isRead) throw failure;
        await this.answered();
        await pause(wait);
      }
    }
  };

  async *#heard<T>(messages: AsyncIterable<T>): AsyncIterable<T> {
    try {
      yield* messages;
    } catch (failure) {
      if (asEmethError(failure).unreached) this.suspect();
      throw failure;
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The connection of these pages to their service. */
export const serviceLine = new ServiceLine(location.origin);
