/** What a game is played with: its cards, or what armies are built of. */

import { html, nothing } from "lit";
import type { ContentEntry, Emeth, Game } from "../client/index.ts";
import { note, path } from "./address.ts";
import { contentOf, kindsOf, mentions } from "./content.ts";
import { entryCard } from "./entry_card.ts";
import { words } from "./options.ts";
import { counted, Page, tabs } from "./page.ts";
import { title } from "./title.ts";

class EmethCardsPage extends Page {
  static override properties = {
    ...Page.properties,
    games: { state: true },
    entries: { state: true },
    hasArmies: { state: true },
    text: { state: true },
    kind: { state: true },
  };
  /** The games that have something to show. */
  declare games: readonly Game[];
  declare entries: readonly ContentEntry[] | undefined;
  declare hasArmies: boolean;
  declare text: string;
  declare kind: string;
  #game = "";

  constructor() {
    super();
    this.games = [];
    this.entries = undefined;
    this.hasArmies = false;
    this.text = "";
    this.kind = "";
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("query")) return;
    this.text = this.asked("text");
    this.kind = this.asked("kind");
    void this.attempt(() => this.#load(this.asked("game")));
  }

  async #load(asked: string): Promise<void> {
    const { service } = this;
    if (!this.games.length) {
      const { games } = await service.games.listGames({});
      this.games = games.filter(({ hasContent }) => hasContent);
    }
    this.#game = asked || this.games[0]?.slug || "";
    this.entries = await contentOf(service, this.#game);
    const game = this.games.find(({ slug }) => slug === this.#game);
    this.hasArmies = game?.hasArmies ?? false;
    title(`${game?.name}: cards and pieces`);
  }

  override render() {
    return this.framed("Cards and pieces", [
      tabs(
        "Games",
        this.games.map(({ slug, name }) => ({
          name,
          href: path({ page: "cards" }, { game: slug }),
          current: slug === this.#game,
        })),
      ),
      this.entries ? this.#catalog(this.entries) : nothing,
    ]);
  }

  #catalog(entries: readonly ContentEntry[]) {
    const shown = entries.filter(
      (entry) => (!this.kind || entry.kind === this.kind) && mentions(entry, this.text),
    );
    const search = (event: Event): void => {
      this.text = (event.target as HTMLInputElement).value;
      this.#note();
    };
    const choose = (event: Event): void => {
      this.kind = (event.target as HTMLSelectElement).value;
      this.#note();
    };
    return html`
      <div class="row filters">
        <label class="wide">Search <input type="search" .value=${this.text} @input=${search} /></label>
        <label>of <select @change=${choose}>
          <option value="">all kinds</option>
          ${kindsOf(entries).map(
            (kind) => html`<option value=${kind} ?selected=${kind === this.kind}>${words(kind)}</option>`,
          )}
        </select></label>
        ${
          this.hasArmies
            ? html`<a href=${path({ page: "armies" }, { game: this.#game })}>Build an army</a>`
            : nothing
        }
      </div>
      <h2 class="unseen">Content</h2>
      <p class="note" role="status">${counted(shown.length, "entry", "entries")}</p>
      <ul class="cards">${shown.map((entry) => html`<li>${entryCard(entry)}</li>`)}</ul>
    `;
  }

  #note(): void {
    note({ page: "cards" }, { game: this.#game, kind: this.kind, text: this.text });
  }
}

customElements.define("emeth-cards-page", EmethCardsPage);

/** The page for `?page=cards&game=GAME`. */
export function show(service: Emeth, query: URLSearchParams) {
  return html`<emeth-cards-page .service=${service} .query=${query}></emeth-cards-page>`;
}
