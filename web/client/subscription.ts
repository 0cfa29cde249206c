/** One stream for a whole page: any number of topics, which come and go, over breaks of the connection. */

import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, ConnectError } from "@connectrpc/connect";
import { asEmethError, EmethError } from "./errors.ts";
import { rest } from "./reaching.ts";
import {
  type SubscribeResponse,
  type TopicEnded,
  TopicEndReason,
  type TopicSchema,
} from "./wire/emeth/v1/subscriptions_pb.js";
import type { ViewsService } from "./wire/emeth/v1/views_pb.js";
import type { Status } from "./wire/google/rpc/status_pb.js";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** So long without a failure, a line that was lost is up. */
const UP_AFTER_MS = 1_000;

export interface FollowOptions {
  /** Ends the topic. */
  signal?: AbortSignal;
  /**
   * Is told when the line is up, and when it is lost with what was wrong: when a stream broke and could
   * not be taken up again at once.
   */
  onLine?: (up: boolean, why?: EmethError) => void;
}

type TopicInit = MessageInitShape<typeof TopicSchema>;
/** What a topic is about: a match, a lobby, a player or a table. */
export type TopicTarget = Exclude<TopicInit["target"], undefined>;

/**
 * The topics of a page, on one stream of the service. The stream is open while there is any topic. One
 * that is added joins it; a stream that breaks is opened again with the last cursor of each topic, so
 * that nothing is missed or sent twice.
 */
export class Subscription {
  readonly #views: Client<typeof ViewsService>;
  readonly #topics = new Map<string, Followed>();
  #last = 0;
  #isRunning = false;
  /** Ends the stream that is open, to open another. */
  #open: AbortController | undefined;
  /** Of the stream that is open; empty until the service has said it. */
  #id = "";
  #added: Followed[] = [];
  #removed: string[] = [];

  /** `views` has no token: each topic has its own. */
  constructor(views: Client<typeof ViewsService>) {
    this.#views = views;
  }

