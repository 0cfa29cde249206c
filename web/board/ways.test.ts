/** Run by Node's test runner. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Action } from "../client/index.ts";
import { amountsOf, differing, valuesOf } from "./ways.ts";

function told(first: string, ...more: string[]) {
  return amountsOf([first, ...more])?.ways.map((way) => Object.fromEntries(way));
}

test("payments are amounts by what is paid", () => {
  assert.deepEqual(
    told("Use it: pay 2 elan, 1 life and 1 gold, turn it", "Use it: pay 1 elan and 3 life, turn it"),
    [{ elan: 2, life: 1, gold: 1 }, { elan: 1, life: 3 }],
  );
});

test("an amount keeps its name, though all have the same number or name", () => {
  assert.deepEqual(told("Collect 1 life from Witch", "Collect 1 death from Witch"), [
    { life: 1 },
    { death: 1 },
  ]);
  assert.deepEqual(told("pay 1 gold", "pay 2 gold"), [{ gold: 1 }, { gold: 2 }]);
});

test("what is told otherwise is no payment", () => {
  assert.equal(told("Move to a1", "Move to a2"), undefined);
  assert.equal(told("pay 1 gold: draw it", "pay 1 gold: leave it"), undefined);
});

test("sentences are cut to what differs", () => {
  assert.deepEqual(differing(["Straighten Druid now", "Straighten Crypt now"]), ["Druid", "Crypt"]);
});

test("dice are values in a row, if the values tell the actions apart", () => {
  const dice = (...choices: string[]) => ({ verb: "dice", choices }) as Action;
  assert.deepEqual(valuesOf([dice("1", "2"), dice("3", "2")]), [["1", "3"], ["2"]]);
  assert.equal(valuesOf([dice("1"), dice("1")]), undefined);
  assert.equal(valuesOf([dice(), dice("1")]), undefined);
});
