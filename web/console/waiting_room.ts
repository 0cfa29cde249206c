/** A match before its cards are dealt: who has come, which seats are open, and by what terms. */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { html, LitElement, nothing } from "lit";
import { CHANCE_WORDS, named, UNDO_WORDS } from "../board/words.ts";
import { type Emeth, type Match, MatchStatus, persistently, RefereePolicy, requestId } from "../client/index.ts";
import { ownName, playerToken } from "./account.ts";
import { link, path } from "./address.ts";
import { DRAWN, LINK, mayTake, openCodes, take } from "./joining.ts";
import { capital, clocksOf, hasNotStarted, JOIN_POLICY_WORDS, ORDER_WORDS, refereeOf, VISIBILITY_WORDS } from "./match_terms.ts";
import { mine } from "./mine.ts";
import { told } from "./failures.ts";
import { codesOf, keepCodes, knowing, watchOwn } from "./codes.ts";
import { linkRow } from "./sharing.ts";
import { forget, tokensOf } from "./tokens.ts";

const REFEREE = "referee";

/** Fires `begun` when the match waits no more. */
class EmethWaitingRoom extends LitElement {
  static override properties = {
    service: { attribute: false },
    match: { attribute: false },
    sitting: { state: true },
    trouble: { state: true },
    busy: { state: true },
  };
  declare service: Emeth;
  declare match: Match;
  /** The role that is about to be taken; undefined: none. */
  declare sitting: string | undefined;
  declare trouble: string;
  declare busy: boolean;
  #stop = new AbortController();

  constructor() {
    super();
    this.sitting = undefined;
    this.trouble = "";
    this.busy = false;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#followAnew();
  }