  /**
   * The messages of a topic, each once. Ends when `signal` says so, or when the topic is over; throws an
   * EmethError for what no waiting helps against, as a token that is not of the match.
   */
  async *follow(target: TopicTarget, token = "", options: FollowOptions = {}): AsyncGenerator<SubscribeResponse> {
    const { signal } = options;
    if (signal?.aborted) return;
    const topic = new Followed(String(++this.#last), target, token, options);
    const stop = (): void => topic.end();
    signal?.addEventListener("abort", stop);
    this.#topics.set(topic.id, topic);
    if (this.#isRunning) this.#change([topic]);
    else void this.#run();
    try {
      for (;;) {
        const response = await topic.next();
        if (!response) return;
        yield response;
      }
    } finally {
      signal?.removeEventListener("abort", stop);
      this.#topics.delete(topic.id);
      if (!this.#topics.size) this.#open?.abort();
      else if (!topic.isOver) this.#change([], [topic.id]);
    }
  }

  /** Keep a stream open while there are topics. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    let wait = FIRST_WAIT_MS;
    /** In a row. The first is no news: proxies end streams that show nothing for long. */
    let failures = 0;
    let hasBegun = false;
    while (this.#topics.size) {
      let why: EmethError | undefined;
      const up = (): void => {
        clearTimeout(still);
        failures = 0;
        this.#line(true);
      };
      // A stream on which nothing comes is up if it has not failed for a while.
      const still = setTimeout(up, failures ? UP_AFTER_MS : 0);
      const open = (this.#open = new AbortController());
      const sent = [...this.#topics.values()];
      this.#added = [];
      this.#removed = [];
      try {
        const topics = sent.map((topic) => topic.asked);
        for await (const response of this.#views.subscribe({ topics }, { signal: open.signal })) {
          wait = FIRST_WAIT_MS;
          hasBegun = true;
          if (failures) up();
          this.#take(response);
        }
      } catch (failure) {
        why = asEmethError(failure);
        // A proxy may end a stream with any code. What the service itself says has a reason.
        const isBroken = hasBegun && why.reason === "";
        if (!open.signal.aborted && !why.passing && !isBroken) {
          for (const topic of this.#topics.values()) topic.fail(why);
          this.#topics.clear();
        }
      } finally {
        clearTimeout(still);
        this.#id = "";
      }
      if (!this.#topics.size || open.signal.aborted) continue;
      failures += 1;
      if (failures > 1) this.#line(false, why);
      await rest(wait, why, open.signal);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
    this.#isRunning = false;
  }

  #line(up: boolean, why?: EmethError): void {
    for (const { options } of this.#topics.values()) options.onLine?.(up, why);
  }

  #take(response: SubscribeResponse): void {
    const { event } = response;
    if (event.case === "subscriptionStarted") {
      this.#id = event.value.subscriptionId;
      this.#flush();
      return;
    }
    const topic = this.#topics.get(response.topicId);
    if (!topic) return;
    topic.cursor = response.cursor || topic.cursor;
    if (event.case === "topicEnded") this.#ended(topic, event.value);
    else topic.put(response);
  }

  #ended(topic: Followed, { reason, error }: TopicEnded): void {
    if (reason === TopicEndReason.REMOVED) return;
    const why = error && topicError(error);
    if (why?.passing) {
      // As one whose stream broke: it is taken up again in a while.
      void rest(LONGEST_WAIT_MS / 4, why).then(() => this.#topics.has(topic.id) && this.#change([topic]));
      return;
    }
    topic.isOver = true;
    if (why) topic.fail(why);
    else topic.end();
  }

  /** Have the stream that is open follow other topics; what comes at once goes in one call. */
  #change(added: Followed[], removed: string[] = []): void {
    if (!this.#added.length && !this.#removed.length) setTimeout(() => this.#flush());
    this.#added.push(...added);
    this.#removed.push(...removed);
  }

  #flush(): void {
    // Until the stream has its id, they wait; without topics it is about to end.
    if (!this.#id || !this.#topics.size || (!this.#added.length && !this.#removed.length)) return;
    const add = this.#added.filter(({ id }) => this.#topics.has(id)).map((topic) => topic.asked);
    const request = { subscriptionId: this.#id, add, remove: this.#removed };
    const open = this.#open;
    this.#added = [];
    this.#removed = [];
    // Where that fails, as at another replica, a new stream has all topics.
    this.#views.updateSubscription(request).catch(() => open?.abort());
  }
}

/** One topic, and its messages that were not taken yet. */
class Followed {
  readonly id: string;
  readonly options: FollowOptions;
  cursor = "";
  /** Has the service ended it? */
  isOver = false;
  readonly #target: TopicTarget;
  readonly #token: string;
  readonly #messages: SubscribeResponse[] = [];
  #hasEnded = false;
  #why: EmethError | undefined;
  #wake: (() => void) | undefined;

  constructor(id: string, target: TopicTarget, token: string, options: FollowOptions) {
    this.id = id;
    this.#target = target;
    this.#token = token;
    this.options = options;
  }

  /** The topic as it is asked for now. */
  get asked(): TopicInit {
    return { topicId: this.id, target: this.#target, token: this.#token, cursor: this.cursor };
  }

  put(message: SubscribeResponse): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  fail(why: EmethError): void {
    this.#why = why;
    this.end();
  }

  /** The next message; undefined at the end. */
  async next(): Promise<SubscribeResponse | undefined> {
    while (!this.options.signal?.aborted) {
      const message = this.#messages.shift();
      if (message) return message;
      if (this.#why) throw this.#why;
      if (this.#hasEnded) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return undefined;
  }
}

/** The error of a topic, as one of a call. */
function topicError({ code, message, details }: Status): EmethError {
  const error = new ConnectError(message, code);
  error.details = details.map(({ typeUrl, value }) => ({ type: typeUrl.slice(typeUrl.lastIndexOf("/") + 1), value }));
  return new EmethError(error);
}
