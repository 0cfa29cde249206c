import assert from "node:assert/strict";
import { test } from "node:test";
import { readPlan, writePlan } from "./plan_text.ts";

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
