/** The lobby: games to begin, this browser's matches, and all others. */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { html, LitElement, nothing } from "lit";
import { named } from "../board/words.ts";
import {
  asEmethError,
  type Emeth,
  type GameSummary,
  type Match,
  MatchOrder,
  MatchStatus,
} from "../client/index.ts";
import { path } from "./address.ts";
import { knownMatches } from "./tokens.ts";

const PAGE = 30;

class EmethLobby extends LitElement {
  static override properties = {
    service: { attribute: false },
    games: { state: true },
    found: { state: true },
    next: { state: true },
    game: { state: true },
    trouble: { state: true },
  };
  declare service: Emeth;
  declare games: readonly GameSummary[];
  declare found: readonly Match[] | undefined;
  declare next: string;
  declare game: string;
  declare trouble: string;

  constructor() {
    super();
    this.games = [];
    this.found = undefined;
    this.next = "";
    this.game = "";
    this.trouble = "";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override firstUpdated(): void {
    document.title = "Emeth";
    void this.#load();
  }

  async #load(pageToken = ""): Promise<void> {
    const { game } = this;
    const request = { game, order: MatchOrder.UPDATED_DESC, pageSize: PAGE, pageToken };
    try {
      const [games, page] = await Promise.all([
        this.games.length ? { games: this.games } : this.service.matches.listGames({}),
        this.service.matches.listMatches(request),
      ]);
      this.games = games.games;
      this.found = pageToken ? [...(this.found ?? []), ...page.matches] : page.matches;
      this.next = page.nextPageToken;
      this.trouble = "";
    } catch (failure) {
      this.trouble = asEmethError(failure).rawMessage;
    }
  }

  override render() {
    const own = new Set(knownMatches());
    const [mine, others] = parted(this.found ?? [], ({ matchId }) => own.has(matchId));
    return html`
      <header class="lobby-head"><h1>Emeth</h1><p>Five games, refereed by their rules.</p>
        <nav class="ways" aria-label="More">
          <a href=${path({ page: "rules" })}>Rules</a>
          <a href=${path({ page: "cards" })}>Cards and pieces</a>
          <a href=${path({ page: "armies" })}>Armies</a>
          <a href=${path({ page: "table" })}>Tables</a>
          <a href=${path({ page: "proofs" })}>Proofs</a>
        </nav></header>
      <main class="lobby">
        ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
        ${mine.length ? this.#section("Your matches", mine) : nothing}
        <section aria-labelledby="begin">
          <h2 id="begin">Begin a match</h2>
          <ul class="games">
            ${this.games.map(
              ({ slug, name, summary }) => html`<li>
                <a href=${path({ game: slug })}><b>${name}</b><span>${summary}</span></a>
              </li>`,
            )}
          </ul>
        </section>
        ${this.#section(mine.length ? "Other matches" : "Matches", others, true)}
      </main>
    `;
  }

  #section(title: string, matches: readonly Match[], all = false) {
    return html`<section aria-label=${title}>
      <div class="row">
        <h2>${title}</h2>
        ${all ? this.#filter() : nothing}
      </div>
      <ul class="matches">${matches.map((match) => this.#row(match))}</ul>
      ${this.found && !matches.length ? html`<p class="note">None yet.</p>` : nothing}
      ${
        all && this.next
          ? html`<button @click=${() => this.#load(this.next)}>More</button>`
          : nothing
      }
    </section>`;
  }

  #filter() {
    const change = (event: Event): void => {
      this.game = (event.target as HTMLSelectElement).value;
      void this.#load();
    };
    return html`<label>of <select @change=${change}>
      <option value="">all games</option>
      ${this.games.map(({ slug, name }) => html`<option value=${slug}>${name}</option>`)}
    </select></label>`;
  }

  #row(match: Match) {
    const game = this.games.find(({ slug }) => slug === match.game)?.name ?? match.game;
    const seats = match.seats.map(({ name, player }) => player || named(name)).join(" – ");
    const when = match.updatedAt ? ago(timestampDate(match.updatedAt)) : "";
    const over = match.status === MatchStatus.OVER;
    return html`<li class=${over ? "over" : ""}>
      <a href=${path({ match: match.matchId })}>
        <b>${match.title || game}</b>
        <span>${match.title ? `${game}: ` : ""}${seats}</span>
        <span>${match.caption}</span>
        <span class="note">${when}</span>
      </a>
    </li>`;
  }
}

function parted<T>(items: readonly T[], is: (item: T) => boolean): [T[], T[]] {
  return [items.filter(is), items.filter((item) => !is(item))];
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

function ago(then: Date): string {
  const seconds = (then.getTime() - Date.now()) / 1000;
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return words.format(Math.round(seconds / length), unit);
  }
  return "just now";
}

customElements.define("emeth-lobby", EmethLobby);
