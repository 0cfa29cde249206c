/** Run by Node's test runner. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { undone } from "./lines.ts";

/** Events with a jump where a number says where the line goes on. */
function events(...jumps: (number | undefined)[]) {
  return jumps.map((to, n) => ({
    version: n + 1,
    kind: to === undefined ? "match.ActionTaken" : "match.LineContinued",
    details: (to === undefined ? {} : { to: String(to) }) as Record<string, string>,
  }));
}

test("a line without a jump has nothing undone", () => {
  assert.deepEqual(undone(events(undefined, undefined)), new Set());
});

test("what an undo leaves is undone, and the undo itself is not", () => {
  assert.deepEqual(undone(events(undefined, undefined, undefined, 1, undefined)), new Set([2, 3]));
});

test("what is taken up again leads to the present", () => {
  // 4 goes back to 1, 6 takes up 3: 4 and 5 are left now.
  const all = events(undefined, undefined, undefined, 1, undefined, 3, undefined);
  assert.deepEqual(undone(all), new Set([4, 5]));
});

test("a request that was asked for is no jump", () => {
  const asked = events(undefined, undefined, 1).map((each) => ({ ...each, kind: "match.UndoAsked" }));
  assert.deepEqual(undone(asked), new Set());
});
