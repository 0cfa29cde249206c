/** All there is to say of one event: what followed, and by which rules, with which figures. */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { html, LitElement, nothing } from "lit";
import type { MatchSource } from "../board/match_source.ts";
import { asEmethError, type ExplainEventResponse } from "../client/index.ts";

class EmethExplanation extends LitElement {
  static override properties = {
    source: { attribute: false },
    version: { attribute: false },
    found: { state: true },
    trouble: { state: true },
  };
  declare source: MatchSource;
  declare version: bigint;
  declare found: ExplainEventResponse | undefined;
  declare trouble: string;

  constructor() {
    super();
    this.found = undefined;
    this.trouble = "";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("version") || changed.has("source")) void this.#load(this.version);
  }

  async #load(version: bigint): Promise<void> {
    try {
      const found = await this.source.explain?.(version);
      if (version === this.version) [this.found, this.trouble] = [found, ""];
    } catch (failure) {
      if (version === this.version) this.trouble = asEmethError(failure).rawMessage;
    }
  }

  override render() {
    if (this.trouble) return html`<p class="trouble" role="alert">${this.trouble}</p>`;
    const { found } = this;
    const event = found?.event;
    if (!event) return nothing;
    const facts = event.facts.map(({ sentence }) => sentence).filter(Boolean);
    const rulings = event.rulings.map(({ sentence }) => sentence).filter(Boolean);
    const when = event.at ? timestampDate(event.at).toLocaleString() : "";
    return html`<section class="explanation" aria-label="Why" tabindex="0">
      <h2>Event ${event.version}</h2>
      <p class="note">${when} <code>${event.action?.notation ?? ""}</code></p>
      ${list("What followed", facts)} ${list("Why", rulings)}
      ${
        found.rules.length
          ? html`<details>
              <summary>${found.rules.length} ${found.rules.length === 1 ? "rule" : "rules"}</summary>
              <dl>
                ${found.rules.map(
                  ({ rule, meaning, source }) => html`<dt><code>${rule}</code></dt>
                    <dd>${meaning} <span class="note">${source}</span></dd>`,
                )}
              </dl>
            </details>`
          : nothing
      }
    </section>`;
  }
}

function list(title: string, lines: readonly string[]) {
  if (!lines.length) return nothing;
  return html`<h3>${title}</h3><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

customElements.define("emeth-explanation", EmethExplanation);
