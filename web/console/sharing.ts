/** Links to a match: for each seat that this browser may give away, and to what is on the page. */

import { html, LitElement, nothing } from "lit";
import { named } from "../board/words.ts";
import { link } from "./address.ts";
import { tokensOf } from "./tokens.ts";

class EmethSharing extends LitElement {
  static override properties = {
    matchId: { attribute: false },
    at: { attribute: false },
    role: { attribute: false },
    copied: { state: true },
  };
  declare matchId: string;
  declare at: bigint | undefined;
  declare copied: string;

  constructor() {
    super();
    this.copied = "";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    const tokens = tokensOf(this.matchId);
    const { spectator, ...others } = tokens;
    const { matchId: match, at } = this;
    const view = spectator
      ? [["To watch", link({ match, at }, { spectator })] as const]
      : [["This page, for who has a link already", link({ match, at }, {})] as const];
    const seats = Object.entries(others).map(
      ([role, token]) => [`To be ${named(role)}`, link({ match }, { [role]: token })] as const,
    );
    return html`<section class="sharing" aria-label="Links">
      ${[...view, ...seats].map(([words, href]) => this.#row(words, href))}
      ${seats.length ? html`<p class="note">Who has the link of a seat can act for it.</p>` : nothing}
    </section>`;
  }

  #row(words: string, href: string) {
    const copy = async (): Promise<void> => {
      try {
        await navigator.clipboard.writeText(href);
        this.copied = words;
      } catch {
        // The browser allows it on secure pages only: the text is there to be copied by hand.
        this.copied = "";
        this.querySelector<HTMLInputElement>(`[data-link="${CSS.escape(words)}"]`)?.select();
      }
    };
    return html`<div class="row">
      <label>${words} <input readonly data-link=${words} .value=${href} /></label>
      <button @click=${copy}>${this.copied === words ? "Copied" : "Copy"}</button>
    </div>`;
  }
}

customElements.define("emeth-sharing", EmethSharing);
