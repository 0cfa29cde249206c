import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../client/index.ts";
import { backwards, passage } from "./motion.ts";

type Change = Event["changes"][number]["change"];

function event(...changes: unknown[]): Event {
  return { changes: changes.map((change) => ({ change: change as Change })) } as Event;
}

const moved = (piece: string, now: string) => ({
  case: "moved",
  value: { piece, now: { id: now } },
});
const removed = (piece: string) => ({ case: "removed", value: { piece } });
const appeared = (now: string) => ({ case: "appeared", value: { now: { id: now } } });

test("a piece that moved twice came from where it was at first", () => {
  const { moved: found } = passage([event(moved("a", "b")), event(moved("b", "c"))]);
  assert.deepEqual([...found], [["c", "a"]]);
});

test("two pieces that swapped their ids are told apart", () => {
  const { moved: found } = passage([event(moved("a", "b"), moved("b", "a"))]);
  assert.deepEqual(Object.fromEntries(found), { a: "b", b: "a" });
});

test("one of two pieces that exchange their ids has another id meanwhile", () => {
  const named = { case: "changed", value: { piece: "b~", now: { id: "b" } } };
  const { moved: found } = passage([event(moved("a", "b~"), moved("b", "a"), named)]);
  assert.deepEqual(Object.fromEntries(found), { a: "b", b: "a" });
});

test("a piece that moved and was taken leaves from where it was", () => {
  const found = passage([event(moved("a", "b")), event(removed("b"), moved("x", "b"))]);
  assert.deepEqual([...found.removed], ["a"]);
  assert.deepEqual([...found.moved], [["b", "x"]]);
});

test("a piece that came and went is not seen", () => {
  const found = passage([event(appeared("a")), event(removed("a"))]);
  assert.equal(found.appeared.size + found.removed.size, 0);
});

test("a piece that appeared and moved has appeared where it is", () => {
  const found = passage([event(appeared("a")), event(moved("a", "b"))]);
  assert.deepEqual([...found.appeared], ["b"]);
  assert.equal(found.moved.size, 0);
});

test("backwards, what left comes back and what moved returns", () => {
  const back = backwards(passage([event(moved("a", "b"), removed("c"))]));
  assert.deepEqual([...back.moved], [["a", "b"]]);
  assert.deepEqual([...back.appeared], ["c"]);
});
