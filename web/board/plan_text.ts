/**
 * Plans as people write them: a line for each condition, `WHAT THEY DO -> WHAT YOU DO`, indented by two
 * blanks under the one that it follows. `*` is anything, `SEAT: ACTION` what one of several does, and
 * ` & ` separates several answers.
 */

import type { Plan, PlanNode } from "../client/index.ts";

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

/** A node of a plan, with the nodes that follow it. */
export interface Branch {
  /** Its number in the plan, from 1. */
  number: number;
  node: PlanNode;
  then: readonly Branch[];
}

/** What may still come of a plan that waits, each with what follows it. */
export function branchesOf({ nodes, awaiting }: Pick<Plan, "nodes" | "awaiting">): Branch[] {
  const below = (parent: number): Branch[] => numbered.filter(({ node }) => node.parent === parent).map(grown);
  const grown = ({ number, node }: { number: number; node: PlanNode }): Branch => ({ number, node, then: below(number) });
  const numbered = nodes.map((node, place) => ({ number: place + 1, node }));
  return numbered.filter(({ number }) => awaiting.includes(number)).map(grown);
}

/** These branches as a plan of their own, without the one of this number. */
export function planOf(branches: readonly Branch[], without = 0): Node[] {
  const nodes: Node[] = [];
  const add = (each: Branch, parent: number): void => {
    if (each.number === without) return;
    const { by, on, replies } = each.node;
    const at = nodes.push({ by, on, replies, parent });
    for (const next of each.then) add(next, at);
    // What neither answers nor leads on is no plan.
    if (!replies.length && nodes.length === at) nodes.pop();
  };
  for (const each of branches) add(each, 0);
  return nodes;
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