  /** Follow the match by the best token that there is now: an invite code shows it only until it is spent. */
  #followAnew(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    void this.#follow(this.#stop.signal);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop.abort();
  }

  /** Who comes and goes. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { matchId } = this.match;
    try {
      for await (const news of watchOwn(this.service, `match_id : ${matchId}`, [matchId], { signal })) {
        if (news.case !== "match" || news.value.version < this.match.version) continue;
        this.match = news.value;
        if (!hasNotStarted(this.match)) this.dispatchEvent(new CustomEvent("begun"));
      }
    } catch (failure) {
      this.trouble = told(failure);
    }
  }

  override render() {
    const { match } = this;
    if (match.status === MatchStatus.CANCELLED) {
      return html`<section class="waiting"><h2 role="status">${match.caption}</h2>
        <p><a href=${path({})}>All matches</a></p></section>`;
    }
    const open = match.seats.filter(({ player }) => !player);
    const held = tokensOf(match.matchId);
    const isSeated = DRAWN in held || match.seats.some(({ name, player }) => player && name in held);
    return html`<section class="waiting" aria-label="Waiting for players">
      <h2 role="status">${match.caption}</h2>
      <p class="note">Nothing is dealt or rolled before the last seat is taken. Every draw depends on a random text
        of each player.</p>
      ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
      <ul class="seats" aria-label="Seats">
        ${match.seats.map(({ name, player }) => this.#seat(name, player, name in held, isSeated))}
      </ul>
      ${this.sitting !== undefined ? this.#form(this.sitting) : nothing}
      ${this.#links(open.map(({ name }) => name))}
      ${this.#terms()}
      ${this.#cancelling()}
      ${isSeated ? html`<p class="note">You have a seat. This page opens the board when the match starts; you may also leave it.</p>` : nothing}
    </section>`;
  }

  #seat(name: string, player: string, isHeld: boolean, isSeated: boolean) {
    const { match } = this;
    const isDrawn = DRAWN in tokensOf(match.matchId);
    const isOwn = Boolean(player) && isHeld;
    const may = !player && !isDrawn && mayTake(match, name);
    return html`<li>
      <b>${named(name)}</b>
      <span>${player || "open"}${isOwn ? ", you" : ""}</span>
      ${
        may
          ? html`<button class=${isSeated ? "" : "main"} aria-expanded=${this.sitting === name} @click=${() => this.#choose(name)}>
              Take seat<span class="unseen"> as ${named(name)}</span>
            </button>`
          : nothing
      }
      ${isOwn ? html`<button ?disabled=${this.busy} @click=${() => this.#leave(name)}>Leave seat</button>` : nothing}
    </li>`;
  }

  /** A player of a frontend has a name already; others tell it. */
  #choose(role: string): void {
    if (playerToken()) void this.#take(role, "");
    else this.sitting = this.sitting === role ? undefined : role;
  }

  #form(role: string) {
    const sit = (event: SubmitEvent): void => {
      event.preventDefault();
      const field = (event.target as HTMLFormElement).elements.namedItem("player") as HTMLInputElement;
      void this.#take(role, field.value.trim());
    };
    return html`<form class="row sit" @submit=${sit}>
      <label>Your name <input name="player" required maxlength="80" autocomplete="nickname" .value=${ownName()} /></label>
      <button class="main" ?disabled=${this.busy}>${role === REFEREE ? "Referee" : `Play as ${named(role)}`}</button>
    </form>`;
  }

  #take(role: string, name: string): Promise<void> {
    return this.#attempt(async () => {
      const taken = await take(this.service, this.match, role, name);
      this.sitting = undefined;
      mine().refresh();
      this.#followAnew();
      if (taken !== REFEREE) await this.#tell();
    });
  }

  #leave(seat: string): Promise<void> {
    return this.#attempt(async () => {
      const { matchId } = this.match;
      const { matches } = this.service.with(tokensOf(matchId)[seat] ?? "");
      const request = { requestId: requestId(), matchId, seat };
      const { inviteCode } = await persistently(() => matches.leaveMatch(request));
      forget(matchId, seat);
      if (inviteCode) keepCodes(matchId, { [seat]: inviteCode });
      this.#followAnew();
      await this.#tell();
    });
  }

  /** As it is now, without waiting for the stream. */
  async #tell(): Promise<void> {
    const { match } = await knowing(this.service, this.match.matchId).matches.getMatch({ matchId: this.match.matchId });
    if (match && match.version >= this.match.version) this.match = match;
    if (!hasNotStarted(this.match)) this.dispatchEvent(new CustomEvent("begun"));
  }

  async #attempt(call: () => Promise<void>): Promise<void> {
    this.busy = true;
    try {
      await call();
      this.trouble = "";
    } catch (failure) {
      this.trouble = told(failure);
    } finally {
      this.busy = false;
    }
  }

  /** The way out for whoever made the match. */
  #cancelling() {
    const { creator, referee } = tokensOf(this.match.matchId);
    const token = creator || (this.match.referee?.policy === RefereePolicy.CREATOR ? referee : "");
    if (!token) return nothing;
    const cancel = (): Promise<void> =>
      this.#attempt(async () => {
        const { matches } = this.service.with(token);
        const request = { requestId: requestId(), matchId: this.match.matchId };
        const { match } = await persistently(() => matches.cancelMatch(request));
        if (match) this.match = match;
      });
    return html`<p><button ?disabled=${this.busy} @click=${cancel}>Cancel match</button></p>`;
  }

  /** What there is to send to others. */
  #links(open: readonly string[]) {
    const { match } = this;
    const { matchId } = match;
    const codes = openCodes(match);
    const given = codesOf(matchId);
    const rows: [string, string][] = [];
    if (LINK in codes) rows.push(["Link to any open seat", link({ match: matchId }, { [LINK]: codes[LINK] ?? "" })]);
    for (const seat of open) {
      const code = given[seat];
      if (code) rows.push([`Seat link: ${named(seat)}`, link({ match: matchId }, { [seat]: code })]);
    }
    if (given[REFEREE] && !match.referee?.player) {
      rows.push(["Referee link", link({ match: matchId }, { [REFEREE]: given[REFEREE] })]);
    }
    if (!rows.length) rows.push(["This page", link({ match: matchId }, {})]);
    return html`<section class="links" aria-label="Invite">
      <h3>Invite</h3>
      ${rows.map(([words, href]) => linkRow(words, href))}
      <p class="note">Each link with a code works for one person. Codes can also be entered under <i>Join with a link or code</i> on the start page.</p>
    </section>`;
  }

  #terms() {
    const { match } = this;
    const clocks = clocksOf(match);
    const rows: readonly (readonly [string, string])[] = [
      ["Players", JOIN_POLICY_WORDS[match.joinPolicy]],
      ["Seats", ORDER_WORDS[match.seatAssignment]],
      ["Referee", refereeOf(match)],
      ["Spectators", VISIBILITY_WORDS[match.visibility]],
      ...(match.withoutChance ? [] : [["Dice and shuffles", CHANCE_WORDS[match.chance]] as const]),
      ["Takebacks", UNDO_WORDS[match.undoPolicy]],
      ...(clocks ? [["Clocks", clocks] as const] : []),
      ...(match.expireTime ? [["Expires", timestampDate(match.expireTime).toLocaleString()] as const] : []),
    ];
    const code = tokensOf(match.matchId)[REFEREE];
    const mayReferee = match.referee?.policy === RefereePolicy.INVITED && !match.referee.player && code;
    return html`<section aria-label="Terms">
      <h3>Terms</h3>
      <dl class="terms-list">
        ${rows.map(([name, words]) => html`<div><dt>${name}</dt><dd>${capital(words)}</dd></div>`)}
      </dl>
      ${mayReferee ? html`<p><button @click=${() => this.#choose(REFEREE)}>Become referee</button></p>` : nothing}
      <details><summary>House rules</summary>
        <dl class="terms-list">
          ${Object.entries(match.options ?? {}).map(
            ([name, value]) => html`<div><dt>${named(name.replaceAll("_", " "))}</dt><dd>${JSON.stringify(value)}</dd></div>`,
          )}
        </dl>
        <p><a href=${path({ page: "rules" }, { game: match.game })}>The rules</a></p>
      </details>
    </section>`;
  }
}

customElements.define("emeth-waiting-room", EmethWaitingRoom);
