/** What the bots of a service can be asked. */

import type { Emeth } from "../client/index.ts";

/** Has the service bots that play this game? Where nobody answers, there is nothing to offer. */
export async function offersBots(service: Emeth, game: string): Promise<boolean> {
  try {
    return !!(await service.games.getGame({ game })).game?.botLevels.length;
  } catch {
    return false;
  }
}

/** A chance to win, as people read it. */
export function percent(chance: number): string {
  return `${Math.round(100 * chance)} %`;
}
