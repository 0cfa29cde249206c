/** A referee's answer to a dispute: what happened, what each verdict would mean, and the verdict. */

import { html, nothing, type TemplateResult } from "lit";
import {
  type Dispute,
  type Event as MatchEvent,
  type ExplainEventResponse,
  type Match,
  persistently,
  requestId,
  type ResolveDisputeRequest,
  type Rule,
} from "../client/index.ts";
import { Page } from "./page.ts";
import { precedentLink } from "./precedents.ts";
import { ruleLink } from "./rule_links.ts";
import "./still.ts";

type Decision = ResolveDisputeRequest["decision"];
const KINDS = [
  ["uphold", "Uphold the event"],
  ["revertTo", "Revert the match to a version"],
  ["correction", "Correct the position by facts"],
] as const;

class EmethVerdictForm extends Page {
  static override properties = {
    ...Page.properties,
    match: { attribute: false },
    events: { attribute: false },
    dispute: { attribute: false },
    found: { state: true },
    rules: { state: true },
    cited: { state: true },
    kind: { state: true },
    back: { state: true },
    facts: { state: true },
    drawn: { state: true },
  };
  declare match: Match;
  declare events: readonly MatchEvent[];
  declare dispute: Dispute;
  declare found: ExplainEventResponse | undefined;
  /** The game's rules. */
  declare rules: readonly Rule[];
  /** The ids of the rules that the verdict is to rest on. */
  declare cited: readonly string[];
  declare kind: (typeof KINDS)[number][0];
  /** The version that the line would go back to. */
  declare back: number;
  /** Facts as JSON, one a line. */
  declare facts: string;
  /** The match at that version. */
  declare drawn: string;

  constructor() {
    super();
    this.found = undefined;
    this.rules = [];
    this.cited = [];
    this.kind = "uphold";
    this.back = 0;
    this.facts = "";
    this.drawn = "";
  }

  override firstUpdated(): void {
    void this.attempt(() => this.#load());
  }

  async #load(): Promise<void> {
    const { service, match, dispute } = this;
    const { matchId, version } = dispute;
    const [found, game] = await Promise.all([
      service.audit.explainEvent({ matchId, version, viewMask: { paths: ["svg"] } }),
      service.games.getGame({ game: match.game }),
    ]);
    this.found = found;
    this.rules = game.game?.rules ?? [];
    this.facts = found.factsJson.join("\n");
    this.cited = found.rules.slice(0, 1).map(({ rule }) => rule);
    await this.#goBack(version > 1 ? version - 1 : 1);
  }

