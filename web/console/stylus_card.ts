/** The screen of a stylus, and the Control Card: everything that can be tapped beside the board. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { type DevicePrompt, Led } from "../client/index.ts";

const LIGHTS: Record<Led, string> = {
  [Led.UNSPECIFIED]: "off",
  [Led.OFF]: "off",
  [Led.BLUE]: "blue",
  [Led.BLUE_BLINKING]: "blinking",
  [Led.RED]: "red",
};
/** The signs of the Control Card, by their numbers from 1. */
const RUNES = ["ᚠ", "ᚢ", "ᚦ", "ᚨ", "ᚱ", "ᚲ"];
const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];
const VIEWS = [
  ["cc army", "Army"],
  ["cc ancients", "Ancients"],
  ["cc map", "Map"],
  ["cc help", "Help"],
] as const;
const MATCH_CARD = [
  ["match undo", "Request takeback"],
  ["match redo", "Redo"],
  ["match agree", "Accept"],
  ["match refuse", "Decline"],
  ["match draw", "Offer draw"],
  ["match dispute", "Dispute"],
  ["match resign", "Resign"],
] as const;
/** Things that may be tapped next that are listed by name. */
const LISTED = 24;

/** Fires `tapped` with the code of what was tapped. */
class EmethStylusCard extends LitElement {
  static override properties = {
    prompt: { attribute: false },
    waiting: { attribute: false },
  };
  declare prompt: DevicePrompt;
  /** Taps that the service has not acknowledged. */
  declare waiting: number;

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    const { prompt } = this;
    return html`<section class="stylus-screen" aria-label="Screen of the stylus">
        <p class="row">
          <span class="led ${LIGHTS[prompt.led]}" role="img" aria-label="Light: ${LIGHTS[prompt.led]}"></span>
          <b>${prompt.text}</b>
        </p>
        <div aria-live="polite">
          ${prompt.events.map(({ sentence }) => html`<p>${sentence}</p>`)}
          ${prompt.refusal ? html`<p class="trouble">${prompt.refusal.why}</p>` : nothing}
        </div>
        ${prompt.screen ? html`<pre tabindex="0">${prompt.screen}</pre>` : nothing}
        <p class="note">
          ${prompt.selected.length ? `Picked: ${prompt.selected.join(", ")}. ` : ""}
          ${prompt.digits ? `Typed: ${prompt.digits}. ` : ""}
          ${this.waiting ? `${this.waiting} on the way.` : ""}
        </p>
      </section>
      <div class="row buttons">
        ${prompt.armed ? html`<p class="armed">${prompt.armed.sentence}${this.#figures()}</p>` : nothing}
        ${this.#key("button page", prompt.pageCount > 1 ? `Page ${prompt.page} of ${prompt.pageCount}` : "Page")}
        ${this.#key("button confirm", "Confirm", prompt.armed ? "main" : "")}
      </div>
      ${this.#runes()} ${this.#next()}
      <div class="digits" role="group" aria-label="Digits">
        ${DIGITS.map((digit) => this.#key(`cc digit ${digit}`, digit))}
      </div>
      <div class="row" role="group" aria-label="Views">
        ${VIEWS.map(([code, words]) => this.#key(code, words, "small"))}
      </div>
      <details>
        <summary>Match card</summary>
        <div class="row">${MATCH_CARD.map(([code, words]) => this.#key(code, words, "small"))}</div>
      </details>`;
  }

  #figures(): string {
    const { armed } = this.prompt;
    const figures = Object.entries(armed?.figures ?? {}).map(([name, value]) => `${name} ${value}`);
    const cost = armed?.cost ? [armed.cost] : [];
    return [...cost, ...figures].length ? ` (${[...cost, ...figures].join(", ")})` : "";
  }

  #runes() {
    const { runes } = this.prompt;
    if (!runes.length) return nothing;
    return html`<ol class="runes" aria-label="Runes">
      ${runes.map(
        ({ sentence, label, cost }, index) => html`<li>
          <button @click=${this.#tap(`cc rune ${index + 1}`)}>
            <span class="rune" aria-hidden="true">${RUNES[index] ?? index + 1}</span>
            <span>${sentence || label}${cost ? ` (${cost})` : ""}</span>
          </button>
        </li>`,
      )}
    </ol>`;
  }

  /** What may be tapped next, for those who do not find it on the board, as cards of a hand. */
  #next() {
    const { nextTargets: next } = this.prompt;
    if (!next.length) return nothing;
    return html`<details>
      <summary>${next.length === 1 ? "One selection" : `${next.length} things`} may be tapped next</summary>
      <div class="row">${next.slice(0, LISTED).map((code) => this.#key(code, code, "small"))}</div>
    </details>`;
  }

  #key(code: string, words: string, look = ""): TemplateResult {
    return html`<button class=${look} @click=${this.#tap(code)}>${words}</button>`;
  }

  #tap(code: string) {
    return (): void => {
      this.dispatchEvent(new CustomEvent("tapped", { detail: code }));
    };
  }
}

customElements.define("emeth-stylus-card", EmethStylusCard);
