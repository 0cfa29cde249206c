/**
 * Conditional moves as people write them: a line for each condition, `WHAT THEY DO -> WHAT YOU DO`, indented by two
 * blanks under the one that it follows. `*` is anything, `SEAT: ACTION` what one of several does, and
 * ` & ` separates several answers.
 */

import type { ConditionalMove, ConditionalMoves } from "../client/index.ts";

const STEP = "  ";
const ANY = "*";
const AND = " & ";

/** As much of a move as is sent. */
export type Move = Pick<ConditionalMove, "parent" | "triggerSeat" | "triggerAction" | "responses">;

/** The moves that a text writes. Throws an Error for a line that follows nothing. */
export function readMoves(text: string, seats: readonly string[]): Move[] {
  const moves: Move[] = [];
  const open: number[] = [];
  for (const line of text.split("\n").filter((each) => each.trim())) {
    const depth = (line.length - line.trimStart().length) / STEP.length;
    if (!Number.isInteger(depth) || depth > open.length) {
      throw new Error(`Indent by two spaces under the line that it follows: ${line.trim()}`);
    }
    open.length = depth;
    moves.push({ ...read(line.trim(), seats), parent: open.at(-1) ?? 0 });
    open.push(moves.length);
  }
  return moves;
}

function read(line: string, seats: readonly string[]): Omit<Move, "parent"> {
  const [condition = "", ...rest] = line.split("->");
  const said = rest.join("->").split(AND).map((each) => each.trim()).filter(Boolean);
  const by = seats.find((seat) => condition.trim().startsWith(`${seat}: `)) ?? "";
  const on = condition.trim().slice(by ? by.length + 2 : 0).trim();
  return { triggerSeat: by, triggerAction: on === ANY ? "" : on, responses: said };
}

/** A conditional move, with those that follow it. */
export interface Branch {
  /** Its number in the list, from 1. */
  number: number;
  move: ConditionalMove;
  then: readonly Branch[];
}

/** What may still come of conditional moves that wait, each with what follows it. */
export function branchesOf({ moves, awaiting }: Pick<ConditionalMoves, "moves" | "awaiting">): Branch[] {
  const below = (parent: number): Branch[] => numbered.filter(({ move }) => move.parent === parent).map(grown);
  const grown = ({ number, move }: { number: number; move: ConditionalMove }): Branch => ({ number, move, then: below(number) });
  const numbered = moves.map((move, place) => ({ number: place + 1, move }));
  return numbered.filter(({ number }) => awaiting.includes(number)).map(grown);
}

/** These branches as a list of their own, without the one of this number. */
export function movesOf(branches: readonly Branch[], without = 0): Move[] {
  const moves: Move[] = [];
  const add = (each: Branch, parent: number): void => {
    if (each.number === without) return;
    const { triggerSeat, triggerAction, responses } = each.move;
    const at = moves.push({ triggerSeat, triggerAction, responses, parent });
    for (const next of each.then) add(next, at);
    // What neither responds nor leads on is no move.
    if (!responses.length && moves.length === at) moves.pop();
  };
  for (const each of branches) add(each, 0);
  return moves;
}

/** Conditional moves in the same form. */
export function writeMoves(moves: readonly Move[]): string {
  const depths: number[] = [];
  return moves
    .map(({ parent, triggerSeat, triggerAction, responses }) => {
      const depth = parent ? (depths[parent - 1] ?? 0) + 1 : 0;
      depths.push(depth);
      const answer = responses.length ? ` -> ${responses.join(AND)}` : "";
      return `${STEP.repeat(depth)}${triggerSeat && `${triggerSeat}: `}${triggerAction || ANY}${answer}`;
    })
    .join("\n");
}
