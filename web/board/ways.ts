/**
 * What tells the ways of one action apart, so that they can be asked for as a form: amounts of
 * several things, as in payments, or a few values in a row, as of dice. Knows no game.
 */

import type { Action } from "../client/index.ts";

/** Amounts by what is counted, one for each way, in the order of the ways. */
export interface Amounts {
  names: string[];
  ways: Map<string, number>[];
}

const SEPARATORS = /^(?:,| and|, and)? ?/;
const AMOUNT = /^([0-9]{1,3}) ([a-z][a-z-]*)/i;

/** The ways as amounts, if their sentences differ in nothing else and no two have the same. */
export function amountsOf(sentences: readonly string[]): Amounts | undefined {
  const middles = differing(sentences);
  const ways = middles.map(amounts);
  if (!ways.every((way) => way !== undefined)) return undefined;
  const names = [...new Set(ways.flatMap((way) => [...way.keys()]))];
  const keys = ways.map((way) => names.map((name) => way.get(name) ?? 0).join());
  return new Set(keys).size === keys.length ? { names, ways } : undefined;
}

/** What is left of each sentence without the words with which all begin and end. */
export function differing(sentences: readonly string[]): string[] {
  const words = sentences.map((each) => each.split(" "));
  const least = Math.min(...words.map(({ length }) => length));
  const alike = (n: number): boolean => new Set(words.map((each) => each.at(n))).size === 1;
  let begin = 0;
  while (begin < least && alike(begin)) begin += 1;
  let end = 0;
  while (end < least - begin && alike(-1 - end)) end += 1;
  // An amount is told with its name: "1 elan" and "1 life" differ as a whole.
  const isAmount = (each: string[]): boolean => /^[0-9]+$/.test(each[begin - 1] ?? "");
  if (begin && words.every(isAmount)) begin -= 1;
  const isNamed = (each: string[]): boolean => /[0-9]$/.test(each.at(-end - 1) ?? "");
  if (end && words.some(isNamed)) end -= 1;
  return words.map((each) => each.slice(begin, each.length - end).join(" "));
}

function amounts(text: string): Map<string, number> | undefined {
  const found = new Map<string, number>();
  let rest = text.replace(/[.,:;]$/, "");
  while (rest) {
    const amount = AMOUNT.exec(rest);
    if (!amount?.[2]) return undefined;
    found.set(amount[2], (found.get(amount[2]) ?? 0) + Number(amount[1]));
    rest = rest.slice(amount[0].length);
    rest = rest.replace(SEPARATORS, "");
  }
  return found.size ? found : undefined;
}

/** The values of each of the actions' choices, if these tell them apart; undefined if not. */
export function valuesOf(actions: readonly Action[]): string[][] | undefined {
  const length = actions[0]?.choices.length ?? 0;
  if (!length || actions.length < 2) return undefined;
  if (actions.some(({ choices, verb }) => choices.length !== length || verb !== actions[0]?.verb)) {
    return undefined;
  }
  if (new Set(actions.map(({ choices }) => choices.join())).size < actions.length) return undefined;
  return Array.from({ length }, (_, n) => [...new Set(actions.map(({ choices }) => choices[n] ?? ""))]);
}
