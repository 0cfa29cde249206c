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
  /** All news up to this number was seen; empty: the news begins when it is first asked for. */
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

/** The number of the news that were all seen; undefined if none was ever asked for. */
export function seenUpTo(): bigint | undefined {
  const { seen } = read();
  return seen ? BigInt(seen) : undefined;
}

/** Was this seen before? */
export function wasSeen(number: bigint): boolean {
  const { seen, dealt } = read();
  return (seen !== "" && number <= BigInt(seen)) || dealt.includes(String(number));
}

/** All of these were seen; `left` are those that were not. */
export function markSeen(numbers: readonly bigint[], left: readonly bigint[]): void {
  const account = read();
  const known = [...account.dealt.map(BigInt), ...numbers];
  const first = left.reduce<bigint | undefined>((least, each) => {
    return least === undefined || each < least ? each : least;
  }, undefined);
  const isBefore = (each: bigint): boolean => first === undefined || each < first;
  const highest = known.filter(isBefore).reduce((most, each) => (each > most ? each : most), seenUpTo() ?? 0n);
  const dealt = known.filter((each) => !isBefore(each)).map(String);
  write({ ...account, seen: String(highest), dealt: [...new Set(dealt)] });
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