  /** Show what the board would be. */
  async #goBack(version: number): Promise<void> {
    this.back = version;
    const pointInTime = { case: "version", value: version } as const;
    const view = await this.attempt(() => this.service.view(this.dispute.matchId, ["svg"], { pointInTime }));
    if (version === this.back && view) this.drawn = view.svg;
  }

  override render() {
    const { found } = this;
    return html`
      ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
      ${found ? this.#evidence(found) : nothing}
      ${found ? this.#form(found) : nothing}
    `;
  }

  /** The boards before and after, what followed and why, and what was decided before. */
  #evidence({ before, after, event, rules, taps }: ExplainEventResponse) {
    const drawing = (each: typeof before, label: string) =>
      each?.svg
        ? html`<figure><emeth-still .svg=${each.svg} label=${label}></emeth-still>
            <figcaption>${label}</figcaption></figure>`
        : nothing;
    const lines = [
      ...(event?.facts ?? []).map(({ sentence }) => sentence),
      ...(event?.rulings ?? []).map(({ sentence }) => sentence),
    ].filter(Boolean);
    const precedents = [...new Set(rules.flatMap((each) => each.precedentIds))];
    return html`<div class="stills">${drawing(before, "Before")}${drawing(after, "After")}</div>
      <ul class="lines">${lines.map((line) => html`<li>${line}</li>`)}</ul>
      ${taps.length ? html`<p class="note">Stylus taps: ${taps.map(({ target, code }) => target || code).join(", ")}</p>` : nothing}
      ${
        precedents.length
          ? html`<p class="note">Precedents for these rules: ${precedents.map(precedentLink)}</p>`
          : html`<p class="note">No earlier verdict is about these rules.</p>`
      }`;
  }

  #form(found: ExplainEventResponse) {
    return html`<form class="verdict" @submit=${this.#give}>
      <fieldset>
        <legend>Verdict</legend>
        ${KINDS.map(
          ([kind, words]) => html`<label class="row"><input type="radio" name="kind" value=${kind}
            ?checked=${kind === this.kind} @change=${() => (this.kind = kind)} /> ${words}</label>`,
        )}
      </fieldset>
      ${this.kind === "revertTo" ? this.#reverting() : nothing}
      ${this.kind === "correction" ? this.#correcting() : nothing}
      ${this.#resting(found)}
      <div class="field">
        <label for="verdict-reason">Reason</label>
        <textarea id="verdict-reason" name="reason" rows="3" maxlength="1000" required></textarea>
      </div>
      <p><button class="main" ?disabled=${this.busy}>Resolve dispute</button></p>
    </form>`;
  }

  #reverting(): TemplateResult {
    const choose = (event: Event): void => {
      void this.#goBack(Number((event.target as HTMLSelectElement).value));
    };
    return html`<div class="field">
        <label for="back">Revert to</label>
        <select id="back" @change=${choose}>
          ${[...this.events].reverse().map(
            ({ version, sentence }) => html`<option value=${version} ?selected=${version === this.back}>
              ${version}: ${sentence}</option>`,
          )}
        </select>
      </div>
      <figure class="stills"><emeth-still .svg=${this.drawn} label="Board at that version"></emeth-still></figure>`;
  }

  #correcting(): TemplateResult {
    const change = (event: Event): void => {
      this.facts = (event.target as HTMLTextAreaElement).value;
    };
    return html`<div class="field">
      <label for="facts">Facts, one per line</label>
      <textarea id="facts" rows="5" spellcheck="false" .value=${this.facts} @input=${change}
        aria-describedby="facts-about"></textarea>
      <p class="note" id="facts-about">
        The facts apply to the present position. The form starts with the facts of the disputed event.
      </p>
    </div>`;
  }

  #resting(found: ExplainEventResponse): TemplateResult {
    const add = (event: Event): void => {
      const input = event.target as HTMLInputElement;
      if (!this.rules.some(({ id }) => id === input.value)) return;
      this.cited = [...new Set([...this.cited, input.value])];
      input.value = "";
    };
    const offered = new Set([...found.rules.map(({ rule }) => rule), ...this.cited]);
    const toggle = (rule: string) => (): void => {
      const has = this.cited.includes(rule);
      this.cited = has ? this.cited.filter((each) => each !== rule) : [...this.cited, rule];
    };
    return html`<fieldset>
      <legend>Based on</legend>
      ${[...offered].map((rule) => {
        const meaning = this.rules.find(({ id }) => id === rule)?.meaning ?? "";
        return html`<div class="row ruled">
          <label class="row"><input type="checkbox" .checked=${this.cited.includes(rule)}
            @change=${toggle(rule)} /> ${meaning}</label>
          <span class="note">${ruleLink(rule, this.match.game, this.match.matchId)}</span>
        </div>`;
      })}
      <div class="field">
        <label for="rule">Add a rule</label>
        <input id="rule" list="rules" autocomplete="off" placeholder="rule ID" @change=${add} />
        <datalist id="rules">
          ${this.rules.map(({ id, meaning }) => html`<option value=${id}>${meaning}</option>`)}
        </datalist>
      </div>
    </fieldset>`;
  }

  #decision(): Decision {
    switch (this.kind) {
      case "uphold":
        return { case: "uphold", value: true };
      case "revertTo":
        return { case: "revertTo", value: this.back };
      case "correction": {
        const factsJson = this.facts.split("\n").filter((line) => line.trim());
        return { case: "correction", value: { $typeName: "emeth.v1.Correction", factsJson } };
      }
    }
  }

  #give = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const reason = this.querySelector<HTMLTextAreaElement>("#verdict-reason")?.value ?? "";
    const { matchId, number: disputeNumber } = this.dispute;
    const request = {
      requestId: requestId(),
      matchId,
      disputeNumber,
      reason,
      rules: [...this.cited],
      decision: this.#decision(),
    };
    const { audit } = this.service;
    const given = await this.attempt(() => persistently(() => audit.resolveDispute(request)));
    const verdict = given?.dispute?.verdict;
    if (verdict) this.dispatchEvent(new CustomEvent("verdict-given", { detail: verdict.version }));
  };
}

customElements.define("emeth-verdict-form", EmethVerdictForm);
