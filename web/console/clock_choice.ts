/** The clocks that the form for a new match offers. */

import { html } from "lit";
import { Delay } from "../client/index.ts";

const SECOND = 1_000n;
const MINUTE = 60n * SECOND;
const DELAY = { delayMs: 3n * SECOND, delay: Delay.SIMPLE };

const side = (ms: bigint, more: object = {}) => ({
  kind: { case: "side" as const, value: { ms, ...more } },
});
const correspondence = (days: number) => ({
  kind: { case: "correspondence" as const, value: { days } },
});

const CLOCKS = {
  "No clock": undefined,
  "5 minutes, and 3 seconds a turn that cost nothing": side(5n * MINUTE, DELAY),
  "10 minutes, and 5 seconds more a turn": side(10n * MINUTE, { incrementMs: 5n * SECOND }),
  "30 minutes, and 20 seconds more a turn": side(30n * MINUTE, { incrementMs: 20n * SECOND }),
  "1 hour": side(60n * MINUTE),
  "2 minutes an action": { kind: { case: "move" as const, value: { ms: 2n * MINUTE } } },
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
export function chosenClock(words: string) {
  const clock = CLOCKS[words as keyof typeof CLOCKS];
  return clock ? { clock } : {};
}
