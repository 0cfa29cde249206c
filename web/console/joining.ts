/** Taking a seat of a match that waits, or the referee's role: by a code, by a link, or as anybody. */

import { JoinPolicy, type Emeth, type Match, persistently, requestId, SeatAssignment } from "../client/index.ts";
import { keepName, playerToken } from "./account.ts";
import { codesOf } from "./codes.ts";
import { forget, keep, tokensOf } from "./tokens.ts";

/** The word among codes for the one that is good for any open seat. */
export const LINK = "link";
/** As what a token is kept as long as nobody knows which seat it will be of. */
export const DRAWN = "drawn";
const REFEREE = "referee";
const ENTROPY_BYTES = 16;

/** The codes that this browser has for open seats, by seat, and `link` for any. */
export function openCodes(match: Match): Record<string, string> {
  const taken = new Set(match.seats.filter(({ player }) => player).map(({ name }) => name));
  const all = { ...tokensOf(match.matchId), ...codesOf(match.matchId) };
  const isOpen = (role: string): boolean =>
    role === LINK || (!taken.has(role) && match.seats.some(({ name }) => name === role));
  return Object.fromEntries(Object.entries(all).filter(([role]) => isOpen(role)));
}

/** May whoever looks take this seat, by a code or without? */
export function mayTake(match: Match, seat: string): boolean {
  const codes = openCodes(match);
  const free = match.seats.filter(({ player }) => !player).map(({ name }) => name);
  if (!free.includes(seat)) return false;
  const anySeat = LINK in codes || match.joinPolicy === JoinPolicy.ANYONE;
  return seat in codes || (anySeat && (match.seatAssignment !== SeatAssignment.IN_ORDER || free[0] === seat));
}

/**
 * Take a seat, or the referee's role; `role` empty for any seat that is open. As the player whose
 * token this browser has, or else by a name. The role that was taken.
 */
export async function take(service: Emeth, match: Match, role: string, name: string): Promise<string> {
  const { matchId } = match;
  const codes = openCodes(match);
  const own = playerToken();
  const kept = { ...tokensOf(matchId), ...codesOf(matchId) };
  const shown = role === REFEREE ? kept[REFEREE] : (codes[role] ?? codes[LINK]);
  // Beside a player's own token, which may stand for another role of the match already.
  const invitation = shown === own ? "" : (shown ?? "");
  const request = {
    requestId: requestId(),
    matchId,
    role,
    entropy: ownShare(),
    ...(own ? { inviteCode: invitation } : { player: name }),
  };
  const caller = own ? service.with(own) : invitation ? service.with(invitation) : service;
  const { role: seat, token } = await persistently(() => caller.matches.joinMatch(request));
  if (!own) keepName(name);
  // The link that was opened is spent, and no seat's.
  forget(matchId, LINK);
  if (role) forget(matchId, role);
  const isDrawn = match.seatAssignment === SeatAssignment.RANDOM && seat !== REFEREE;
  const taken = isDrawn ? DRAWN : seat || role;
  keep(matchId, { [taken]: token || own });
  return taken;
}

/** Whose a token is that was taken before the seats were drawn: the seat, once they are. */
export async function settleDrawn(service: Emeth, matchId: string): Promise<string | undefined> {
  const token = tokensOf(matchId)[DRAWN];
  if (!token) return undefined;
  const { caller } = await persistently(() => service.with(token).matches.getMatch({ matchId }));
  const seat = caller?.seats[0];
  if (!seat) return undefined;
  forget(matchId, DRAWN);
  keep(matchId, { [seat]: token });
  return seat;
}

/** The player's own share in all draws, which nobody else could know. */
export function ownShare(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ENTROPY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
