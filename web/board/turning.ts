/** Which matches somebody looks at from across the board: kept in the browser. */

const KEY = "emeth.turned";
/** The key that turns the board. */
export const TURN = "f";
/** Matches that are remembered; of more, the oldest is forgotten. */
const MOST = 200;
/** Where nothing can be stored: for this page only. */
let unsaved: readonly string[] = [];

export function isTurned(matchId: string): boolean {
  return all().includes(matchId);
}

export function keepTurned(matchId: string, turned: boolean): void {
  const others = all().filter((each) => each !== matchId);
  unsaved = turned ? [...others, matchId].slice(-MOST) : others;
  try {
    localStorage.setItem(KEY, JSON.stringify(unsaved));
  } catch {
    // Kept for this page only.
  }
}

function all(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((each) => typeof each === "string") : unsaved;
  } catch {
    return unsaved;
  }
}

/** Is it a bare key that is not typed into a field, and that nobody has answered to? */
export function isPlain(event: KeyboardEvent): boolean {
  const held = event.ctrlKey || event.altKey || event.metaKey;
  return !held && !event.defaultPrevented && !isField(event.composedPath()[0]);
}

function isField(target: EventTarget | undefined): boolean {
  return target instanceof Element && target.matches("input, select, textarea");
}
