/** The lobby: what waits for whoever looks, tables to join, games to begin, and all other matches. */

import { html, LitElement, nothing } from "lit";
import {
  type Emeth,
  type Game,
  type Match,
  MatchStatus,
} from "../client/index.ts";
import { path } from "./address.ts";
import "./account_card.ts";
import "./join_form.ts";
import { matchRow } from "./match_rows.ts";
import { mine, type OwnMatch } from "./mine.ts";
import { told } from "./failures.ts";
import "./open_tables.ts";
import { serviceLine } from "./service_line.ts";
import { knownMatches } from "./tokens.ts";
import { title } from "./title.ts";

const PAGE = 30;
/** So many of one's own matches that are over are listed. */
const MOST_OVER = 30;

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
  declare games: readonly Game[];
  declare found: readonly Match[] | undefined;
  declare next: string;
  declare game: string;
  declare trouble: string;
  #changed = (): void => this.requestUpdate();

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

  override connectedCallback(): void {
    super.connectedCallback();
    mine().look("");
    mine().addEventListener("change", this.#changed);
    serviceLine.addEventListener("change", this.#line);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    mine().removeEventListener("change", this.#changed);
    serviceLine.removeEventListener("change", this.#line);
  }

  /** What changed while nobody answered is listed as soon as the service is back. */
  #line = (): void => {
    if (!serviceLine.isLost) void this.#load();
  };

  override firstUpdated(): void {
    title("Emeth");
    void this.#load();
  }

  async #load(pageToken = ""): Promise<void> {
    const { game } = this;
    const filter = game ? `game = "${game}"` : "";
    const request = { filter, orderBy: "update_time desc", pageSize: PAGE, pageToken };
    try {
      const [games, page] = await Promise.all([
        this.games.length ? { games: this.games } : this.service.games.listGames({}),
        this.service.matches.listMatches(request),
      ]);
      this.games = games.games;
      this.found = pageToken ? [...(this.found ?? []), ...page.matches] : page.matches;
      this.next = page.nextPageToken;
      this.trouble = "";
    } catch (failure) {
      this.trouble = told(failure);
    }
  }

  override render() {
    const own = mine().matches;
    const known = new Set(knownMatches());
    const others = (this.found ?? []).filter(
      ({ matchId, status }) => !known.has(matchId) && status !== MatchStatus.WAITING,
    );
    return html`
      <header class="lobby-head"><h1>Emeth</h1><p>Five tabletop games with a computer referee.</p>
        <nav class="ways" aria-label="More">
          <a href=${path({ page: "rules" })}>Rules</a>
          <a href=${path({ page: "cards" })}>Cards and pieces</a>
          <a href=${path({ page: "armies" })}>Armies</a>
          <a href=${path({ page: "table" })}>Tables</a>
          <a href=${path({ page: "proofs" })}>Proofs</a>
          <a href=${path({ page: "statistics" })}>Statistics</a>
        </nav></header>
      <main class="lobby">
        ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
        <emeth-account-card></emeth-account-card>
        ${this.#own(own)}
        <section aria-labelledby="begin">
          <h2 id="begin">New game</h2>
          <ul class="games">
            ${this.games.map(
              ({ slug, name, summary }) => html`<li>
                <a href=${path({ game: slug })}><b>${name}</b><span>${summary}</span></a>
              </li>`,
            )}
          </ul>
        </section>
        <emeth-open-tables .service=${this.service} .games=${this.games}></emeth-open-tables>
        <emeth-join-form .service=${this.service}></emeth-join-form>
        ${this.#section(own.length ? "Other matches" : "Matches", others)}
      </main>
    `;
  }

  /** One's own: those that wait for whoever looks come first. */
  #own(own: readonly OwnMatch[]) {
    if (!own.length) return nothing;
    const isOver = ({ match }: OwnMatch): boolean => match.status === MatchStatus.OVER;
    const goesOn = own.filter((each) => !isOver(each));
    const over = own.filter(isOver).slice(0, MOST_OVER);
    const turns = goesOn.filter(({ isMyTurn }) => isMyTurn);
    const waiting = goesOn.filter(({ isMyTurn }) => !isMyTurn);
    const list = (matches: readonly OwnMatch[]) => html`<ul class="matches">
      ${matches.map(({ match, isMyTurn }) => matchRow(match, this.games, { isMyTurn }))}
    </ul>`;
    return html`<section aria-label="Your matches" class="own">
      <h2>Your matches</h2>
      ${turns.length ? html`<h3>Your turn (${turns.length})</h3>${list(turns)}` : nothing}
      ${waiting.length ? html`<h3>Waiting for others (${waiting.length})</h3>${list(waiting)}` : nothing}
      ${
        over.length
          ? html`<details ?open=${!goesOn.length}><summary>Over (${over.length})</summary>${list(over)}</details>`
          : nothing
      }
    </section>`;
  }

  #section(words: string, matches: readonly Match[]) {
    return html`<section aria-label=${words}>
      <div class="row"><h2>${words}</h2>${this.#filter()}</div>
      <ul class="matches">${matches.map((match) => matchRow(match, this.games))}</ul>
      ${this.found && !matches.length ? html`<p class="note">No matches yet</p>` : nothing}
      ${this.next ? html`<button @click=${() => this.#load(this.next)}>More</button>` : nothing}
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
}

customElements.define("emeth-lobby", EmethLobby);
