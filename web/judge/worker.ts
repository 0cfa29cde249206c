/** The thread in which the service of a page runs. */

import { loadPyodide } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { type Engine, type Progress, started, type Verdict } from "./engine.ts";

/** What it runs on. The page hands it over, so that this thread asks nobody for anything. */
export interface Runtime {
  wasm: Uint8Array;
  library: Uint8Array;
  archive: Uint8Array;
  /** 32 bytes. */
  secret: Uint8Array;
}

export type Asked =
  | { kind: "start"; runtime: Runtime }
  | { kind: "unary" | "watch"; id: number; method: string; token: string; request: Uint8Array }
  | { kind: "stop"; id: number }
  | { kind: "judge"; id: number; file: Uint8Array };

export type Told =
  | { kind: "ready" }
  | { kind: "broken"; why: string }
  | { kind: "answer"; id: number; ok: boolean; raw: Uint8Array }
  | { kind: "each" | "end" | "failed"; id: number; raw: Uint8Array }
  | { kind: "progress"; id: number; progress: Progress }
  | { kind: "verdict"; id: number; verdict: Verdict };

const HERE = "https://page.invalid/";

let engine: Engine;

function tell(told: Told): void {
  postMessage(told);
}

async function start({ wasm, library, archive, secret }: Runtime): Promise<void> {
  const files: Record<string, [Uint8Array, string]> = {
    "pyodide.asm.wasm": [wasm, "application/wasm"],
    "python_stdlib.zip": [library, "application/zip"],
  };
  // Pyodide fetches its files: here they are at hand already, and nothing else is to be had.
  globalThis.fetch = async (asked: RequestInfo | URL): Promise<Response> => {
    const found = files[String(asked instanceof Request ? asked.url : asked).replace(HERE, "")];
    if (!found) throw new TypeError("this page asks nobody for anything");
    return new Response(found[0] as BlobPart, { headers: { "content-type": found[1] } });
  };
  const pyodide = await loadPyodide({
    indexURL: HERE,
    createPyodideModule,
    lockFileContents: { info: LOCKED, packages: {} },
  } as Parameters<typeof loadPyodide>[0]);
  engine = await started(pyodide, archive, secret);
}

/** What Pyodide wants to be told of packages, of which it is to load none. */
const LOCKED = {
  abi_version: "2026_0",
  arch: "wasm32",
  platform: "emscripten",
  python: "3.14.0",
  version: "314",
};

addEventListener("message", async ({ data }: MessageEvent<Asked>) => {
  switch (data.kind) {
    case "start":
      try {
        await start(data.runtime);
        tell({ kind: "ready" });
      } catch (failure) {
        tell({ kind: "broken", why: String(failure) });
      }
      return;
    case "unary": {
      const [ok, raw] = await engine.unary(data.method, data.token, data.request);
      tell({ kind: "answer", id: data.id, ok, raw });
      return;
    }
    case "watch":
      engine.watch(data.id, data.method, data.token, data.request, (kind, raw) =>
        tell({ kind, id: data.id, raw }),
      );
      return;
    case "stop":
      engine.stop(data.id);
      return;
    case "judge": {
      const { id } = data;
      try {
        const heard = (progress: Progress): void => tell({ kind: "progress", id, progress });
        tell({ kind: "verdict", id, verdict: await engine.judge(data.file, heard) });
      } catch (failure) {
        tell({ kind: "broken", why: String(failure) });
      }
    }
  }
});
