/** Rules by their ids, as links to the rules page. */

import { html, type TemplateResult } from "lit";
import { path } from "./address.ts";

/** A link to one rule, with where the match rests on it. */
export function ruleLink(rule: string, game: string, match = ""): TemplateResult {
  return html`<a href=${path({ page: "rules", match }, { game, rule })}><code>${rule}</code></a>`;
}

/** Links to several. */
export function ruleLinks(rules: readonly string[], game: string, match = ""): TemplateResult[] {
  return rules.map((rule, index) => html`${index ? ", " : ""}${ruleLink(rule, game, match)}`);
}
