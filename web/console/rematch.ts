/** Playing again: a finished match of players anew with its seats turned, or one's own as it was. */

import { html, LitElement, nothing } from "lit";
import { type Emeth, type Match, MatchStatus, persistently, ProposalDecision, requestId } from "../client/index.ts";
import { watchOwn } from "./codes.ts";
import { path, visit } from "./address.ts";
import { ownShare } from "./joining.ts";
import { told } from "./failures.ts";
import { keep, tokensOf } from "./tokens.ts";

class EmethRematch extends LitElement {
  static override properties = {
    service: { attribute: false },
    match: { attribute: false },
    role: { attribute: false },
    again: { state: true },
    trouble: { state: true },
    busy: { state: true },
  };
  declare service: Emeth;
  declare match: Match;
  /** Whoever looks at the match. */
  declare role: string;
  /** The match in which its players play again, if one of them has asked for that. */
  declare again: Match | undefined;
  declare trouble: string;
  declare busy: boolean;
  #stop = new AbortController();

  constructor() {
    super();
    this.again = undefined;
    this.trouble = "";
    this.busy = false;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = new AbortController();
    void this.#follow(this.#stop.signal);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop.abort();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const rematchOf = this.match.matchId;
    try {
      for await (const news of watchOwn(this.service, `rematch_of = ${rematchOf}`, [rematchOf], { signal })) {
        if (news.case === "match") this.again = news.value;
        if (news.case === "removed" && news.value === this.again?.matchId) this.again = undefined;
      }
    } catch {
      // Whoever asks to play again is told what is wrong.
    }
  }

  override render() {
    const { again, match, role } = this;
    const player = match.seats.find(({ name }) => name === role)?.player;
    const isSeated = again && again.seats.some(({ name, player: by }) => by && name in tokensOf(again.matchId));
    if (again && (isSeated || !player)) {
      return html`<p class="again row"><a class="button main" href=${path({ match: again.matchId })}>Go to rematch</a>
        ${player && again.status === MatchStatus.WAITING ? this.#end("Withdraw", ProposalDecision.WITHDRAW) : nothing}</p>`;
    }
    if (match.seats.every(({ name }) => name !== role)) return nothing;
    const asking = again?.seats.filter(({ player: by }) => by).map(({ player: by }) => by) ?? [];
    return html`<div class="again row">
      ${asking.length ? html`<p role="status">${asking.join(" and ")} offered a rematch.</p>` : nothing}
      <button class="main" ?disabled=${this.busy} @click=${() => void this.#play(player ? "rematch" : "anew")}>Rematch</button>
      ${player && asking.length ? this.#end("Decline", ProposalDecision.REJECT) : nothing}
      ${player ? html`<span class="note">Seats are swapped</span>` : nothing}
      ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
    </div>`;
  }

  /** A button that ends the rematch which is proposed. */
  #end(label: string, decision: ProposalDecision) {
    return html`<button ?disabled=${this.busy} @click=${() => void this.#respond(decision)}>${label}</button>`;
  }

  async #respond(decision: ProposalDecision): Promise<void> {
    const { again, match, role } = this;
    const { play } = this.service.with(tokensOf(match.matchId)[role] ?? "");
    const request = { requestId: requestId(), matchId: match.matchId, proposalId: again?.matchId ?? "", decision };
    this.busy = true;
    try {
      await persistently(() => play.respondToProposal(request));
      this.trouble = "";
    } catch (failure) {
      this.trouble = told(failure);
    } finally {
      this.busy = false;
    }
  }

  async #play(how: "rematch" | "anew"): Promise<void> {
    this.busy = true;
    try {
      const matchId = how === "rematch" ? await this.#rematch() : await this.#anew();
      visit(path({ match: matchId }));
    } catch (failure) {
      this.trouble = told(failure);
    } finally {
      this.busy = false;
    }
  }

  async #rematch(): Promise<string> {
    const { match, role } = this;
    const own = tokensOf(match.matchId)[role] ?? "";
    const kind = { case: "rematch", value: { entropy: ownShare() } } as const;
    const request = { requestId: requestId(), matchId: match.matchId, kind };
    const { play } = this.service.with(own);
    const { rematchSeat: made } = await persistently(() => play.createProposal(request));
    if (!made) throw new Error("The service did not create a rematch.");
    const id = made.matchId;
    // A player's token is the same for all seats.
    keep(id, { [made.seat]: made.token || own });
    return id;
  }

  /** Nobody sat there by name: the same match once more, for whoever has its links. */
  async #anew(): Promise<string> {
    const { game, options, title, chance, undoPolicy, visibility, substitutePolicy, pauseOnDispute } = this.match;
    const { timeControl, seatTimeControls, seatChance } = this.match;
    const request = {
      requestId: requestId(),
      ...{ game, title, chance, undoPolicy, visibility, substitutePolicy, pauseOnDispute, seatTimeControls, seatChance },
      ...(options ? { options } : {}),
      ...(timeControl ? { timeControl } : {}),
    };
    const made = await persistently(() => this.service.matches.createMatch(request));
    const id = made.match?.matchId ?? "";
    keep(id, made.tokens);
    return id;
  }
}

customElements.define("emeth-rematch", EmethRematch);
