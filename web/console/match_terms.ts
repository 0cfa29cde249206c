/** The terms of a match in words: who tells dice, who may take back, clocks, who referees. */

import type { Duration } from "@bufbuild/protobuf/wkt";
import { milliseconds } from "../board/clock_time.ts";
import { CHANCE_WORDS, named, UNDO_WORDS } from "../board/words.ts";
import { DelayMode, JoinPolicy, type Match, MatchStatus, RefereePolicy, SeatAssignment, type TimeControl, Visibility } from "../client/index.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const JOIN_POLICY_WORDS: Readonly<Record<JoinPolicy, string>> = {
  [JoinPolicy.UNSPECIFIED]: "anybody with the code of a seat",
  [JoinPolicy.INVITED]: "anybody with the code of a seat",
  [JoinPolicy.LINK]: "anybody with the link",
  [JoinPolicy.ANYONE]: "anybody",
};

export const ORDER_WORDS: Readonly<Record<SeatAssignment, string>> = {
  [SeatAssignment.UNSPECIFIED]: "players choose",
  [SeatAssignment.CHOSEN]: "players choose",
  [SeatAssignment.IN_ORDER]: "in order of joining",
  [SeatAssignment.RANDOM]: "random, at the start",
};

export const REFEREE_WORDS: Readonly<Record<RefereePolicy, string>> = {
  [RefereePolicy.UNSPECIFIED]: "the creator of the match",
  [RefereePolicy.CREATOR]: "the creator of the match",
  [RefereePolicy.NONE]: "nobody",
  [RefereePolicy.INVITED]: "anybody with the referee code",
  [RefereePolicy.OPERATOR]: "named by the operator of the service",
};

export const VISIBILITY_WORDS: Readonly<Record<Visibility, string>> = {
  [Visibility.UNSPECIFIED]: "anybody with an invite link",
  [Visibility.PRIVATE]: "anybody with an invite link",
  [Visibility.PUBLIC]: "everybody, listed publicly",
  [Visibility.UNLISTED]: "anybody with the address",
};

/** Does a match wait for players, or was it cancelled while it did? There is no board yet. */
export function hasNotStarted(match: Match | undefined): boolean {
  return match?.status === MatchStatus.WAITING || match?.status === MatchStatus.CANCELLED;
}

/** Who referees, with the name if somebody has taken the role. */
export function refereeOf({ referee }: Match): string {
  return referee?.player || REFEREE_WORDS[referee?.policy ?? RefereePolicy.UNSPECIFIED];
}

/** Is the referee somebody who stands among the players, or may come to? */
export function isNamed({ referee }: Match): boolean {
  return Boolean(referee?.player) || referee?.policy === RefereePolicy.INVITED;
}

/** The clocks in words; empty if nobody has one. */
export function clocksOf({ timeControl, seats, seatTimeControls }: Match): string {
  const own = seats.flatMap(({ name }) => {
    const other = seatTimeControls[name];
    return other ? [`${named(name)} ${clockWords(other)}`] : [];
  });
  return [...(timeControl ? [clockWords(timeControl)] : []), ...own].join("; ");
}

/** A clock in words: 10 minutes, and 5 seconds more a turn. */
export function clockWords({ kind }: TimeControl): string {
  switch (kind.case) {
    case "budget": {
      const { initialTime, increment, delay, delayMode } = kind.value;
      const more = increment ? `, plus ${span(increment)} per turn` : "";
      const free = delayMode === DelayMode.BRONSTEIN ? "returned if used" : "before the clock runs";
      return `${span(initialTime)}${more}${delay ? `, and ${span(delay)} per turn ${free}` : ""}`;
    }
    case "moveTime":
    case "correspondence":
      return `${span(kind.value.timePerMove)} per action`;
    default:
      return "";
  }
}

/** The terms as short sentences, for below a match. */
export function termsOf(match: Match): string {
  const clocks = clocksOf(match);
  const referees = isNamed(match) ? [] : [`referee: ${refereeOf(match)}`];
  const words = [
    ...(match.withoutChance ? [] : [CHANCE_WORDS[match.chance]]),
    UNDO_WORDS[match.undoPolicy],
    ...(clocks ? [`clocks: ${clocks}`] : []),
    ...referees,
  ];
  return `${capital(words.join("; "))}.`;
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function span(duration: Duration | undefined): string {
  const whole = milliseconds(duration);
  const parts = [
    [Math.floor(whole / DAY), "day"],
    [Math.floor((whole % DAY) / HOUR), "hour"],
    [Math.floor((whole % HOUR) / MINUTE), "minute"],
    [(whole % MINUTE) / SECOND, "second"],
  ] as const;
  const said = parts.filter(([count]) => count).map(([count, unit]) => amount(count, unit));
  return said.join(" ") || "0 seconds";
}

function amount(count: number, unit: string): string {
  return `${count} ${count === 1 ? unit : `${unit}s`}`;
}
