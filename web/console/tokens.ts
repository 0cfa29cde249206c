/**
 * The tokens of this browser's matches. They come in the fragments of links, which browsers send to
 * nobody, and stay in this browser.
 */

const KEY = "emeth.tokens";

type Tokens = Record<string, Record<string, string>>;

/** The tokens of a match by role: none if this browser has none. */
export function tokensOf(matchId: string): Readonly<Record<string, string>> {
  return read()[matchId] ?? {};
}

export function knownMatches(): string[] {
  return Object.keys(read());
}

export function keep(matchId: string, tokens: Record<string, string>): void {
  const all = read();
  all[matchId] = { ...all[matchId], ...tokens };
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    unsaved = all;
  }
}

/** Kept for this page only, where the browser keeps nothing. */
let unsaved: Tokens = {};

function read(): Tokens {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Tokens) : {};
  } catch {
    return unsaved;
  }
}
