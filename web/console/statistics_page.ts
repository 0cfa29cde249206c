/** How public matches went: by seat, ending, opening, length and rule; and a search in what is told of them. */

import type { Duration } from "@bufbuild/protobuf/wkt";
import { html, nothing, type TemplateResult } from "lit";
import { named } from "../board/words.ts";
import {
  type CountDistribution,
  type DurationDistribution,
  type Emeth,
  type FoundEvent,
  type GameStatistics,
  type Game,
  type GetStatisticsResponse,
  type OpeningStatistics,
  type RuleStatistics,
  type SeatStatistics,
  type SnippetPart,
} from "../client/index.ts";
import { note, path } from "./address.ts";
import { words } from "./options.ts";
import { counted, Page, settled, tabs } from "./page.ts";
import { title } from "./title.ts";

class EmethStatisticsPage extends Page {
  static override properties = {
    ...Page.properties,
    games: { state: true },
    counts: { state: true },
    text: { state: true },
    found: { state: true },
    behind: { state: true },
  };
  declare games: readonly Game[];
  declare counts: GetStatisticsResponse | undefined;
  /** What is searched for; empty: nothing. */
  declare text: string;
  declare found: readonly FoundEvent[];
  /** Events that have not been looked at yet. */
  declare behind: number;
  #game = "";
  #opening = "";
  #next = "";
  #search = settled(() => void this.#find());

