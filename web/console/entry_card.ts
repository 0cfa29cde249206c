/** An entry of a catalog as a card. */

import { html, nothing, type TemplateResult } from "lit";
import type { ContentEntry } from "../client/index.ts";
import { words } from "./options.ts";
import { counted } from "./page.ts";

/** The card; `action` is what can be done with it. */
export function entryCard(entry: ContentEntry, action: unknown = nothing): TemplateResult {
  const { kind, name, size, points, factions, lines, description: about, attributes } = entry;
  // What the lines of the card say already is not said again.
  const isSaid = (text: string): boolean => {
    return lines.some((line) => text.includes(line) || line.endsWith(` ${text}`));
  };
  const rest = Object.entries(attributes)
    .filter(([key, value]) => value && !key.endsWith(":") && key !== "source" && !isSaid(value))
    .sort(([one], [other]) => one.localeCompare(other));
  const head = [words(kind), size && words(size), points ? counted(points, "point") : ""];
  return html`<article class="card">
    <h3>${name}</h3>
    <p class="note">${head.filter(Boolean).join(", ")}</p>
    ${isSaid(about) ? nothing : html`<p>${about}</p>`}
    ${lines.length ? html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>` : nothing}
    ${
      factions.length || rest.length
        ? html`<dl class="note">
            ${factions.length ? row("factions", factions.map(words).join(", ")) : nothing}
            ${rest.map(([key, value]) => row(key, value))}
          </dl>`
        : nothing
    }
    ${action}
  </article>`;
}

function row(name: string, value: string): TemplateResult {
  return html`<div><dt>${words(name.replace(/:$/, ""))}</dt><dd>${value}</dd></div>`;
}
