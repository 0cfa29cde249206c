/**
 * Plans as people write them: a line for each condition, `WHAT THEY DO -> WHAT YOU DO`, indented by two
 * blanks under the one that it follows. `*` is anything, `SEAT: ACTION` what one of several does, and
 * ` & ` separates several answers.
 */

import type { PlanNode } from "../client/index.ts";

const STEP = "  ";
const ANY = "*";
const AND = " & ";

/** As much of a node as is sent. */
export type Node = Pick<PlanNode, "parent" | "by" | "on" | "replies">;

/** The nodes of a plan. Throws an Error for a line that follows nothing. */
export function readPlan(text: string, seats: readonly string[]): Node[] {
  const nodes: Node[] = [];
  const open: number[] = [];
  for (const line of text.split("\n").filter((each) => each.trim())) {
    const depth = (line.length - line.trimStart().length) / STEP.length;
    if (!Number.isInteger(depth) || depth > open.length) {
      throw new Error(`Indent by two blanks under the line that it follows: ${line.trim()}`);
    }
    open.length = depth;
    nodes.push({ ...read(line.trim(), seats), parent: open.at(-1) ?? 0 });
    open.push(nodes.length);
  }
  return nodes;
}

function read(line: string, seats: readonly string[]): Omit<Node, "parent"> {
  const [condition = "", ...rest] = line.split("->");
  const said = rest.join("->").split(AND).map((each) => each.trim()).filter(Boolean);
  const by = seats.find((seat) => condition.trim().startsWith(`${seat}: `)) ?? "";
  const on = condition.trim().slice(by ? by.length + 2 : 0).trim();
  return { by, on: on === ANY ? "" : on, replies: said };
}

/** A plan in the same form. */
export function writePlan(nodes: readonly Node[]): string {
  const depths: number[] = [];
  return nodes
    .map(({ parent, by, on, replies }) => {
      const depth = parent ? (depths[parent - 1] ?? 0) + 1 : 0;
      depths.push(depth);
      const answer = replies.length ? ` -> ${replies.join(AND)}` : "";
      return `${STEP.repeat(depth)}${by && `${by}: `}${on || ANY}${answer}`;
    })
    .join("\n");
}
