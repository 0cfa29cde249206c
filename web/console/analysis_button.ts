/** The way to a match of one's own that begins where another is looked at. */

import { html } from "lit";
import type { MatchView } from "../board/match_view.ts";
import { type Emeth, persistently, requestId } from "../client/index.ts";
import { path, visit } from "./address.ts";
import { keep, tokensOf } from "./tokens.ts";

const LONGEST_TITLE = 80;

/** For a match, by what it is called. */
export function analysisButton(service: Emeth, view: MatchView, name: string) {
  const fork = (): Promise<unknown> =>
    view.command(async () => {
      const { matchId } = view;
      const version = view.at ?? view.newest;
      const title = `Analysis: ${name}`.slice(0, LONGEST_TITLE);
      const request = { requestId: requestId(), matchId, version, title };
      const { matches } = service.with(tokensOf(matchId)[view.role] ?? "");
      const { match, tokens } = await persistently(() => matches.forkMatch(request));
      if (!match) return;
      keep(match.matchId, tokens);
      visit(path({ match: match.matchId }));
    });
  return html`<button
    ?disabled=${view.busy}
    title="Continue from this position in an analysis match of your own"
    @click=${fork}
  >Analyze</button>`;
}
