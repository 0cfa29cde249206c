/** Words that are the same for every game. */

import { Chance, type Match, UndoPolicy } from "../client/index.ts";

/** A seat or role as people read it: `south` as South. */
export function named(role: string): string {
  return role.charAt(0).toUpperCase() + role.slice(1).replaceAll("-", " ");
}

const LISTS = new Intl.ListFormat("en", { type: "conjunction" });

/** Names in a list: North, South and East. */
export function listed(names: readonly string[]): string {
  return LISTS.format(names);
}

/** A seat with the name of whoever holds it. */
export function seatName(match: Match | undefined, seat: string): string {
  const player = match?.seats.find(({ name }) => name === seat)?.player;
  return player ? `${named(seat)} (${player})` : named(seat);
}

export const CHANCE_WORDS: Record<Chance, string> = {
  [Chance.UNSPECIFIED]: "players enter dice and shuffles",
  [Chance.ENTERED]: "players enter dice and shuffles",
  [Chance.ROLLED]: "rolled and shuffled by the server",
};

export const UNDO_WORDS: Record<UndoPolicy, string> = {
  [UndoPolicy.UNSPECIFIED]: "takebacks: opponent must agree",
  [UndoPolicy.FREE]: "takebacks: free until another player acts",
  [UndoPolicy.CONSENT]: "takebacks: opponent must agree",
  [UndoPolicy.REFEREE]: "takebacks: the referee decides",
  [UndoPolicy.NONE]: "takebacks: not allowed",
};

/** Where there is no room for anything beside the board. */
export const PHONE = "(max-width: 60rem)";

/** Is there no room for anything beside the board? */
export function isPhone(): boolean {
  return matchMedia(PHONE).matches;
}
