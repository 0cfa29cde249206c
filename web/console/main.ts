/** The console: the lobby, or a match. */

import { html, LitElement } from "lit";
import { Emeth } from "../client/index.ts";
import { type Address, followed, readAddress } from "./address.ts";
import "./lobby.ts";
import "./match_page.ts";
import "./new_match.ts";

const service = new Emeth({ baseUrl: location.origin, client: "console/1" });

class EmethConsole extends LitElement {
  static override properties = { address: { state: true } };
  declare address: Address;

  constructor() {
    super();
    this.address = readAddress();
  }

  /** The page's one style sheet is for all of it. */
  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("popstate", this.#moved);
    addEventListener("hashchange", this.#moved);
    this.addEventListener("click", followed);
  }

  #moved = (): void => {
    this.address = readAddress();
  };

  override render() {
    const { match, as, at, game } = this.address;
    if (match) {
      return html`<emeth-match-page .service=${service} .matchId=${match} .as=${as} .at=${at}>
      </emeth-match-page>`;
    }
    if (game) return html`<emeth-new-match .service=${service} .game=${game}></emeth-new-match>`;
    return html`<emeth-lobby .service=${service}></emeth-lobby>`;
  }
}

customElements.define("emeth-console", EmethConsole);
