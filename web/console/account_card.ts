/** Who this browser is, what is new, and whether the browser may tell of it beside the page. */

import { html, LitElement, nothing } from "lit";
import { forgetPlayer, keepPlayer, playerToken } from "./account.ts";
import { path } from "./address.ts";
import { ago } from "./match_rows.ts";
import { mine } from "./mine.ts";
import { canShow } from "./news.ts";

class EmethAccountCard extends LitElement {
  #changed = (): void => this.requestUpdate();

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    mine().addEventListener("change", this.#changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    mine().removeEventListener("change", this.#changed);
  }

  override render() {
    const { name } = mine();
    return html`<div class="account row">
        ${
          playerToken()
            ? html`<p>You are <b>${name || "…"}</b>.</p>
                <button class="small" @click=${forgetPlayer}>Sign out</button>`
            : this.#sign()
        }
        ${this.#asking()}
      </div>
      ${this.#news()}`;
  }

  /** A site with accounts gives its players a token each. */
  #sign() {
    const sign = (event: SubmitEvent): void => {
      event.preventDefault();
      const field = (event.target as HTMLFormElement).elements.namedItem("token") as HTMLInputElement;
      keepPlayer(field.value.trim());
    };
    return html`<details class="sign-in">
      <summary>Sign in</summary>
      <form class="row" @submit=${sign}>
        <label>Player token <input name="token" type="password" required autocomplete="off" /></label>
        <button>Sign in</button>
      </form>
      <p class="note">The site where you have an account issues your player token. The token is stored in this browser only.</p>
    </details>`;
  }

  /** The browser asks its user itself, and only after a click. */
  #asking() {
    if (!canShow() || Notification.permission !== "default") return nothing;
    const ask = async (): Promise<void> => {
      await Notification.requestPermission();
      this.requestUpdate();
    };
    return html`<button class="small" @click=${ask}>Notify me when it is my turn</button>`;
  }

  #news() {
    const { news } = mine();
    if (!news.all.length) return nothing;
    return html`<section class="news" aria-label="Notifications">
      <div class="row">
        <h2>Notifications</h2>
        <button class="small" @click=${() => news.seenOf()}>Mark all as read</button>
      </div>
      <ul>
        ${news.all.map(
          ({ matchId, title, text, at }) => html`<li>
            <a href=${path({ match: matchId })}><b>${title}</b> <span>${text}</span> <span class="note">${ago(at)}</span></a>
          </li>`,
        )}
      </ul>
    </section>`;
  }
}

customElements.define("emeth-account-card", EmethAccountCard);
