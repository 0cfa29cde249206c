/** The clocks that the form for a new match offers. */

import { create } from "@bufbuild/protobuf";
import { html } from "lit";
import { type Clock, ClockSchema, Delay } from "../client/index.ts";

const SECOND = 1_000n;
const MINUTE = 60n * SECOND;
const DELAY = { delayMs: 3n * SECOND, delay: Delay.SIMPLE };

const side = (ms: bigint, more: object = {}): Clock =>
  create(ClockSchema, { kind: { case: "side", value: { ms, ...more } } });
const perAction = (ms: bigint): Clock =>
  create(ClockSchema, { kind: { case: "move", value: { ms } } });
const correspondence = (days: number): Clock =>
  create(ClockSchema, { kind: { case: "correspondence", value: { days } } });

const CLOCKS: Record<string, Clock | undefined> = {
  "No clock": undefined,
  "5 minutes, and 3 seconds a turn that cost nothing": side(5n * MINUTE, DELAY),
  "10 minutes, and 5 seconds more a turn": side(10n * MINUTE, { incrementMs: 5n * SECOND }),
  "30 minutes, and 20 seconds more a turn": side(30n * MINUTE, { incrementMs: 20n * SECOND }),
  "1 hour": side(60n * MINUTE),
  "2 minutes an action": perAction(2n * MINUTE),
  "1 day an action": correspondence(1),
  "3 days an action": correspondence(3),
  "7 days an action": correspondence(7),
};

/** The field in which one of them is chosen. */
export function clockField() {
  return html`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      ${Object.keys(CLOCKS).map((words) => html`<option value=${words}>${words}</option>`)}
    </select>
  </div>`;
}

/** The clock that was chosen, as a part of the request. */
export function chosenClock(words: string): { clock?: Clock } {
  const clock = CLOCKS[words];
  return clock ? { clock } : {};
}
