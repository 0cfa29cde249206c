/** Codes that this browser gave out for a match that waits: each lets one person take a role. */

import type { Emeth, FollowOptions } from "../client/index.ts";
import { playerToken } from "./account.ts";
import { tokensOf } from "./tokens.ts";

const KEY = "emeth.codes";

type Codes = Record<string, Record<string, string>>;

/** The codes of a match by role: seats, `referee`, and `link` for any open seat. */
export function codesOf(matchId: string): Readonly<Record<string, string>> {
  return read()[matchId] ?? {};
}

/** Tokens that last longest first: a seat's may have been replaced by its player's. */
const LASTING = ["spectator", "creator", "referee", "link"];

/** The token or code of a match that is likeliest to show it; empty for none. */
export function shownOf(matchId: string): string {
  const known = { ...codesOf(matchId), ...tokensOf(matchId) };
  const best = LASTING.find((role) => role in known);
  return (best ? known[best] : Object.values(known)[0]) ?? "";
}

/** The service, as it shows a match that may be private. */
export function knowing(service: Emeth, matchId: string): Emeth {
  const token = shownOf(matchId) || playerToken();
  return token ? service.with(token) : service;
}

/**
 * Follow a list of matches that names some of this browser's by their IDs: private ones are shown as well.
 * The player's token is the topic's own, as it stands for no role of one match.
 */
export function watchOwn(
  service: Emeth,
  filter: string,
  matchIds: readonly string[],
  options: FollowOptions,
): ReturnType<Emeth["watchLobby"]> {
  const own = playerToken();
  const tokens = [...new Set(matchIds.map(shownOf))].filter((token) => token && token !== own);
  return (own ? service.with(own) : service).watchLobby(filter, options, tokens);
}

export function keepCodes(matchId: string, codes: Record<string, string>): void {
  if (Object.keys(codes).length) store({ ...read(), [matchId]: { ...codesOf(matchId), ...codes } });
}

/** Kept for this page only, where the browser keeps nothing. */
let unsaved: Codes = {};

function store(codes: Codes): void {
  unsaved = codes;
  try {
    localStorage.setItem(KEY, JSON.stringify(codes));
  } catch {
    // They are in `unsaved`.
  }
}

function read(): Codes {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Codes) : {};
  } catch {
    return unsaved;
  }
}
