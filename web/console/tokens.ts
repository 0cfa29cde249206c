/**
 * The tokens of this browser's matches. They come in the fragments of links, which browsers send to
 * nobody, and stay in this browser.
 */

/** The key of `localStorage` under which tokens are kept, which other pages of this browser change as well. */
export const TOKENS_KEY = "emeth.tokens";

type Tokens = Record<string, Record<string, string>>;

/** The tokens of a match by role: none if this browser has none. */
export function tokensOf(matchId: string): Readonly<Record<string, string>> {
  return read()[matchId] ?? {};
}

/** Roles that are shown after the seats. */
const LAST = ["table", "referee", "spectator"];
/** What is no role: a code for any open seat, a seat that is to be drawn, and the creator's token. */
const NO_ROLES = ["link", "drawn", "creator"];

/** The roles that there are tokens for: seats first. */
export function rolesOf(tokens: Readonly<Record<string, string>>): string[] {
  const seats = Object.keys(tokens).filter((each) => !LAST.includes(each) && !NO_ROLES.includes(each));
  return [...seats.sort(), ...LAST.filter((each) => each in tokens)];
}

/** Fired at the window when other tokens are kept. */
export const TOKENS_CHANGED = "emeth-tokens";

export function knownMatches(): string[] {
  return Object.keys(read());
}

export function keep(matchId: string, tokens: Record<string, string>): void {
  store({ ...read(), [matchId]: { ...tokensOf(matchId), ...tokens } });
}

/** Drop a token that is not good any more, as of a seat that somebody took. */
export function forget(matchId: string, role: string): void {
  const { [role]: _, ...others } = tokensOf(matchId);
  store({ ...read(), [matchId]: others });
}

/** Drop a token wherever it is kept. */
export function forgetToken(token: string): void {
  const kept = Object.entries(read()).map(([match, tokens]) => {
    return [match, Object.fromEntries(Object.entries(tokens).filter(([, each]) => each !== token))] as const;
  });
  store(Object.fromEntries(kept.filter(([, tokens]) => Object.keys(tokens).length)));
}

function store(all: Tokens): void {
  try {
    localStorage.setItem(TOKENS_KEY, JSON.stringify(all));
  } catch {
    unsaved = all;
  }
  dispatchEvent(new Event(TOKENS_CHANGED));
}

/** Kept for this page only, where the browser keeps nothing. */
let unsaved: Tokens = {};

function read(): Tokens {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(TOKENS_KEY) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Tokens) : {};
  } catch {
    return unsaved;
  }
}
