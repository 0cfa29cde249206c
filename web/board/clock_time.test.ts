import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clocks, SeatClock } from "../client/index.ts";
import { ageOf, leftAfter, timeLeft } from "./clock_time.ts";

test("a time is shown as clocks show it", () => {
  const shown = [19_940, 598_000, 3_605_000, 180_000_000].map(timeLeft);
  assert.deepEqual(shown, ["0:19.9", "9:58", "1:00:05", "2d 2:00:00"]);
});

test("a clock that runs first waits for its delay, and never goes below nothing", () => {
  const seat = { remainingTime: { seconds: 5n, nanos: 0 }, remainingDelay: { seconds: 2n, nanos: 0 }, running: true } as SeatClock;
  const left = [0, 2_000, 3_000, 99_000].map((ms) => leftAfter(seat, ms));
  assert.deepEqual(left, [5_000, 5_000, 4_000, 0]);
  assert.equal(leftAfter({ ...seat, running: false }, 99_000), 5_000);
});

test("what was told a while ago counts from then, but not the skew of two machines", () => {
  const clocks = { readTime: { seconds: 1_000n, nanos: 500_000_000 } } as Clocks;
  assert.equal(ageOf(clocks, 1_001_000), 0);
  assert.equal(ageOf(clocks, 1_010_500), 10_000);
});
