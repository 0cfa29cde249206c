/** From a match to the pages about it. */

import { html, type TemplateResult } from "lit";
import { path } from "./address.ts";

/** The pages about a match: their name in the address, and for people. */
const ABOUT: readonly (readonly [string, string])[] = [
  ["disputes", "Disputes and verdicts"],
  ["views", "Who sees what"],
  ["proofs", "Proofs and files"],
  ["table", "On-screen stylus"],
];

/** A list of links that opens by a button. */
export function matchLinks(match: string, as: string, game: string): TemplateResult {
  return html`<details class="more">
    <summary>Match pages</summary>
    <ul>
      ${ABOUT.map(([page, words]) => html`<li><a href=${path({ page, match, as })}>${words}</a></li>`)}
      <li><a href=${path({ page: "rules", match }, { game })}>The rules</a></li>
    </ul>
  </details>`;
}
