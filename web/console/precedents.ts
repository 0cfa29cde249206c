/** Verdicts by the names under which they are cited: the start of a match's id, and a version. */

import { html, type TemplateResult } from "lit";
import { path } from "./address.ts";
import { knownMatches } from "./tokens.ts";

/** The name of a verdict, as a link if this browser knows the match. */
export function precedentLink(name: string): TemplateResult {
  const [start = "", at = ""] = name.split("-");
  const match = knownMatches().find((each) => each.replaceAll("-", "").startsWith(start));
  if (!match) return html`<code>${name}</code> `;
  return html`<a href=${path({ page: "disputes", match }, { verdict: at })}><code>${name}</code></a> `;
}
