/**
 * The tokens of this browser's matches. They come in the fragments of links, which browsers send to
 * nobody, and stay in this browser.
 */

let key = "emeth.tokens";

type Tokens = Record<string, Record<string, string>>;

/** Keep them under another name than the console of a service at the same address does. */
export function keepApart(name: string): void {
  key = name;
}

/** The tokens of a match by role: none if this browser has none. */
export function tokensOf(matchId: string): Readonly<Record<string, string>> {
  return read()[matchId] ?? {};
}

/** Roles that are shown after the seats. */
const LAST = ["table", "referee", "spectator"];

/** The roles that there are tokens for: seats first. */
export function rolesOf(tokens: Readonly<Record<string, string>>): string[] {
  const seats = Object.keys(tokens).filter((each) => !LAST.includes(each));
  return [...seats.sort(), ...LAST.filter((each) => each in tokens)];
}

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

function store(all: Tokens): void {
  try {
    localStorage.setItem(key, JSON.stringify(all));
  } catch {
    unsaved = all;
  }
}

/** Kept for this page only, where the browser keeps nothing. */
let unsaved: Tokens = {};

function read(): Tokens {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Tokens) : {};
  } catch {
    return unsaved;
  }
}
