/** The service of a page under Node, for tests: judges the files that it is given. */

import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";
import { type Engine, started } from "./engine.ts";

/** Start it with an archive of the service's Python. */
export async function startInNode(archive: string): Promise<Engine> {
  const pyodide = await loadPyodide();
  return started(pyodide, readFileSync(archive), new Uint8Array(32).fill(7));
}
