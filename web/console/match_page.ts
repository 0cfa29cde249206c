/** A match: the board takes the page, and beside it is what was done, by whom and why. */

import { Code } from "@connectrpc/connect";
import { html, LitElement, nothing } from "lit";
import "../board/emeth_board.ts";
import { MatchView } from "../board/match_view.ts";
import { ServiceSource } from "../board/service_source.ts";
import { goesTo } from "../board/lines.ts";
import { isPlain, TURN } from "../board/turning.ts";
import { isPhone, named } from "../board/words.ts";
import {
  asEmethError,
  type Emeth,
  type EmethError,
  type Match,
  Permission,
  persistently,
  Visibility,
} from "../client/index.ts";
import { knowing } from "./codes.ts";
import { note } from "./address.ts";
import { analysisButton } from "./analysis_button.ts";
import { offersBots } from "./bots.ts";
import "./branches.ts";
import "./chances.ts";
import "./event_list.ts";
import "./explanation.ts";
import "./home_link.ts";
import { DRAWN, settleDrawn } from "./joining.ts";
import { matchLinks } from "./match_links.ts";
import { hasNotStarted, termsOf } from "./match_terms.ts";
import { mine } from "./mine.ts";
import "./rematch.ts";
import "./sharing.ts";
import "./seats.ts";
import { title } from "./title.ts";
import { forget, rolesOf, tokensOf } from "./tokens.ts";
import "./waiting_room.ts";

/** The service does not say which of these it is: strangers learn nothing of private matches. */
const PRIVATE_OR_NONE =
  "Match not found, or private. Check that the link is complete, or ask a player for a new one.";

class EmethMatchPage extends LitElement {
  static override properties = {
    service: { attribute: false },
    matchId: { attribute: false },
    as: { attribute: false },
    at: { attribute: false },
    view: { state: true },
    match: { state: true },
    selected: { state: true },
    sharing: { state: true },
    trouble: { state: true },
    game: { state: true },
    bots: { state: true },
  };
  declare service: Emeth;
  declare matchId: string;
  declare as: string;
  declare at: number | undefined;
  declare view: MatchView | undefined;
  declare match: Match | undefined;
  /** The event that is explained. */
  declare selected: number | undefined;
  declare sharing: boolean;
  declare trouble: string;
  /** The name of the game. */
  declare game: string;
  /** Has the service bots that look back at the match? It is asked once the match is over. */
  declare bots: boolean | undefined;
  /** The version from the address, until the events are there to look at. */
  #wanted: number | undefined;
  /** The board shows the match before the event that is explained. */
  #before = false;

  constructor() {
    super();
    this.view = undefined;
    this.match = undefined;
    this.selected = undefined;
    this.sharing = false;
    this.trouble = "";
    this.game = "";
    this.bots = undefined;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("keydown", this.#key);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("keydown", this.#key);
    this.view?.close();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("matchId")) mine().look(this.matchId);
    if (changed.has("matchId") || changed.has("as")) void this.#open();
    else if (changed.has("at") && this.view) this.#look(this.at);
  }

  /** Follow the match as the role that is asked for, or the best there is. */
  async #open(): Promise<void> {
    this.view?.close();
    this.view = undefined;
    this.match = undefined;
    this.selected = undefined;
    this.game = "";
    this.bots = undefined;
    const { matchId } = this;
    const drawn = DRAWN in tokensOf(matchId) ? await this.#drawn() : undefined;
    if (matchId !== this.matchId) return;
    if (drawn) this.as = drawn;
    const tokens = tokensOf(matchId);
    const roles = rolesOf(tokens);
    let role = this.as in tokens ? this.as : roles[0];
    if (!(this.as in tokens) && roles.length !== 1) {
      const match = await this.#tell();
      if (matchId !== this.matchId || this.view || hasNotStarted(match)) return;
      // Who holds several seats, as on a shared screen, is the one whose turn it is.
      role = match?.prompts.find(({ seat }) => seat in tokens)?.seat ?? role;
      // A public match, and an unlisted one, may be watched without a token.
      if (match?.visibility === Visibility.PUBLIC || match?.visibility === Visibility.UNLISTED) role ??= "spectator";
    }
    if (role === undefined) return;
    const token = tokens[role];
    const service = token ? this.service.with(token) : this.service;
    const view = new MatchView(new ServiceSource(service, this.matchId, role));
    view.addEventListener("change", () => this.#changed(view));
    view.addEventListener("ended", (event) => {
      this.#ended(view, (event as CustomEvent<EmethError>).detail);
    });
    this.view = view;
    this.#wanted = this.at;
    void view.open();
  }

