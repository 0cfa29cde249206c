/** The way back to the first page, with how many other matches wait for whoever looks. */

import { html, LitElement, nothing } from "lit";
import { path } from "./address.ts";
import { mine } from "./mine.ts";

class EmethHomeLink extends LitElement {
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
    const { waiting } = mine();
    const words = waiting === 1 ? "1 other match waits for you" : `${waiting} other matches wait for you`;
    return html`<a href=${path({})}>Emeth${
      waiting ? html` <span class="badge" title=${words}>${waiting}<span class="unseen"> ${words}</span></span>` : nothing
    }</a>`;
  }
}

customElements.define("emeth-home-link", EmethHomeLink);
