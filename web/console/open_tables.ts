/** Matches that anybody may join, as they open, fill and begin. */

import { html, LitElement } from "lit";
import { named } from "../board/words.ts";
import { type Emeth, type Game, type Match } from "../client/index.ts";
import { path } from "./address.ts";
import { gameName } from "./match_rows.ts";
import { clocksOf } from "./match_terms.ts";
import { told } from "./failures.ts";

class EmethOpenTables extends LitElement {
  static override properties = {
    service: { attribute: false },
    games: { attribute: false },
    trouble: { state: true },
  };
  declare service: Emeth;
  declare games: readonly Game[];
  declare trouble: string;
  readonly #open = new Map<string, Match>();
  #stop: AbortController | undefined;

  constructor() {
    super();
    this.games = [];
    this.trouble = "";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.#turn);
    this.#turn();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener("visibilitychange", this.#turn);
    this.#stop?.abort();
  }

  /** A page that nobody looks at leaves its connection to others. */
  #turn = (): void => {
    this.#stop?.abort();
    if (document.hidden) return;
    this.#stop = new AbortController();
    void this.#follow(this.#stop.signal);
  };

  async #follow(signal: AbortSignal): Promise<void> {
    this.#open.clear();
    try {
      for await (const news of this.service.watchLobby("joinable = true", { signal })) {
        if (news.case === "match") this.#open.set(news.value.matchId, news.value);
        if (news.case === "removed") this.#open.delete(news.value);
        this.requestUpdate();
      }
    } catch (failure) {
      this.trouble = told(failure);
    }
  }

  override render() {
    const open = [...this.#open.values()].reverse();
    return html`<section aria-label="Open games">
      <h2>Open games</h2>
      ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : ""}
      <ul class="matches tables-open">${open.map((match) => this.#row(match))}</ul>
      ${open.length ? "" : html`<p class="note">No open games. Start a new game that anybody may join to list it here.</p>`}
    </section>`;
  }

  #row(match: Match) {
    const game = gameName(match.game, this.games);
    const free = match.seats.filter(({ player }) => !player);
    const seats = match.seats.map(({ name, player }) => player || `${named(name)} (open)`).join(" – ");
    return html`<li>
      <a href=${path({ match: match.matchId })}>
        <b>${match.title || game}</b>
        <span>${match.title ? `${game}: ` : ""}${seats}</span>
        <span>${clocksOf(match) || "No clock"}</span>
        <span class="join-mark">Join: ${free.length} of ${match.seats.length} open</span>
      </a>
    </li>`;
  }
}

customElements.define("emeth-open-tables", EmethOpenTables);
