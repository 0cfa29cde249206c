/**
 * Who this browser is: the token of a frontend's player, if it was given one, and how much of the
 * player's news was seen. And the name that was given last, for seats that are taken by a name.
 */

import { forgetToken } from "./tokens.ts";

const PLAYER = "emeth.player";
const NAME = "emeth.name";

/** Fired at the window when another player is kept, or none. */
export const PLAYER_CHANGED = "emeth-player";

interface Account {
  token: string;
  /** All notices up to the one with this ID were seen; empty: they begin when they are first asked for. */
  seen: string;
  /** What was seen of the news after it. */
  dealt: readonly string[];
}

const NOBODY: Account = { token: "", seen: "", dealt: [] };

/** The player's token; empty if this browser has none. */
export function playerToken(): string {
  return read().token;
}

/** Be this player from now on. */
export function keepPlayer(token: string): void {
  if (token === playerToken()) return;
  forgetPlayer();
  write({ ...NOBODY, token });
  dispatchEvent(new Event(PLAYER_CHANGED));
}

/** Be nobody: the player's token goes, wherever it was kept. */
export function forgetPlayer(): void {
  const { token } = read();
  if (!token) return;
  write(NOBODY);
  forgetToken(token);
  dispatchEvent(new Event(PLAYER_CHANGED));
}

/** The ID up to which all notices were seen; undefined if they were never asked for. */
export function seenUpTo(): string | undefined {
  return read().seen || undefined;
}

/** Was the notice with this ID seen before? */
export function wasSeen(noticeId: string): boolean {
  const { seen, dealt } = read();
  return noticeId <= seen || dealt.includes(noticeId);
}

/** All of these notices were seen; `left` are those that were not. IDs sort in the order of notices. */
export function markSeen(noticeIds: readonly string[], left: readonly string[]): void {
  const account = read();
  const known = [...account.dealt, ...noticeIds];
  const first = [...left].sort()[0];
  const isBefore = (each: string): boolean => first === undefined || each < first;
  const seen = [account.seen, ...known.filter(isBefore)].sort().at(-1) ?? "";
  write({ ...account, seen, dealt: [...new Set(known.filter((each) => !isBefore(each)))] });
}

/** The name that was given last, to be offered again. */
export function ownName(): string {
  return stored(NAME) ?? "";
}

export function keepName(name: string): void {
  keepText(NAME, name);
}

function read(): Account {
  try {
    const found: unknown = JSON.parse(stored(PLAYER) ?? "{}");
    return typeof found === "object" && found !== null ? { ...NOBODY, ...found } : NOBODY;
  } catch {
    return NOBODY;
  }
}

function write(account: Account): void {
  keepText(PLAYER, JSON.stringify(account));
}

/** Kept for this page only, where the browser keeps nothing. */
const unsaved = new Map<string, string>();

function stored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? unsaved.get(key);
  } catch {
    return unsaved.get(key);
  }
}

function keepText(key: string, text: string): void {
  unsaved.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // It is in `unsaved`.
  }
}
