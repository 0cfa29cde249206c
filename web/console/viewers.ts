/** View as this browser can look at a match. */

import { html, nothing, type TemplateResult } from "lit";
import { named } from "../board/words.ts";
import type { Emeth } from "../client/index.ts";
import { path } from "./address.ts";
import { knowing } from "./codes.ts";
import { mine } from "./mine.ts";
import { tabs } from "./page.ts";
import { rolesOf, tokensOf } from "./tokens.ts";

/** A role, and the service as it answers to that role. */
export interface Viewer {
  role: string;
  service: Emeth;
}

/**
 * The role in which this browser looks at a match: the one that is wanted, or the best that it holds. A
 * spectator if it holds none, as at a public match or at one that an invite code shows.
 */
export function viewerOf(
  service: Emeth,
  matchId: string,
  wanted: string,
  better: readonly string[] = [],
): Viewer {
  const tokens = tokensOf(matchId);
  const role = [wanted, ...better, ...rolesOf(tokens)].find((each) => each in tokens);
  const token = role === undefined ? undefined : tokens[role];
  return token ? { role: role ?? "", service: service.with(token) } : { role: "spectator", service: knowing(service, matchId) };
}

/** Links to this page for each match of this browser, where the address names none. */
export function matchLinksTo(page: string): TemplateResult {
  const own = mine().matches;
  const named = own.map(
    ({ match }) => html`<li><a href=${path({ page, match: match.matchId })}>${match.title || match.caption}</a></li>`,
  );
  return own.length
    ? html`<h2>Choose a match</h2><ul class="choose-match">${named}</ul>`
    : html`<p>This page is of one match: open it from there. This browser has none yet.
        <a href=${path({})}>Start a new game</a></p>`;
}

/** Links to this page as each role that the browser holds; nothing if there is but one. */
export function roleTabs(page: string, match: string, current: string): TemplateResult | typeof nothing {
  const roles = rolesOf(tokensOf(match));
  if (roles.length < 2) return nothing;
  return tabs(
    "View as",
    roles.map((role) => ({
      name: named(role),
      href: path({ page, match, as: role }),
      current: role === current,
    })),
  );
}
