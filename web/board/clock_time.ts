/** What is left on a clock, a while after the service told it. */

import type { Duration } from "@bufbuild/protobuf/wkt";
import type { Clocks, SeatClock, TimeControl } from "../client/index.ts";

/** From here on tenths of a second are shown, and the time is marked as low. */
export const LOW_MS = 20_000;
/** Clocks of two machines differ by as much; what was told longer ago is old. */
const SKEW_MS = 1_500;
const LEAST_LOW_MS = 10_000;
const DAY_MS = 86_400_000;

/** A time as clocks show it: `9:58`, `0:19.9`, `1:00:05`, `2d 2:00:00`. */
export function timeLeft(ms: number): string {
  const whole = Math.floor(ms / 1_000);
  const two = (n: number): string => String(n).padStart(2, "0");
  const [seconds, minutes] = [whole % 60, Math.floor(whole / 60) % 60];
  if (ms < LOW_MS) return `0:${two(seconds)}.${Math.floor((ms % 1_000) / 100)}`;
  if (whole < 3_600) return `${minutes}:${two(seconds)}`;
  const hours = Math.floor(whole / 3_600);
  const days = Math.floor(hours / 24);
  return `${days ? `${days}d ` : ""}${hours % 24}:${two(minutes)}:${two(seconds)}`;
}

/** A duration in milliseconds; 0 for none. */
export function milliseconds(duration: Duration | undefined): number {
  return duration ? Number(duration.seconds) * 1_000 + duration.nanos / 1_000_000 : 0;
}

/** What a seat has left so many milliseconds after it was told. */
export function leftAfter(seat: SeatClock, elapsed: number): number {
  const used = seat.running ? Math.max(0, elapsed - milliseconds(seat.remainingDelay)) : 0;
  return Math.max(0, milliseconds(seat.remainingTime) - used);
}

/** From when on the time of a seat is low, as the service has it: 0 for a clock that is too short. */
export function lowMs(control: TimeControl | undefined): number {
  const full = fullMs(control);
  const low = Math.min(Math.max(full / 10, LEAST_LOW_MS), DAY_MS);
  return low < full ? low : 0;
}

function fullMs(control: TimeControl | undefined): number {
  const kind = control?.kind;
  return milliseconds(kind?.case === "budget" ? kind.value.initialTime : kind?.value?.timePerMove);
}

/** How old what was told is already, by this machine's clock. */
export function ageOf(clocks: Clocks, now: number): number {
  const at = clocks.readTime;
  if (!at) return 0;
  const age = now - (Number(at.seconds) * 1_000 + at.nanos / 1_000_000);
  return age > SKEW_MS ? age : 0;
}
