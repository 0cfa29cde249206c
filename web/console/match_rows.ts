/** Matches in lists: what they are, who plays, what goes on, and the clocks. */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { html, nothing, type TemplateResult } from "lit";
import "../board/clocks.ts";
import { named } from "../board/words.ts";
import { type Game, type Match, MatchStatus } from "../client/index.ts";
import { path } from "./address.ts";

/** One match, as an entry of a list that leads to it. */
export function matchRow(
  match: Match,
  games: readonly Game[],
  { isMyTurn = false, more = nothing as unknown } = {},
): TemplateResult {
  const game = gameName(match.game, games);
  const seats = match.seats.map(({ name, player }) => player || named(name)).join(" – ");
  const over = match.status === MatchStatus.OVER;
  return html`<li class="${over ? "over" : ""} ${isMyTurn ? "mine" : ""}">
    <a href=${path({ match: match.matchId })}>
      <b>${match.title || game}</b>
      <span>${match.title ? `${game}: ` : ""}${seats}</span>
      <span>${isMyTurn ? html`<span class="turn-mark">Your turn.</span> ` : nothing}${match.caption}</span>
      <span class="note">${match.updateTime ? ago(timestampDate(match.updateTime)) : ""}</span>
      ${over || !match.clocks ? nothing : html`<emeth-clocks .clocks=${match.clocks}></emeth-clocks>`}
    </a>
    ${more}
  </li>`;
}

export function gameName(slug: string, games: readonly Game[]): string {
  return games.find((each) => each.slug === slug)?.name ?? named(slug);
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** How long ago something was, in words. */
export function ago(then: Date): string {
  const seconds = (then.getTime() - Date.now()) / 1000;
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return words.format(Math.round(seconds / length), unit);
  }
  return "just now";
}
