/**
 * Choosing among legal actions by pointing at their parts. Knows no game: an action is a list of
 * pieces, the acting one first, spaces in the order of pointing, and cards.
 */

import type { Action } from "../client/index.ts";

/** What was pointed at: a piece, a space, or a piece and the space that it stands on. */
export interface Spot {
  piece?: string;
  space?: string;
}

/** One step of the choice. */
export type Pick = Spot | { verb: string };

/** Actions that are left, each with what of it was not pointed at yet. */
interface Candidate {
  action: Action;
  pieces: string[];
  spaces: string[];
  cards: string[];
}

/** How well a pick fits an action; 0: not at all. */
const FIT = { none: 0, anywhere: 1, next: 2, acting: 3 } as const;

/** What the picks leave. */
export class Narrowing {
  readonly #left: Candidate[];
  readonly #started: boolean;

  constructor(actions: readonly Action[], picks: readonly Pick[] = []) {
    let left = actions.map(
      (action): Candidate => ({
        action,
        pieces: [...action.pieces],
        spaces: [...action.spaces],
        cards: [...action.cards],
      }),
    );
    let started = false;
    for (const pick of picks) {
      if ("verb" in pick) {
        left = left.filter(({ action }) => action.verb === pick.verb);
        continue;
      }
      left = best(left, pick, started);
      started = true;
    }
    this.#left = left;
    this.#started = started;
  }

  /** The actions that are left. Those of which all was pointed at come first. */
  get actions(): Action[] {
    const whole = this.#left.filter(isWhole);
    const rest = this.#left.filter((each) => !isWhole(each));
    return [...whole, ...rest].map(({ action }) => action);
  }

  /** The one action of which all was pointed at; undefined if there are none or several. */
  get whole(): Action | undefined {
    const found = this.#left.filter(isWhole);
    return this.#started && found.length === 1 ? found[0]?.action : undefined;
  }

  /** Would pointing there leave anything? */
  takes(spot: Spot): boolean {
    return this.#left.some((each) => fit(each, spot, this.#started) > FIT.none);
  }
}

function isWhole({ pieces, spaces, cards }: Candidate): boolean {
  return pieces.length + spaces.length + cards.length === 0;
}

/** The candidates that a spot fits best, without what it stands for. */
function best(candidates: Candidate[], spot: Spot, started: boolean): Candidate[] {
  const fits = candidates.map((each) => fit(each, spot, started));
  const most = Math.max(FIT.none, ...fits);
  if (most === FIT.none) return [];
  return candidates.filter((_, n) => fits[n] === most).map((each) => without(each, spot));
}

function fit({ action, pieces, spaces, cards }: Candidate, spot: Spot, started: boolean): number {
  const { piece, space } = spot;
  const acting = piece !== undefined && action.pieces[0] === piece;
  if (acting && !started) return FIT.acting;
  if (piece !== undefined && (pieces.includes(piece) || cards.includes(piece))) return FIT.next;
  if (space === undefined) return FIT.none;
  if (spaces[0] === space) return FIT.next;
  return spaces.includes(space) ? FIT.anywhere : FIT.none;
}

function without(candidate: Candidate, { piece, space }: Spot): Candidate {
  return {
    action: candidate.action,
    pieces: lessFirst(candidate.pieces, piece),
    spaces: lessFirst(candidate.spaces, space),
    cards: lessFirst(candidate.cards, piece),
  };
}

function lessFirst(list: string[], item: string | undefined): string[] {
  const at = item === undefined ? -1 : list.indexOf(item);
  return at < 0 ? list : list.toSpliced(at, 1);
}
