/**
 * A gateway in a page: sends taps exactly once, over bad lines too, and holds what the screens of its
 * styluses show. Browsers do not stream both ways, so it listens by one call and sends by others.
 */

import { create, fromJson, type JsonValue, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { type Emeth, requestId } from "./emeth.ts";
import { asEmethError, type EmethError } from "./errors.ts";
import { Unanswered } from "./unanswered.ts";
import {
  type ConnectRequestSchema,
  type ConnectResponse,
  type DevicePrompt,
  type Tap as TapMessage,
  TapSchema as Tap,
} from "./wire/emeth/devices/v1/connections_pb.js";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
/** Messages that one Send may have. */
const MOST_SENT = 100;

type Message = MessageInitShape<typeof ConnectRequestSchema>;
export type GatewayLine = "opening" | "up" | "lost";

/** Fires `change` when a screen or the line is different, and `ended` if its key is not good. */
export class Gateway extends EventTarget {
  /** What the screen of each stylus shows, by the stylus's hardware id. */
  readonly prompts = new Map<string, DevicePrompt>();
  line: GatewayLine = "opening";
  readonly #service: Emeth;
  readonly #id: string;
  readonly #stop = new AbortController();
  /** A new run for each page, unless the page that was here before was cut off with taps to send. */
  #epoch = requestId();
  /** Taps that are not acknowledged, in order. */
  #kept: TapMessage[] = [];
  #last = 0;
  #sent = 0;
  #sending = false;
  readonly #unanswered: Unanswered;

  /** `service` has the gateway's key as its token. */
  constructor(service: Emeth) {
    super();
    this.#service = service;
    this.#id = (service.options.token ?? "").split(".").slice(0, -1).join(".");
    this.#unanswered = new Unanswered(`gateway ${this.#id}`);
    this.#takeUp(this.#unanswered.text);
  }

  /** Go on with the run of the page that was here before this one. */
  #takeUp(cut?: string): void {
    if (cut === undefined) return;
    const { epoch, taps } = JSON.parse(cut) as { epoch: string; taps: JsonValue[] };
    this.#epoch = epoch;
    this.#kept = taps.map((tap) => fromJson(Tap, tap));
    this.#last = this.#kept.at(-1)?.seq ?? 0;
  }

  /** Have the tab know what is on its way. */
  #note(): void {
    const taps = this.#kept.map((tap) => toJson(Tap, tap));
    const text = JSON.stringify({ epoch: this.#epoch, taps });
    this.#unanswered.text = taps.length ? text : undefined;
  }

  /** Listen until `close`; a line that breaks is taken up again. */
  async open(): Promise<void> {
    const { signal } = this.#stop;
    let wait = FIRST_WAIT_MS;
    while (!signal.aborted) {
      try {
        const hello = {
          gatewayId: this.#id,
          epoch: this.#epoch,
          firstKeptSeq: this.#firstKept,
          locale: locale(),
        };
        const answers = this.#service.gateways.listen({ hello }, { signal });
        for await (const { response } of answers) {
          wait = FIRST_WAIT_MS;
          if (response) this.#hear(response);
        }
      } catch (failure) {
        const error = asEmethError(failure);
        if (signal.aborted) return;
        // A proxy may end a stream with any code. What the service itself says has a reason.
        const isBroken = this.line === "up" && error.reason === "";
        if (!error.passing && !isBroken) {
          this.#end(error);
          return;
        }
      }
      this.#set("lost");
      await new Promise((resolve) => setTimeout(resolve, wait));
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }

  close(): void {
    this.#stop.abort();
  }

  /** A stylus tapped something, or one of its buttons was pressed. */
  tap(stylus: string, code: string): void {
    this.#last += 1;
    const promptNumber = this.prompts.get(stylus)?.promptNumber ?? 0;
    const offline = this.line === "lost";
    const deviceMs = BigInt(Date.now());
    const tap = { seq: this.#last, deviceMs, stylusId: stylus, code, promptNumber, offline };
    this.#kept.push(create(Tap, tap));
    this.#note();
    void this.#send();
  }

  /** How many taps the service has not acknowledged. */
  get waiting(): number {
    return this.#kept.length;
  }

  get #firstKept(): number {
    return this.#kept[0]?.seq ?? this.#last + 1;
  }

  #hear({ message }: ConnectResponse): void {
    switch (message.case) {
      case "welcome":
        this.#done(message.value.highestSeq);
        this.#sent = message.value.highestSeq;
        this.#set("up");
        void this.#send();
        return;
      case "acknowledgement":
        this.#done(message.value.highestSeq);
        break;
      case "gap":
        this.#sent = message.value.expectedSeq - 1;
        void this.#send();
        return;
      case "prompt":
        if (message.value.acknowledgedSeq) this.#done(message.value.acknowledgedSeq);
        this.prompts.set(message.value.stylusId, message.value);
        break;
      default:
        return;
    }
    this.#set(this.line);
  }

  #done(highest: number): void {
    this.#kept = this.#kept.filter(({ seq }) => seq > highest);
    if (highest > this.#last) this.#last = highest;
    this.#note();
  }

  /** Send what was not sent on this line, one call after the other. */
  async #send(): Promise<void> {
    if (this.#sending || this.line !== "up") return;
    this.#sending = true;
    try {
      for (let due = this.#due; due.length; due = this.#due) {
        const messages: Message[] = due.map((value) => ({ message: { case: "tap", value } }));
        const last = due.at(-1)?.seq ?? this.#sent;
        await this.#service.gateways.send({ epoch: this.#epoch, messages });
        if (last > this.#sent) this.#sent = last;
      }
    } catch (failure) {
      // What was not acknowledged goes again when the service has answered `hello`.
      const error = asEmethError(failure);
      if (error.passing || error.reason === "GATEWAY_NOT_LISTENING") this.#set("lost");
      else this.#end(error);
    } finally {
      this.#sending = false;
    }
  }

  get #due() {
    return this.#kept.filter(({ seq }) => seq > this.#sent).slice(0, MOST_SENT);
  }

  #set(line: GatewayLine): void {
    this.line = line;
    this.dispatchEvent(new Event("change"));
  }

  #end(error: EmethError): void {
    this.#stop.abort();
    this.line = "lost";
    this.dispatchEvent(new CustomEvent("ended", { detail: error }));
  }
}

/** The language that this page's user reads; empty if the browser gives none that is a tag of BCP 47. */
function locale(): string {
  const said = globalThis.navigator?.language ?? "";
  return said.length <= 35 && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(said) ? said : "";
}