  /** Look on in another role if somebody else has this one now. */
  #ended(view: MatchView, { code }: EmethError): void {
    if (view !== this.view || (code !== Code.PermissionDenied && code !== Code.Unauthenticated)) return;
    forget(this.matchId, view.role);
    void this.#open();
  }

  /** The seat that was drawn for whoever looks, once the match has begun. */
  async #drawn(): Promise<string | undefined> {
    try {
      return await settleDrawn(this.service, this.matchId);
    } catch (failure) {
      this.trouble = asEmethError(failure).rawMessage;
      return undefined;
    }
  }

  /** Load who plays, as far as the match is shown to this browser. */
  async #tell(): Promise<Match | undefined> {
    try {
      const { match } = await knowing(this.service, this.matchId).matches.getMatch({ matchId: this.matchId });
      this.match = match;
      if (match) void this.#name(match.game);
      return match;
    } catch (failure) {
      const error = asEmethError(failure);
      // Who opens a link that was cut off sees no id, and no word of the API.
      const isNone = error.code === Code.NotFound || error.code === Code.InvalidArgument;
      this.trouble = isNone ? PRIVATE_OR_NONE : error.rawMessage;
      return undefined;
    }
  }

  #changed(view: MatchView): void {
    if (view !== this.view) return;
    this.match = view.match;
    // Before it begins there is nothing to look at but who has come.
    if (hasNotStarted(view.match)) {
      view.close();
      this.view = undefined;
    }
    const wanted = this.#wanted;
    if (wanted !== undefined && view.newest >= wanted) {
      this.#wanted = undefined;
      this.#look(wanted);
    }
    if (this.#wanted === undefined) {
      // Whoever steps through history by the panel's buttons has the event explained, too.
      if (view.at === undefined) this.#before = false;
      else this.selected = this.#before ? view.at + 1 : view.at;
      const isOld = this.selected !== undefined && this.selected < view.newest;
      if (view.at === undefined && isOld) this.selected = undefined;
      note({ match: this.matchId, as: this.as, at: view.at });
    }
    if (view.match?.result && this.bots === undefined) void this.#askForBots(view.match);
    if (view.match && !this.game) void this.#name(view.match.game);
    this.#title();
    this.requestUpdate();
  }

  async #askForBots({ game, matchId }: Match): Promise<void> {
    this.bots = false;
    const bots = await offersBots(this.service, game);
    if (matchId === this.matchId) this.bots = bots;
  }

  async #name(game: string): Promise<void> {
    this.game = named(game);
    try {
      const { games } = await persistently(() => this.service.games.listGames({}));
      this.game = games.find(({ slug }) => slug === game)?.name ?? this.game;
      this.#title();
    } catch {
      // It keeps the name that its slug makes.
    }
  }

  #title(): void {
    const { match, view } = this;
    const name = match?.title || this.game;
    title(view?.prompt ? `● ${name}: your turn` : `${name}: ${match?.caption ?? ""}`);
  }

  #look(version: number | undefined): void {
    const { view } = this;
    if (!view) return;
    this.#before = false;
    const within = version === undefined || version < 1 ? undefined : version;
    this.selected = within;
    view.look(within);
  }

  #key = (event: KeyboardEvent): void => {
    const { view } = this;
    if (!view || !isPlain(event)) return;
    if (event.key === TURN) {
      event.preventDefault();
      view.turned = !view.turned;
      return;
    }
    const now = view.at ?? view.newest;
    const to: Record<string, number | undefined> = {
      ArrowLeft: now > 1 ? now - 1 : now,
      ArrowRight: now + 1,
      Home: 1,
      End: undefined,
    };
    if (!(event.key in to)) return;
    event.preventDefault();
    this.#look(to[event.key]);
  };

  override render() {
    const { match, view } = this;
    return html`
      <header class="page-head">
        <emeth-home-link></emeth-home-link>
        <h1>${match?.title || this.game || "Match"}</h1>
        ${this.#roles()}
        ${view?.permissions.has(Permission.FORK) ? analysisButton(this.service, view, match?.title || this.game) : nothing}
        ${
          view
            ? html`<button aria-expanded=${this.sharing} @click=${this.#share}>
                Share${view.at === undefined ? nothing : html`<span class="wide"> event ${view.at}</span>`}
              </button>`
            : nothing
        }
        ${match ? matchLinks(this.matchId, view?.role ?? "", match.game) : nothing}
      </header>
      <main class="match">
        ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
        ${view ? this.#table(view) : this.#outside()}
      </main>
    `;
  }

  #share = (): void => {
    this.sharing = !this.sharing;
  };

  #roles() {
    const roles = rolesOf(tokensOf(this.matchId));
    const { view } = this;
    if (!view) return nothing;
    if (roles.length < 2) return html`<span class="viewer note">as ${named(view.role)}</span>`;
    const change = (event: Event): void => {
      this.as = (event.target as HTMLSelectElement).value;
    };
    return html`<label class="as">as <select @change=${change}>
      ${roles.map(
        (role) => html`<option value=${role} ?selected=${role === view.role}>${named(role)}</option>`,
      )}
    </select></label>`;
  }

  #table(view: MatchView) {
    const { match } = this;
    // While one looks back it takes the room of what may be done; a phone has none to spare.
    const isInRoom = view.at !== undefined && !isPhone();
    return html`
      ${
        this.sharing
          ? html`<emeth-sharing .matchId=${this.matchId} .at=${view.at} .role=${view.role}></emeth-sharing>`
          : nothing
      }
      <emeth-board .view=${view}>
        <section class="log" aria-label="Match">
          ${
            match?.result
              ? html`<emeth-rematch .service=${this.service} .match=${match} .role=${view.role}></emeth-rematch>`
              : nothing
          }
          <emeth-seats .view=${view} .service=${this.service} .match=${match} @seat-claimed=${() => void this.#open()}></emeth-seats>
          <emeth-event-list
            .events=${view.events}
            .current=${this.selected}
            .version=${view.at}
            @event-chosen=${(event: CustomEvent<number>) => this.#look(event.detail)}
          ></emeth-event-list>
          ${this.#branches(view)}
          ${match?.result && this.bots ? this.#chances(view, match) : nothing}
          ${isInRoom ? nothing : this.#explanation(view)}
          ${match ? html`<p class="note terms">${termsOf(match)}</p>` : nothing}
        </section>
        ${isInRoom ? this.#explanation(view, "past") : nothing}
      </emeth-board>
    `;
  }

  /** What there is to say of the event that was chosen, in a slot of the board or below the list. */
  #explanation(view: MatchView, slot?: string) {
    if (this.selected === undefined) return nothing;
    return html`<emeth-explanation
      slot=${slot ?? nothing}
      .view=${view}
      .game=${this.match?.game}
      .version=${this.selected}
      .at=${view.at}
      @side-chosen=${(event: CustomEvent<number>) => this.#side(event.detail)}
    ></emeth-explanation>`;
  }

  #chances(view: MatchView, match: Match) {
    const { source } = view;
    return html`<emeth-chances
      .service=${source.service}
      .match=${match}
      .current=${view.at ?? view.newest}
      .newest=${view.newest}
      @event-chosen=${(event: CustomEvent<number>) => this.#look(event.detail)}
    ></emeth-chances>`;
  }

  #branches(view: MatchView) {
    const jump = view.events.findLast((event) => goesTo(event) !== undefined);
    if (!jump) return nothing;
    return html`<emeth-branches
      .view=${view}
      .newest=${jump.version}
      .current=${view.at}
      @event-chosen=${(event: CustomEvent<number>) => this.#look(event.detail)}
    ></emeth-branches>`;
  }

  /** Look at the match before or after the event that is explained. */
  #side(version: number): void {
    this.#before = version !== this.selected;
    this.view?.look(version);
  }

  #outside() {
    const { match } = this;
    if (!match) return nothing;
    if (hasNotStarted(match)) {
      return html`<emeth-waiting-room .service=${this.service} .match=${match} @begun=${() => void this.#open()}>
      </emeth-waiting-room>`;
    }
    return html`<section class="outside">
      <h2>${match.caption}</h2>
      <p>${match.seats.map(({ name, player }) => player || `${named(name)} (open)`).join(" – ")}</p>
      <p class="note">
        To watch this match you need an invite link. Ask one of its players or its creator for one.
      </p>
    </section>`;
  }
}

customElements.define("emeth-match-page", EmethMatchPage);
