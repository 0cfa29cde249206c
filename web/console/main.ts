/** The console: the lobby, a match, or one of the other pages. */

import { html, LitElement, nothing } from "lit";
import { asEmethError, Emeth, Unanswered } from "../client/index.ts";
import { type Address, followed, readAddress } from "./address.ts";
import "./lobby.ts";
import "./match_page.ts";
import { beginMine } from "./mine.ts";
import "./home_link.ts";
import "./line_notice.ts";
import { isPage, load, type Show } from "./pages.ts";
import { keepReceipts } from "./receipts.ts";
import { serviceLine } from "./service_line.ts";

const service = new Emeth({
  baseUrl: location.origin,
  client: "console/1",
  interceptors: [serviceLine.watching, keepReceipts],
});

beginMine(service);

/** The page for which this tab was loaded anew last. */
const anew = new Unanswered("page");

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
    return html`<emeth-line-notice></emeth-line-notice>${this.#shown()}`;
  }

  #shown() {
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
      anew.text = undefined;
      this.trouble = "";
      this.opened = { page, show };
    } catch (failure) {
      if (isPage(page)) await this.#loadAnew(page);
      else this.trouble = asEmethError(failure).rawMessage;
    }
  }

  /** Its part of the code did not come: the service is away, or is of another release by now. */
  async #loadAnew(page: string): Promise<void> {
    serviceLine.suspect();
    await serviceLine.answered();
    if (this.address.page !== page && !this.address.game) return;
    if (anew.text === page) {
      this.trouble = "This page could not be loaded.";
      return;
    }
    anew.text = page;
    location.reload();
  }
}

customElements.define("emeth-console", EmethConsole);