  constructor() {
    super();
    this.games = [];
    this.counts = undefined;
    this.text = "";
    this.found = [];
    this.behind = 0;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("query")) void this.#load();
  }

  async #load(): Promise<void> {
    const { service } = this;
    this.#game = this.asked("game");
    this.#opening = this.asked("opening");
    this.text = this.asked("text");
    title("Statistics");
    const [game, opening] = [this.#game, this.#opening];
    const loaded = await this.attempt(async () => {
      if (!this.games.length) this.games = (await service.games.listGames({})).games;
      return service.statistics.getStatistics({ game, opening });
    });
    if (game !== this.#game || opening !== this.#opening) return;
    this.counts = loaded;
    await this.#find();
  }

  /** Find what is searched for, from the beginning or the next page of it. */
  async #find(next = ""): Promise<void> {
    const text = this.text.trim();
    if (!text) {
      this.found = [];
      this.#next = "";
      return;
    }
    const answer = await this.attempt(() =>
      this.service.statistics.searchEvents({
        query: text,
        filter: this.#game && `game = "${this.#game}"`,
        pageToken: next,
      }),
    );
    if (!answer || text !== this.text.trim()) return;
    this.found = next ? [...this.found, ...answer.events] : answer.events;
    this.#next = answer.nextPageToken;
    this.behind = answer.unindexedEvents;
  }

  override render() {
    const tab = (slug: string, name: string) => ({
      name,
      href: path({ page: "statistics" }, { game: slug }),
      current: slug === this.#game,
    });
    return this.framed("Statistics", [
      tabs("Games", [tab("", "All games"), ...this.games.map(({ slug, name }) => tab(slug, name))]),
      this.#searched(),
      this.counts && !this.text.trim() ? this.#counted(this.counts) : nothing,
    ]);
  }

  // --- what is told of matches ---------------------------------------------------------------------

  #searched() {
    const typed = (event: Event): void => {
      this.text = (event.target as HTMLInputElement).value;
      note({ page: "statistics" }, { game: this.#game, opening: this.#opening, text: this.text });
      this.#search();
    };
    return html`
      <div class="row filters">
        <label class="wide">Search events of public matches
          <input type="search" maxlength="200" .value=${this.text} @input=${typed} placeholder="for example: captures three" /></label>
      </div>
      ${
        this.text.trim()
          ? html`<section aria-label="Search results">
              <p class="note" role="status">
                ${this.busy ? "Searching …" : counted(this.found.length, "event")}${this.#next ? " and more" : ""}${
                  this.behind ? `; ${this.behind} of the latest events are not searchable yet` : ""
                }
              </p>
              <ul class="found">${this.found.map(foundRow)}</ul>
              ${this.#next ? html`<button @click=${() => void this.#find(this.#next)}>More</button>` : nothing}
            </section>`
          : nothing
      }
    `;
  }

  // --- how they went -------------------------------------------------------------------------------

  #counted({ matches, games, actions, duration, openings, rules }: GetStatisticsResponse) {
    if (!matches) {
      return html`<p class="note">No public match ${this.#opening ? "with this opening " : ""}has ended yet.</p>`;
    }
    return html`
      <p role="status">
        ${counted(matches, "public match", "public matches")}
        ${matches === 1 ? "is" : "are"} over${this.#opening ? html`, begun with <code>${this.#opening}</code>
          (<a href=${path({ page: "statistics" }, { game: this.#game })}>show all</a>)` : nothing}.
        ${actions && duration ? lengths(matches, actions, duration) : nothing}
      </p>
      ${games.map((game) => this.#ofGame(game, games.length > 1))}
      ${openings.length ? this.#openings(openings) : nothing}
      ${rules.length ? this.#rules(rules) : nothing}
    `;
  }

  #ofGame({ game, matches, seats, endings }: GameStatistics, several: boolean) {
    return html`<section class="statistics" aria-label=${this.#named(game)}>
      ${several ? html`<h2>${this.#named(game)}, ${counted(matches, "match", "matches")}</h2>` : html`<h2>Results</h2>`}
      ${table("Results by seat", ["Seat", "Won", "Drawn", "Lost"], seats.map((seat) => [named(seat.seat), ...shares(seat)]))}
      <p class="note">Ended by: ${endings.map(({ reason, matches }) => `${words(reason)} (${matches})`).join(", ")}</p>
    </section>`;
  }

  #openings(openings: readonly OpeningStatistics[]) {
    return html`<section class="statistics" aria-label="Openings"><h2>Openings</h2>
      ${table(
        "Openings",
        ["Opening", "Matches", "Won by"],
        openings.map(({ game, opening, matches, seats }) => [
          html`<a href=${path({ page: "statistics" }, { game, opening })}><code>${opening}</code></a>${
            this.#game ? nothing : html` <span class="note">${this.#named(game)}</span>`
          }`,
          `${matches}`,
          seats.filter(({ won }) => won).map(({ seat, won }) => `${named(seat)} ${won}`).join(", ") || "nobody",
        ]),
      )}
    </section>`;
  }

  #rules(rules: readonly RuleStatistics[]) {
    return html`<section class="statistics" aria-label="Rules"><h2>Rules applied most often</h2>
      ${table(
        "Rules",
        ["Rule", "Events", "Matches"],
        rules.map(({ game, rule, meaning, events, matches }) => [
          html`${meaning || "A rule that no longer exists"}
            <a class="note" href=${path({ page: "rules" }, { game, rule })}><code>${rule}</code></a>`,
          `${events}`,
          `${matches}`,
        ]),
      )}
    </section>`;
  }

  #named(slug: string): string {
    return this.games.find((game) => game.slug === slug)?.name ?? named(slug);
  }
}

function foundRow({ matchId, game, title, event }: FoundEvent) {
  if (!event) return nothing;
  return html`<li>
    <a href=${path({ match: matchId, at: event.version })}>${title || named(game)}, event ${event.version}</a>
    <p>${event.snippet.length ? event.snippet.map(piece) : event.sentence}</p>
  </li>`;
}

function piece({ text, found }: SnippetPart): TemplateResult | string {
  return found ? html`<mark>${text}</mark>` : text;
}

/** Won, drawn and lost, each with its share. */
function shares({ won, drawn, lost }: SeatStatistics): string[] {
  const all = won + drawn + lost;
  return [won, drawn, lost].map((count) => `${count} (${Math.round((100 * count) / all)} %)`);
}

function lengths(matches: number, actions: CountDistribution, took: DurationDistribution): string {
  if (matches === 1) {
    return `The match had ${counted(actions.max, "action")}, and took ${inWords(took.max)}.`;
  }
  return `Half of them had ${counted(actions.median, "action")} or fewer, the longest ${actions.max};
    half took ${inWords(took.median)} or less, the longest ${inWords(took.max)}.`;
}

function inWords(duration: Duration | undefined): string {
  const seconds = Number(duration?.seconds ?? 0);
  if (seconds < 120) return counted(seconds, "second");
  if (seconds < 7200) return counted(Math.round(seconds / 60), "minute");
  if (seconds < 172800) return counted(Math.round(seconds / 3600), "hour");
  return counted(Math.round(seconds / 86400), "day");
}

function table(caption: string, head: readonly string[], rows: readonly (readonly unknown[])[]) {
  return html`<div class="scrolled" tabindex="0" role="region" aria-label=${caption}>
    <table>
      <thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${rows.map(
        ([first, ...rest]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>`,
      )}</tbody>
    </table>
  </div>`;
}

customElements.define("emeth-statistics-page", EmethStatisticsPage);

/** The page for `?page=statistics&game=GAME&opening=ACTIONS&text=WORDS`. */
export function show(service: Emeth, query: URLSearchParams) {
  return html`<emeth-statistics-page .service=${service} .query=${query}></emeth-statistics-page>`;
}
