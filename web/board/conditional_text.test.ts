import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConditionalMove } from "../client/index.ts";
import { branchesOf, movesOf, readMoves, writeMoves } from "./conditional_text.ts";

const WRITTEN = [
  "a6-b6 -> h3-g3",
  "  north: f1-g1 -> c8-c7 & d8-d7",
  "    x: y",
  "      * -> z",
  "* -> c8-c7",
].join("\n");

test("conditional moves are written as they were read", () => {
  const nodes = readMoves(WRITTEN, ["north", "south"]);
  assert.deepEqual(nodes.map(({ parent }) => parent), [0, 1, 2, 3, 0]);
  assert.deepEqual(nodes.map(({ triggerSeat }) => triggerSeat), ["", "north", "", "", ""]);
  assert.deepEqual(nodes[1]?.responses, ["c8-c7", "d8-d7"]);
  assert.equal(nodes[3]?.triggerAction, "");
  assert.equal(writeMoves(nodes), WRITTEN);
});

test("a line that follows nothing is refused", () => {
  assert.throws(() => readMoves("  a -> b", []), /two spaces/);
  assert.throws(() => readMoves("a -> b\n   c -> d", []), /two spaces/);
});

test("a branch is dropped with all that follows it, and what leads nowhere goes too", () => {
  const nodes = readMoves(WRITTEN, ["north", "south"]) as ConditionalMove[];
  const all = branchesOf({ moves: nodes, awaiting: [1, 5] });
  assert.equal(writeMoves(movesOf(all)), WRITTEN);
  assert.equal(writeMoves(movesOf(all, 2)), "a6-b6 -> h3-g3\n* -> c8-c7");
  assert.equal(
    writeMoves(movesOf(all, 4)),
    "a6-b6 -> h3-g3\n  north: f1-g1 -> c8-c7 & d8-d7\n* -> c8-c7",
  );
  assert.deepEqual(movesOf(branchesOf({ moves: nodes, awaiting: [5] }), 5), []);
});

test("what has been is not part of what may come", () => {
  const nodes = readMoves(WRITTEN, ["north", "south"]) as ConditionalMove[];
  const left = branchesOf({ moves: nodes, awaiting: [2] });
  assert.equal(writeMoves(movesOf(left)), "north: f1-g1 -> c8-c7 & d8-d7\n  x: y\n    * -> z");
});
