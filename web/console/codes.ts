/** Codes that this browser gave out for a match that waits: each lets one person take a role. */

const KEY = "emeth.codes";

type Codes = Record<string, Record<string, string>>;

/** The codes of a match by role: seats, `referee`, and `link` for any open seat. */
export function codesOf(matchId: string): Readonly<Record<string, string>> {
  return read()[matchId] ?? {};
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
