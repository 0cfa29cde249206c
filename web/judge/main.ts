/** The judge: the console's pages, with the service in the page itself. */

import { html, LitElement } from "lit";
import { named } from "../board/words.ts";
import { type Address, followed, path, readAddress, visit } from "../console/address.ts";
import "../console/match_page.ts";
import { load, type Show } from "../console/pages.ts";
import { keepApart } from "../console/tokens.ts";
import type { Handed } from "./match_tools.ts";
import "./match_tools.ts";
import { PageService } from "./page_service.ts";
import { runtime } from "./runtime.ts";
import "./start_page.ts";
import PageWorker from "./worker.ts?worker&inline";

class EmethJudge extends LitElement {
  static override properties = {
    address: { state: true },
    page: { state: true },
    trouble: { state: true },
    next: { state: true },
    opened: { state: true },
  };
  declare address: Address;
  /** The service, once it has started. */
  declare page: PageService | undefined;
  declare trouble: string;
  /** The seat that the screen is to be handed to. */
  declare next: string;
  /** The page that was loaded last. */
  declare opened: { page: string; show: Show } | undefined;

  constructor() {
    super();
    // A service at the same address has matches of its own.
    keepApart("emeth.judge.tokens");
    this.address = readAddress();
    this.page = undefined;
    this.trouble = "";
    this.next = "";
    this.opened = undefined;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("popstate", this.#moved);
    this.addEventListener("click", followed);
    void this.#start();
  }

  async #start(): Promise<void> {
    try {
      this.page = await PageService.start(() => new PageWorker(), await runtime());
    } catch (failure) {
      this.trouble = failure instanceof Error ? failure.message : String(failure);
    }
  }

  async #load(page: string): Promise<void> {
    try {
      this.opened = { page, show: await load(page) };
    } catch (failure) {
      this.trouble = failure instanceof Error ? failure.message : String(failure);
    }
  }

  #moved = (): void => {
    this.address = readAddress();
    this.next = "";
  };

  override render() {
    const { match, at, game, query } = this.address;
    const { page } = this;
    const other = game ? "new" : this.address.page;
    if (this.trouble) {
      return html`<main class="lobby"><p class="trouble" role="alert">The judge cannot start: ${this.trouble}</p></main>`;
    }
    if (page && other) {
      if (this.opened?.page === other) return this.opened.show(page.emeth, query);
      void this.#load(other);
    }
    if (page && match && !other) return this.#match(page, match, at);
    return html`<emeth-judge-start .page=${page}></emeth-judge-start>`;
  }

  #match(page: PageService, match: string, at: bigint | undefined) {
    const { as } = this.address;
    if (this.next) return this.#curtain(match, this.next);
    const asked = ({ detail }: CustomEvent<Handed>): void => {
      if (detail.hides) this.next = detail.seat;
      else visit(path({ match, as: detail.seat }));
    };
    return html`<emeth-match-tools .page=${page} .matchId=${match} .as=${as} @seat-asked=${asked}>
      </emeth-match-tools>
      <emeth-match-page .service=${page.emeth} .matchId=${match} .as=${as} .at=${at}></emeth-match-page>`;
  }

  /** Nobody sees the hand of another while the screen is passed on. */
  #curtain(match: string, seat: string) {
    return html`<main class="curtain">
      <h1>${named(seat)}</h1>
      <p>It is your turn. Whoever looks now sees what only you may see.</p>
      <button class="main" @click=${() => visit(path({ match, as: seat }))}>Show me the table</button>
    </main>`;
  }
}

customElements.define("emeth-judge", EmethJudge);
