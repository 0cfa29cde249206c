/** The service of this page, as its other parts see it: a client like any other, and the judge. */

import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { DescMessage, DescMethod, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { asEmethError, Emeth } from "../client/index.ts";
import type { Progress, Verdict } from "./engine.ts";
import type { Asked, Runtime, Told } from "./worker.ts";

/** The token of whoever looks at a match from a file: the page has all that is in it anyway. */
export const TRUSTED = "as:referee";

type Heard = (told: Told) => void;

export class PageService {
  readonly emeth: Emeth;
  readonly #worker: Worker;
  readonly #heard = new Map<number, Heard>();
  #last = 0;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.emeth = new Emeth({ baseUrl: "", client: "page/1", transport: (token) => this.#transport(token) });
  }

  /** Start it in a worker. Throws Error with what is wrong. */
  static start(make: () => Worker, runtime: Runtime): Promise<PageService> {
    const worker = make();
    const service = new PageService(worker);
    return new Promise((resolve, reject) => {
      const broken = (why: string): void => reject(new Error(why));
      worker.addEventListener("error", ({ message }) => broken(message || "the worker does not start"));
      worker.addEventListener("message", ({ data }: MessageEvent<Told>) => {
        if (data.kind === "ready") resolve(service);
        else if (data.kind === "broken") broken(data.why);
        else service.#heard.get(data.id)?.(data);
      });
      worker.postMessage({ kind: "start", runtime } satisfies Asked);
    });
  }

  /** Judge a file; `heard` is told now and then how far it is. */
  judge(file: Uint8Array, heard: (progress: Progress) => void): Promise<Verdict> {
    return new Promise((resolve) => {
      const id = this.#ask((told) => {
        if (told.kind === "progress") heard(told.progress);
        if (told.kind !== "verdict") return;
        this.#heard.delete(id);
        resolve(told.verdict);
      });
      this.#send({ kind: "judge", id, file });
    });
  }

  #ask(heard: Heard): number {
    this.#last += 1;
    this.#heard.set(this.#last, heard);
    return this.#last;
  }

  #send(asked: Asked): void {
    this.#worker.postMessage(asked);
  }

  #unary(method: string, token: string, request: Uint8Array): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const id = this.#ask((told) => {
        if (told.kind !== "answer") return;
        this.#heard.delete(id);
        if (told.ok) resolve(told.raw);
        else reject(failed(told.raw));
      });
      this.#send({ kind: "unary", id, method, token, request });
    });
  }

  async *#watch(
    method: string,
    token: string,
    request: Uint8Array,
    signal?: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const come: Told[] = [];
    let wake = (): void => {};
    const id = this.#ask((told) => {
      come.push(told);
      wake();
    });
    const gone = (): void => wake();
    signal?.addEventListener("abort", gone);
    this.#send({ kind: "watch", id, method, token, request });
    try {
      while (!signal?.aborted) {
        const told = come.shift();
        if (!told) await new Promise<void>((resolve) => (wake = resolve));
        else if (told.kind === "each") yield told.raw;
        else if (told.kind === "failed") throw failed(told.raw);
        else return;
      }
      throw asEmethError(new ConnectError("nobody waits any more", Code.Canceled));
    } finally {
      signal?.removeEventListener("abort", gone);
      this.#heard.delete(id);
      this.#send({ kind: "stop", id });
    }
  }

  /** What carries calls to the worker in place of the network. */
  #transport(token = ""): Transport {
    const name = (method: DescMethod): string => `${method.parent.typeName}/${method.name}`;
    const nothing = { header: new Headers(), trailer: new Headers() };
    return {
      unary: async (method, _signal, _timeout, _header, input) => {
        const raw = await this.#unary(name(method), token, written(method.input, input));
        const message = fromBinary(method.output, raw);
        return { stream: false, service: method.parent, method, message, ...nothing };
      },
      stream: async (method, signal, _timeout, _header, input) => {
        let request: Uint8Array = new Uint8Array();
        for await (const each of input) request = written(method.input, each);
        const answers = this.#watch(name(method), token, request, signal);
        async function* messages() {
          for await (const raw of answers) yield fromBinary(method.output, raw);
        }
        return { stream: true, service: method.parent, method, message: messages(), ...nothing };
      },
    };
  }
}

function written<I extends DescMessage>(kind: I, input: MessageInitShape<I>): Uint8Array {
  return toBinary(kind, create(kind, input));
}

/** Why a call failed, as the service tells it. */
function failed(raw: Uint8Array): Error {
  const told = JSON.parse(new TextDecoder().decode(raw)) as {
    code: Code;
    message: string;
    details: { type: string; value: string }[];
  };
  const error = new ConnectError(told.message, told.code);
  error.details = told.details.map(({ type, value }) => ({
    type,
    value: Uint8Array.from(atob(value), (sign) => sign.charCodeAt(0)),
  }));
  return asEmethError(error);
}
