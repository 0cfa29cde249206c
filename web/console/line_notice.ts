/** Says, above every page, that the service is away. */

import { html, LitElement, nothing } from "lit";
import { serviceLine } from "./service_line.ts";

class EmethLineNotice extends LitElement {
  #changed = (): void => this.requestUpdate();

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    serviceLine.addEventListener("change", this.#changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    serviceLine.removeEventListener("change", this.#changed);
  }

  override render() {
    const words = "Connection lost. Reconnecting...";
    return html`<p class="line-notice" role="status">${serviceLine.isLost ? words : nothing}</p>`;
  }
}

customElements.define("emeth-line-notice", EmethLineNotice);
