/**
 * The service, in Pyodide: the same for a worker of a page and for Node. It takes and gives bytes.
 */

import type { PyodideAPI } from "pyodide";

/** Where the service's Python lies, within Pyodide. */
const HOME = "/emeth";

/** How long the judge works before it tells how far it is, in seconds. */
const SLICE = 0.25;

export interface Progress {
  done: number;
  total: number;
}

/** What was found in the file of a match. */
export interface Verdict {
  sound: boolean;
  match_id: string;
  game: string;
  events: number;
  digest: string;
  unproven_draws: number;
  key: string;
  signed_by: string;
  taps: number;
  lost_taps: number;
  /** The version up to which the match can be looked at; 0 if it cannot. */
  shown_until: number;
  findings: Finding[];
}

export interface Finding {
  version: number;
  check: string;
  sentence: string;
  rule: string;
  /** As `emeth verify` prints it. */
  line: string;
  meaning: string;
  rule_meaning: string;
  rule_source: string;
}

interface Bridge {
  start(): Promise<void>;
  unary(method: string, token: string, request: unknown): Promise<{ toJs(): [boolean, Uint8Array] }>;
  watch(number: number, method: string, token: string, request: unknown, push: Push): void;
  stop(number: number): void;
  judge(raw: unknown): void;
  go_on(seconds: number): { toJs(): Uint8Array };
  verdict(): Promise<{ toJs(): Uint8Array }>;
}
type Push = (word: "each" | "end" | "failed", raw: { toJs(): Uint8Array }) => void;

/** Unpack the service into Pyodide and start it. */
export async function started(
  pyodide: PyodideAPI,
  archive: Uint8Array,
  secret: Uint8Array,
): Promise<Engine> {
  pyodide.unpackArchive(copied(archive), "zip", { extractDir: HOME });
  const start = pyodide.runPython(`
    import sys
    sys.path.insert(0, "${HOME}")
    from services.offline.bridge import Bridge
    Bridge
  `) as (secret: unknown, folder: string) => Bridge;
  const bridge = start(bytes(pyodide, secret), "/data");
  await bridge.start();
  return new Engine(pyodide, bridge);
}

export class Engine {
  readonly #pyodide: PyodideAPI;
  readonly #bridge: Bridge;

  constructor(pyodide: PyodideAPI, bridge: Bridge) {
    this.#pyodide = pyodide;
    this.#bridge = bridge;
  }

  /** A call's answer, or why it failed, as JSON. */
  async unary(method: string, token: string, request: Uint8Array): Promise<[boolean, Uint8Array]> {
    return (await this.#bridge.unary(method, token, bytes(this.#pyodide, request))).toJs();
  }

  /** A call with many answers, until `stop`. */
  watch(
    number: number,
    method: string,
    token: string,
    request: Uint8Array,
    push: (word: "each" | "end" | "failed", raw: Uint8Array) => void,
  ): void {
    const told: Push = (word, raw) => push(word, raw.toJs());
    this.#bridge.watch(number, method, token, bytes(this.#pyodide, request), told);
  }

  stop(number: number): void {
    this.#bridge.stop(number);
  }

  /** Judge a file; `heard` is told now and then how far it is. */
  async judge(raw: Uint8Array, heard: (progress: Progress) => void): Promise<Verdict> {
    this.#bridge.judge(bytes(this.#pyodide, raw));
    for (;;) {
      const progress = json<Progress | null>(this.#bridge.go_on(SLICE).toJs());
      if (progress === null) break;
      heard(progress);
      // Who else waits for this thread may go on.
      await new Promise((resolve) => setTimeout(resolve));
    }
    return json<Verdict>((await this.#bridge.verdict()).toJs());
  }
}

function bytes(pyodide: PyodideAPI, raw: Uint8Array): unknown {
  return pyodide.toPy(new Uint8Array(raw)) as unknown;
}

/** A buffer of its own: Pyodide takes no view into another, as Node's are. */
function copied(raw: Uint8Array): ArrayBuffer {
  return new Uint8Array(raw).buffer;
}

function json<T>(raw: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(raw)) as T;
}
