import assert from "node:assert/strict";
import { test } from "node:test";
import type { Action } from "../client/index.ts";
import { Narrowing } from "./narrowing.ts";

function action(notation: string, pieces: string[], spaces: string[], cards: string[] = []) {
  return { notation, pieces, spaces, cards, verb: notation.split(" ")[0] } as unknown as Action;
}

function left(narrowing: Narrowing): string[] {
  return narrowing.actions.map(({ notation }) => notation);
}

const MOVES = [
  action("move a-b", ["a"], ["a1", "b1"]),
  action("move a-c", ["a"], ["a1", "c1"]),
  action("take ca", ["c", "a"], ["c1", "a1"]),
  action("jump a-b-c", ["a", "c"], ["a1", "b1", "c1"]),
];

test("the first piece that is pointed at is the one that acts", () => {
  const narrowing = new Narrowing(MOVES, [{ piece: "a", space: "a1" }]);
  assert.deepEqual(left(narrowing), ["move a-b", "move a-c", "jump a-b-c"]);
});

test("a piece that never acts stands for the actions that it suffers", () => {
  const narrowing = new Narrowing([action("take ca", ["c", "a"], [])], [{ piece: "a" }]);
  assert.deepEqual(left(narrowing), ["take ca"]);
});

test("the next space on a way comes before a later one", () => {
  const picks = [{ piece: "a", space: "a1" }, { space: "c1" }];
  assert.deepEqual(left(new Narrowing(MOVES, picks)), ["move a-c"]);
});

test("what is whole is first, and the rest of a way can still be pointed at", () => {
  const picks = [{ piece: "a", space: "a1" }, { space: "b1" }];
  const narrowing = new Narrowing([...MOVES].reverse(), picks);
  assert.deepEqual(left(narrowing), ["move a-b", "jump a-b-c"]);
  assert.equal(narrowing.whole?.notation, "move a-b");
  assert.ok(narrowing.takes({ space: "c1" }));
  assert.ok(!narrowing.takes({ space: "a1" }));
});

test("a space may be pointed at as often as an action names it", () => {
  const twice = [action("throw b b", ["a"], ["b1", "b1"]), action("throw b", ["a"], ["b1"])];
  const once = new Narrowing(twice, [{ piece: "a" }, { space: "b1" }]);
  assert.equal(once.whole?.notation, "throw b");
  assert.ok(once.takes({ space: "b1" }));
  const again = new Narrowing(twice, [{ piece: "a" }, { space: "b1" }, { space: "b1" }]);
  assert.deepEqual(left(again), ["throw b b"]);
});

test("a card is pointed at as a piece", () => {
  const cards = [action("use s1", [], [], ["s1"]), action("use s2", [], [], ["s2"])];
  assert.deepEqual(left(new Narrowing(cards, [{ piece: "s2" }])), ["use s2"]);
});

test("a kind of action narrows as a place does", () => {
  assert.deepEqual(left(new Narrowing(MOVES, [{ verb: "take" }])), ["take ca"]);
});

test("what is pointed at in vain leaves nothing", () => {
  assert.deepEqual(left(new Narrowing(MOVES, [{ space: "h8" }])), []);
});
