import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlanNode } from "../client/index.ts";
import { branchesOf, planOf, readPlan, writePlan } from "./plan_text.ts";

const WRITTEN = [
  "a6-b6 -> h3-g3",
  "  north: f1-g1 -> c8-c7 & d8-d7",
  "    x: y",
  "      * -> z",
  "* -> c8-c7",
].join("\n");

test("a plan is written as it was read", () => {
  const nodes = readPlan(WRITTEN, ["north", "south"]);
  assert.deepEqual(nodes.map(({ parent }) => parent), [0, 1, 2, 3, 0]);
  assert.deepEqual(nodes.map(({ by }) => by), ["", "north", "", "", ""]);
  assert.deepEqual(nodes[1]?.replies, ["c8-c7", "d8-d7"]);
  assert.equal(nodes[3]?.on, "");
  assert.equal(writePlan(nodes), WRITTEN);
});

test("a line that follows nothing is refused", () => {
  assert.throws(() => readPlan("  a -> b", []), /two blanks/);
  assert.throws(() => readPlan("a -> b\n   c -> d", []), /two blanks/);
});

test("a branch is dropped with all that follows it, and what leads nowhere goes too", () => {
  const nodes = readPlan(WRITTEN, ["north", "south"]) as PlanNode[];
  const all = branchesOf({ nodes, awaiting: [1, 5] });
  assert.equal(writePlan(planOf(all)), WRITTEN);
  assert.equal(writePlan(planOf(all, 2)), "a6-b6 -> h3-g3\n* -> c8-c7");
  assert.equal(
    writePlan(planOf(all, 4)),
    "a6-b6 -> h3-g3\n  north: f1-g1 -> c8-c7 & d8-d7\n* -> c8-c7",
  );
  assert.deepEqual(planOf(branchesOf({ nodes, awaiting: [5] }), 5), []);
});

test("what has been is not part of what may come", () => {
  const nodes = readPlan(WRITTEN, ["north", "south"]) as PlanNode[];
  const left = branchesOf({ nodes, awaiting: [2] });
  assert.equal(writePlan(planOf(left)), "north: f1-g1 -> c8-c7 & d8-d7\n  x: y\n    * -> z");
});
