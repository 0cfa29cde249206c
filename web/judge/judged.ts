/** What was judged in this page. */

import type { Verdict } from "./engine.ts";

export interface Judged {
  verdict: Verdict;
  /** The name of the file. */
  file: string;
}

const byMatch = new Map<string, Judged>();

/** What was judged last; undefined before the first file. */
export let latest: Judged | undefined;

/** Remember a verdict; undefined: another file is being judged. */
export function remember(judged: Judged | undefined): void {
  latest = judged;
  if (judged) byMatch.set(judged.verdict.match_id, judged);
}

/** The verdict on the file that a match came from; undefined if it began here. */
export function verdictOn(matchId: string): Verdict | undefined {
  return byMatch.get(matchId)?.verdict;
}
