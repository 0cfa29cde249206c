/** Links to a match: for each seat that this browser may give away, and to what is on the page. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { named } from "../board/words.ts";
import { playerToken } from "./account.ts";
import { link } from "./address.ts";
import { rolesOf, tokensOf } from "./tokens.ts";

class EmethSharing extends LitElement {
  static override properties = {
    matchId: { attribute: false },
    at: { attribute: false },
    role: { attribute: false },
  };
  declare matchId: string;
  declare at: number | undefined;

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    const tokens = tokensOf(this.matchId);
    const { spectator } = tokens;
    const { matchId: match, at } = this;
    const view = spectator
      ? (["Spectator link", link({ match, at }, { spectator })] as const)
      : (["This page, for people who already have access", link({ match, at }, {})] as const);
    // A player's own token is good everywhere: it is in no link.
    const seats = rolesOf(tokens).flatMap((role) => {
      const token = tokens[role];
      if (!token || role === "spectator" || token === playerToken()) return [];
      return [[`Seat link: ${named(role)}`, link({ match }, { [role]: token })] as const];
    });
    return html`<section class="sharing" aria-label="Links">
      ${[view, ...seats].map(([words, href]) => linkRow(words, href))}
      ${seats.length ? html`<p class="note">Anybody with the link of a seat can play for it.</p>` : nothing}
    </section>`;
  }
}

/** A link with its name, and a button that copies it. */
export function linkRow(words: string, href: string): TemplateResult {
  const copy = async ({ currentTarget }: Event): Promise<void> => {
    const button = currentTarget as HTMLButtonElement;
    try {
      await navigator.clipboard.writeText(href);
      button.dataset["copied"] = "";
    } catch {
      // The browser allows it on secure pages only: the text is there to be copied by hand.
      button.parentElement?.querySelector("input")?.select();
    }
  };
  return html`<div class="row">
    <label>${words} <input readonly data-link=${words} .value=${href} /></label>
    <button class="copy" @click=${copy}>Copy</button>
  </div>`;
}

customElements.define("emeth-sharing", EmethSharing);
