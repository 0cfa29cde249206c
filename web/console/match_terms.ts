/** The terms of a match in words: who tells dice, who may take back, clocks, who referees. */

import { CHANCE_WORDS, named, UNDO_WORDS } from "../board/words.ts";
import { Admission, type Clock, Delay, type Match, Refereeing, SeatOrder, Visibility } from "../client/index.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const ADMISSION_WORDS: Readonly<Record<Admission, string>> = {
  [Admission.UNSPECIFIED]: "whoever has the code of a seat",
  [Admission.INVITED]: "whoever has the code of a seat",
  [Admission.LINKED]: "whoever has the link to it",
  [Admission.ANYBODY]: "anybody",
};

export const ORDER_WORDS: Readonly<Record<SeatOrder, string>> = {
  [SeatOrder.UNSPECIFIED]: "each chooses",
  [SeatOrder.CHOSEN]: "each chooses",
  [SeatOrder.IN_ORDER]: "in the order in which they come",
  [SeatOrder.DRAWN]: "by lot, when it begins",
};

export const REFEREE_WORDS: Readonly<Record<Refereeing, string>> = {
  [Refereeing.UNSPECIFIED]: "whoever made the match",
  [Refereeing.CREATOR]: "whoever made the match",
  [Refereeing.NOBODY]: "nobody",
  [Refereeing.INVITED]: "whom the code for it is given",
  [Refereeing.OPERATOR]: "whom the operator of the service names",
};

export const VISIBILITY_WORDS: Readonly<Record<Visibility, string>> = {
  [Visibility.UNSPECIFIED]: "whoever has a link",
  [Visibility.PRIVATE]: "whoever has a link",
  [Visibility.PUBLIC]: "everybody",
  [Visibility.UNLISTED]: "everybody who knows its address",
};

/** Who referees, with the name if somebody has taken the role. */
export function refereeOf({ referee }: Match): string {
  return referee?.player || REFEREE_WORDS[referee?.kind ?? Refereeing.UNSPECIFIED];
}

/** Is the referee somebody who stands among the players, or may come to? */
export function isNamed({ referee }: Match): boolean {
  return Boolean(referee?.player) || referee?.kind === Refereeing.INVITED;
}

/** The clocks in words; empty if nobody has one. */
export function clocksOf({ clock, seats, seatClocks }: Match): string {
  const own = seats.flatMap(({ name }) => {
    const other = seatClocks[name];
    return other ? [`${named(name)} ${clockWords(other)}`] : [];
  });
  return [...(clock ? [clockWords(clock)] : []), ...own].join("; ");
}

/** A clock in words: 10 minutes, and 5 seconds more a turn. */
export function clockWords({ kind }: Clock): string {
  switch (kind.case) {
    case "side": {
      const { ms, incrementMs, delayMs, delay } = kind.value;
      const more = incrementMs ? `, and ${span(incrementMs)} more a turn` : "";
      const free = delay === Delay.BRONSTEIN ? "given back" : "that cost nothing";
      return `${span(ms)}${more}${delayMs ? `, and ${span(delayMs)} a turn ${free}` : ""}`;
    }
    case "move":
      return `${span(kind.value.ms)} an action`;
    case "correspondence":
      return `${amount(kind.value.days, "day")} an action`;
    default:
      return "";
  }
}

/** The terms as short sentences, for below a match. */
export function termsOf(match: Match): string {
  const clocks = clocksOf(match);
  const referees = isNamed(match) ? [] : [`${refereeOf(match)} referees`];
  const words = [
    ...(match.withoutChance ? [] : [CHANCE_WORDS[match.chance]]),
    UNDO_WORDS[match.undo],
    ...(clocks ? [`clocks: ${clocks}`] : []),
    ...referees,
  ];
  return `${capital(words.join("; "))}.`;
}

export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function span(ms: bigint): string {
  const whole = Number(ms);
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
