/** The clocks that the form for a new match offers: for all seats, and for one by itself as a handicap. */

import { create } from "@bufbuild/protobuf";
import { html, nothing } from "lit";
import { type Clock, ClockSchema, Delay } from "../client/index.ts";
import { capital, clockWords } from "./match_terms.ts";

const SECOND = 1_000n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DELAY = { delayMs: 3n * SECOND, delay: Delay.SIMPLE };

const side = (ms: bigint, more: object = {}): Clock =>
  create(ClockSchema, { kind: { case: "side", value: { ms, ...more } } });
const perAction = (ms: bigint): Clock =>
  create(ClockSchema, { kind: { case: "move", value: { ms } } });
const correspondence = (days: number): Clock =>
  create(ClockSchema, { kind: { case: "correspondence", value: { days } } });

/** The usual ones, by a name that stays the same. */
const CLOCKS: Readonly<Record<string, Clock>> = {
  "3m+2s": side(3n * MINUTE, { incrementMs: 2n * SECOND }),
  "5m d3s": side(5n * MINUTE, DELAY),
  "10m+5s": side(10n * MINUTE, { incrementMs: 5n * SECOND }),
  "15m+10s": side(15n * MINUTE, { incrementMs: 10n * SECOND }),
  "30m+20s": side(30n * MINUTE, { incrementMs: 20n * SECOND }),
  "1h": side(HOUR),
  "2m/action": perAction(2n * MINUTE),
  "1d/action": correspondence(1),
  "3d/action": correspondence(3),
  "7d/action": correspondence(7),
};
const OWN = "own";
/** The most that a clock of one's own may have, as the service has it. */
const MOST = { minutes: 10_080, seconds: 3_600 };

const options = () =>
  Object.entries(CLOCKS).map(
    ([name, clock]) => html`<option value=${name}>${capital(clockWords(clock))}</option>`,
  );

/** The field in which the clock of all seats is chosen; `isOwn` if it is to be put together. */
export function clockField(isOwn: boolean) {
  const number = (name: string, label: string, standard: number, least: number, most: number) =>
    html`<label>${label} <input class="short" name="${name}:" type="number" value=${standard} min=${least} max=${most} required /></label>`;
  return html`<div class="field">
    <label for="clock">Clock for each seat</label>
    <select id="clock" name="clock:">
      <option value="">No clock</option>
      ${options()}
      <option value=${OWN}>Another …</option>
    </select>
    ${
      isOwn
        ? html`<div class="row">
            ${number("clock-minutes", "Minutes", 20, 1, MOST.minutes)}
            ${number("clock-seconds", "Seconds more a turn", 10, 0, MOST.seconds)}
          </div>`
        : nothing
    }
  </div>`;
}

/** The field for a handicap: one seat has another clock than the others. */
export function seatClockField(seat: string) {
  return html`<label>Clock <select name="clock:${seat}">
    <option value="">As above</option>
    ${options()}
  </select></label>`;
}

/** Is the clock to be put together? */
export function isOwnClock(form: HTMLFormElement): boolean {
  return value(form, "clock:") === OWN;
}

/** The clocks that were chosen, as a part of the request. */
export function chosenClocks(form: HTMLFormElement, seats: readonly string[]) {
  const clock = isOwnClock(form) ? ownClock(form) : CLOCKS[value(form, "clock:")];
  const bySeat = seats.flatMap((seat) => {
    const other = CLOCKS[value(form, `clock:${seat}`)];
    return other ? [[seat, other] as const] : [];
  });
  return { ...(clock ? { clock } : {}), seatClocks: Object.fromEntries(bySeat) };
}

function ownClock(form: HTMLFormElement): Clock {
  const whole = (name: string): bigint => BigInt(Math.max(0, Math.trunc(Number(value(form, name)) || 0)));
  return side(whole("clock-minutes:") * MINUTE, { incrementMs: whole("clock-seconds:") * SECOND });
}

function value(form: HTMLFormElement, name: string): string {
  return (form.elements.namedItem(name) as HTMLInputElement | null)?.value ?? "";
}
