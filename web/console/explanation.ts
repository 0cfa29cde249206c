/** All there is to say of one event: what followed, and by which rules, with which figures. */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { html, LitElement, nothing } from "lit";
import type { MatchView } from "../board/match_view.ts";
import { named } from "../board/words.ts";
import { asEmethError, type ExplainEventResponse, type Ruling } from "../client/index.ts";
import { path } from "./address.ts";
import { ruleLink } from "./rule_links.ts";

class EmethExplanation extends LitElement {
  static override properties = {
    view: { attribute: false },
    version: { attribute: false },
    game: { attribute: false },
    at: { attribute: false },
    found: { state: true },
    trouble: { state: true },
  };
  declare view: MatchView;
  declare version: number;
  /** The game, where its rules and disputes have pages; undefined where they have none. */
  declare game: string | undefined;
  /** Board shown. */
  declare at: number | undefined;
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
    if (changed.has("version") || changed.has("view")) void this.#load(this.version);
  }

  async #load(version: number): Promise<void> {
    try {
      const found = await this.view.source.explain(version);
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
    const when = event.createTime ? timestampDate(event.createTime).toLocaleString() : "";
    return html`<section class="explanation" aria-label="Why" tabindex="0">
      <h2>Event ${event.version}</h2>
      ${this.#sides(event.version)}
      <p class="note">${when} ${event.client} <code>${event.action?.notation ?? ""}</code></p>
      ${this.#question()}
      ${list("Consequences", facts)} ${this.#rulings(event.rulings)}
      ${
        found.rules.length
          ? html`<details>
              <summary>${found.rules.length} ${found.rules.length === 1 ? "rule" : "rules"}</summary>
              <dl>
                ${found.rules.map(
                  ({ rule, meaning, source }) => html`<dt>${this.#rule(rule)}</dt>
                    <dd>${meaning} <span class="note">${source}</span></dd>`,
                )}
              </dl>
            </details>`
          : nothing
      }
      ${list("Taps", found.taps.map(tapped))}
      ${list(
        "Disputes",
        found.disputes.map(({ seat, reason, verdict }) =>
          `${named(seat)}: ${reason}${verdict ? ` Verdict: ${verdict.reason}` : ""}`,
        ),
      )}
    </section>`;
  }

  #rule(rule: string) {
    if (this.game === undefined) return html`<code>${rule}</code>`;
    return ruleLink(rule, this.game, this.view.source.matchId);
  }

  #question() {
    if (this.game === undefined) return nothing;
    const { matchId: match, role: as } = this.view.source;
    const href = path({ page: "disputes", match, as }, { version: this.version });
    return html`<p class="note"><a href=${href}>Dispute this</a></p>`;
  }

  /** The board shows the match before the event, or after it. */
  #sides(version: number) {
    if (version <= 1) return nothing;
    const { view } = this;
    const shown = view.at ?? view.newest;
    const side = (words: string, at: number) => html`<button
      aria-pressed=${shown === at}
      @click=${() => this.dispatchEvent(new CustomEvent("side-chosen", { detail: at }))}
    >${words}</button>`;
    return html`<p class="row sides" role="group" aria-label="Board shown">
      ${side("Before", version - 1)} ${side("After", version)}
    </p>`;
  }

  #rulings(rulings: readonly Ruling[]) {
    const told = rulings.filter(({ sentence }) => sentence);
    if (!told.length) return nothing;
    return html`<h3>Why</h3>
      <ul>
        ${told.map(({ sentence, figures }) => {
          const all = Object.entries(figures);
          return html`<li>${sentence}
            ${
              all.length
                ? html`<span class="figures">${all.map(
                    ([name, value]) => html`<span>${name.replaceAll("_", " ")} <b>${value}</b></span>`,
                  )}</span>`
                : nothing
            }
          </li>`;
        })}
      </ul>`;
  }
}

function tapped(tap: ExplainEventResponse["taps"][number]): string {
  const { stylusName, stylusId, gatewayName, target, code, withheld, deviceTime } = tap;
  const what = withheld ? "hidden information" : target || code;
  const time = deviceTime ? ` at ${timestampDate(deviceTime).toLocaleTimeString()}` : "";
  return `${stylusName || stylusId || gatewayName}: ${what}${time}`;
}

function list(title: string, lines: readonly string[]) {
  if (!lines.length) return nothing;
  return html`<h3>${title}</h3><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

customElements.define("emeth-explanation", EmethExplanation);
