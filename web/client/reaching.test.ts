import assert from "node:assert/strict";
import { test } from "node:test";
import { pause, pauseUntilReached, reached } from "./reaching.ts";

const LONG_MS = 60_000;

test("who waits for a service that was not reached goes on as soon as it answers anybody", async () => {
  const waiting = [pauseUntilReached(LONG_MS), pauseUntilReached(LONG_MS)];
  reached();
  await Promise.all(waiting);
});

test("who was told to wait does so, whoever else is answered", async () => {
  const began = performance.now();
  const waiting = pause(60);
  reached();
  await waiting;
  assert.ok(performance.now() - began >= 55);
});

test("a pause that nobody wants any more ends", async () => {
  const stop = new AbortController();
  const waiting = [pause(LONG_MS, stop.signal), pauseUntilReached(LONG_MS, stop.signal)];
  stop.abort();
  await Promise.all(waiting);
  await pauseUntilReached(LONG_MS, stop.signal);
});
