/** What the service of this page runs on: from the page itself, if it is one file, or beside it. */

import type { Runtime } from "./worker.ts";

const SECRET = "emeth.judge.secret";

/** Fetch or unpack it. Throws Error if it is not to be had. */
export async function runtime(): Promise<Runtime> {
  const [wasm, library, archive] = await Promise.all([
    part("pyodide.asm.wasm"),
    part("python_stdlib.zip"),
    part("archive.zip"),
  ]);
  return { wasm, library, archive, secret: secret() };
}

async function part(name: string): Promise<Uint8Array> {
  const within = document.getElementById(name)?.textContent;
  if (within) return unpacked(within);
  const found = await fetch(new URL(`runtime/${name}`, document.baseURI));
  if (!found.ok) throw new Error(`${name} is not to be had: ${found.status}`);
  return new Uint8Array(await found.arrayBuffer());
}

/** The bytes of base64 of gzip. */
async function unpacked(text: string): Promise<Uint8Array> {
  const packed = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * What dice and tokens of matches that begin here are made from. It stays in this browser, so that a
 * match that was saved can be taken up again.
 */
function secret(): Uint8Array {
  try {
    const kept = localStorage.getItem(SECRET);
    if (kept?.length === 64) return Uint8Array.from(kept.match(/../g) ?? [], (two) => parseInt(two, 16));
  } catch {
    // A browser that keeps nothing draws anew each time.
  }
  const drawn = crypto.getRandomValues(new Uint8Array(32));
  try {
    const digits = Array.from(drawn, (byte) => byte.toString(16).padStart(2, "0")).join("");
    localStorage.setItem(SECRET, digits);
  } catch {
    // As above.
  }
  return drawn;
}
