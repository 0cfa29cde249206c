/** The clocks that the form for a new match offers: for all seats, and for one by itself as a handicap. */

import { create } from "@bufbuild/protobuf";
import { html, nothing } from "lit";
import { DelayMode, type TimeControl, TimeControlSchema } from "../client/index.ts";
import { capital, clockWords } from "./match_terms.ts";

const SECOND = 1n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;
const DELAY = { delay: { seconds: 3n * SECOND }, delayMode: DelayMode.SIMPLE };

const budget = (seconds: bigint, more: object = {}): TimeControl =>
  create(TimeControlSchema, { kind: { case: "budget", value: { initialTime: { seconds }, ...more } } });
const perAction = (seconds: bigint): TimeControl =>
  create(TimeControlSchema, { kind: { case: "moveTime", value: { timePerMove: { seconds } } } });
const correspondence = (days: bigint): TimeControl =>
  create(TimeControlSchema, { kind: { case: "correspondence", value: { timePerMove: { seconds: days * DAY } } } });

/** The usual ones, by a name that stays the same. */
const CLOCKS: Readonly<Record<string, TimeControl>> = {
  "3m+2s": budget(3n * MINUTE, { increment: { seconds: 2n * SECOND } }),
  "5m d3s": budget(5n * MINUTE, DELAY),
  "10m+5s": budget(10n * MINUTE, { increment: { seconds: 5n * SECOND } }),
  "15m+10s": budget(15n * MINUTE, { increment: { seconds: 10n * SECOND } }),
  "30m+20s": budget(30n * MINUTE, { increment: { seconds: 20n * SECOND } }),
  "1h": budget(HOUR),
  "2m/action": perAction(2n * MINUTE),
  "1d/action": correspondence(1n),
  "3d/action": correspondence(3n),
  "7d/action": correspondence(7n),
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
      <option value=${OWN}>Custom …</option>
    </select>
    ${
      isOwn
        ? html`<div class="row">
            ${number("clock-minutes", "Minutes", 20, 1, MOST.minutes)}
            ${number("clock-seconds", "Increment in seconds", 10, 0, MOST.seconds)}
          </div>`
        : nothing
    }
  </div>`;
}

/** The field for a handicap: one seat has another clock than the others. */
export function seatClockField(seat: string) {
  return html`<label>Clock <select name="clock:${seat}">
    <option value="">Same as above</option>
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
  return { ...(clock ? { timeControl: clock } : {}), seatTimeControls: Object.fromEntries(bySeat) };
}

function ownClock(form: HTMLFormElement): TimeControl {
  const whole = (name: string): bigint => BigInt(Math.max(0, Math.trunc(Number(value(form, name)) || 0)));
  return budget(whole("clock-minutes:") * MINUTE, { increment: { seconds: whole("clock-seconds:") * SECOND } });
}

function value(form: HTMLFormElement, name: string): string {
  return (form.elements.namedItem(name) as HTMLInputElement | null)?.value ?? "";
}
