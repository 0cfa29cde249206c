/** What a bot thought when it acted: it thinks again when it is asked, once the match is over. */

import { html, LitElement, nothing } from "lit";
import { named } from "../board/words.ts";
import { asEmethError, type Emeth, type ExplainChoicesResponse } from "../client/index.ts";
import { percent } from "./bots.ts";

class EmethBotThoughts extends LitElement {
  static override properties = {
    service: { attribute: false },
    matchId: { attribute: false },
    version: { attribute: false },
    found: { state: true },
    working: { state: true },
    trouble: { state: true },
  };
  /** With the token of who looks. */
  declare service: Emeth;
  declare matchId: string;
  /** The event by which a bot acted. */
  declare version: bigint;
  declare found: ExplainChoicesResponse | undefined;
  declare working: AbortController | undefined;
  declare trouble: string;

  constructor() {
    super();
    this.#forget();
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.working?.abort();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("version") || changed.has("matchId")) this.#forget();
  }

  #forget(): void {
    this.working?.abort();
    [this.found, this.working, this.trouble] = [undefined, undefined, ""];
  }

  #ask = async (): Promise<void> => {
    const working = new AbortController();
    const { signal } = working;
    const { matchId, version } = this;
    [this.working, this.trouble] = [working, ""];
    try {
      for await (const each of this.service.analysis.explainChoices({ matchId, version }, { signal })) {
        if (!signal.aborted) this.found = each;
      }
    } catch (failure) {
      if (!signal.aborted) this.trouble = asEmethError(failure).rawMessage;
    }
    if (this.working === working) this.working = undefined;
  };

  override render() {
    if (this.found) return this.#told(this.found);
    return html`${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
      ${
        this.working
          ? html`<p class="working" role="status"><span class="note">The bot thinks again …</span>
              <button class="small" @click=${() => this.#forget()}>Stop</button></p>`
          : html`<button @click=${this.#ask}>What did the bot think?</button>`
      }`;
  }

  #told(found: ExplainChoicesResponse) {
    const { action, choice, winChance, level, nodes, expected, considered } = found;
    const others = considered.filter((each) => each.action !== choice);
    const [chosen, ...then] = expected;
    return html`<h3>What the bot thought</h3>
      <p>It gave itself ${percent(winChance)} to win. <span class="note">${named(level)}, positions looked at: ${nodes}</span></p>
      ${choice === action ? nothing : html`<p>Now it would choose otherwise: ${chosen?.sentence || choice}</p>`}
      ${
        then.length
          ? html`<p>Then it expected:</p>
              <ol class="expected">${then.map(
                (step) => html`<li>${step.seat ? `${named(step.seat)}: ` : nothing}${step.sentence || html`<code>${step.action}</code>`}</li>`,
              )}</ol>`
          : nothing
      }
      ${
        others.length
          ? html`<p>It considered, too:</p>
              <ul class="considered">${others.map(
                (each) => html`<li>${each.sentence || html`<code>${each.action}</code>`} (${percent(each.winChance)})</li>`,
              )}</ul>`
          : html`<p>It looked at nothing else: it had no choice, or slipped as lower levels do at times.</p>`
      }`;
  }
}

customElements.define("emeth-bot-thoughts", EmethBotThoughts);
