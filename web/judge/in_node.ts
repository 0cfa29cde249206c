/**
 * The service of a page under Node, for tests. It takes a line of JSON for each thing that is asked,
 * and answers with one: the verdict on a file, or what Python makes of an expression.
 */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { loadPyodide } from "pyodide";
import { started } from "./engine.ts";

interface Asked {
  /** A file to be judged, in base64. */
  judge?: string;
  /** A Python function of one text, which gives another; and that text. */
  python?: string;
  text?: string;
}

const pyodide = await loadPyodide();
const archive = readFileSync(process.argv[2] ?? "");
const engine = await started(pyodide, archive, new Uint8Array(32).fill(7));

for await (const line of createInterface({ input: process.stdin })) {
  const { judge, python, text } = JSON.parse(line) as Asked;
  if (judge !== undefined) {
    const verdict = await engine.judge(Buffer.from(judge, "base64"), () => {});
    console.log(JSON.stringify(verdict));
  } else {
    const call = pyodide.runPython(python ?? "") as (text: string) => string;
    console.log(JSON.stringify(call(text ?? "")));
  }
}

// The clocks of the service would go on for ever.
process.exit(0);
