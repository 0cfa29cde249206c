/** The console: the lobby, a match, or one of the other pages. */

import { html, LitElement, nothing } from "lit";
import { asEmethError, Emeth } from "../client/index.ts";
import { type Address, followed, readAddress } from "./address.ts";
import "./lobby.ts";
import "./match_page.ts";
import { beginMine } from "./mine.ts";
import "./home_link.ts";
import { load, type Show } from "./pages.ts";
import { keepReceipts } from "./receipts.ts";

const service = new Emeth({
  baseUrl: location.origin,
  client: "console/1",
  interceptors: [keepReceipts],
});

beginMine(service);

class EmethConsole extends LitElement {
  static override properties = {
    address: { state: true },
    opened: { state: true },
    trouble: { state: true },
  };
  declare address: Address;
  /** The page that was loaded last. */
  declare opened: { page: string; show: Show } | undefined;
  declare trouble: string;

  constructor() {
    super();
    this.address = readAddress();
    this.opened = undefined;
    this.trouble = "";
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
    const { match, as, at, game, query } = this.address;
    const page = game ? "new" : this.address.page;
    if (page) return this.#page(page, query);
    if (match) {
      return html`<emeth-match-page .service=${service} .matchId=${match} .as=${as} .at=${at}>
      </emeth-match-page>`;
    }
    return html`<emeth-lobby .service=${service}></emeth-lobby>`;
  }

  /** A page that is loaded when it is first opened. */
  #page(page: string, query: URLSearchParams) {
    if (this.opened?.page === page) return this.opened.show(service, query);
    void this.#load(page);
    if (!this.trouble) return nothing;
    return html`
      <header class="page-head"><emeth-home-link></emeth-home-link><h1>Not found</h1></header>
      <main class="outside"><p class="trouble" role="alert">${this.trouble}</p></main>
    `;
  }

  async #load(page: string): Promise<void> {
    try {
      const show = await load(page);
      this.trouble = "";
      this.opened = { page, show };
    } catch (failure) {
      this.trouble = asEmethError(failure).rawMessage;
    }
  }
}

customElements.define("emeth-console", EmethConsole);
