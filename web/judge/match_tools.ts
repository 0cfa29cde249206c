/**
 * What a page without a service adds to the page of a match: whose turn it is on the one screen, the
 * file, and trying another way from the moment that is looked at.
 */

import { html, LitElement, nothing } from "lit";
import { named } from "../board/words.ts";
import { asEmethError, type Match, Permission, requestId } from "../client/index.ts";
import { path, readAddress, visit } from "../console/address.ts";
import { keep, tokensOf } from "../console/tokens.ts";
import { verdictOn } from "./judged.ts";
import { type PageService, TRUSTED } from "./page_service.ts";

const ONLOOKERS = new Set(["referee", "spectator"]);

/** A seat that is to have the screen. */
export interface Handed {
  seat: string;
  /** The others may not see what it sees. */
  hides: boolean;
}

/** Fires `seat-asked` with the seat that is to look at the screen now. */
class EmethMatchTools extends LitElement {
  static override properties = {
    page: { attribute: false },
    matchId: { attribute: false },
    as: { attribute: false },
    match: { state: true },
    trouble: { state: true },
    saved: { state: true },
  };
  declare page: PageService;
  declare matchId: string;
  /** The seat whose board is shown. */
  declare as: string;
  declare match: Match | undefined;
  declare trouble: string;
  /** The version that was saved last. */
  declare saved: bigint;
  #stop = new AbortController();

  constructor() {
    super();
    this.match = undefined;
    this.trouble = "";
    this.saved = 0n;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("matchId")) void this.#follow();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("beforeunload", this.#leaving);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop.abort();
    removeEventListener("beforeunload", this.#leaving);
  }

  /** A match that was played here is in no other place. */
  #leaving = (event: BeforeUnloadEvent): void => {
    if (this.#isPlayed() && this.match && this.match.version > this.saved) event.preventDefault();
  };

  #isPlayed(): boolean {
    return this.#seats().length > 0 && (this.match?.version ?? 0n) > 1n;
  }

  #seats(): string[] {
    return Object.keys(tokensOf(this.matchId)).filter((role) => !ONLOOKERS.has(role));
  }

  get #service() {
    return this.page.emeth.with(Object.values(tokensOf(this.matchId))[0] ?? TRUSTED);
  }

  async #follow(): Promise<void> {
    this.#stop.abort();
    const { signal } = (this.#stop = new AbortController());
    const { matchId } = this;
    this.saved = 0n;
    this.match = undefined;
    try {
      const hides = await this.#hides();
      for await (const _ of this.#service.watch(matchId, { signal })) {
        const { match } = await this.#service.matches.getMatch({ matchId });
        if (signal.aborted) return;
        this.match = match;
        if (match) this.#hand(match, hides);
      }
    } catch (failure) {
      if (!signal.aborted) this.trouble = asEmethError(failure).rawMessage;
    }
  }

  /** Does the game hide anything from a seat? Then a seat may not have the file. */
  async #hides(): Promise<boolean> {
    const seat = this.#seats().find((each) => each !== "table");
    if (!seat) return false;
    const service = this.page.emeth.with(tokensOf(this.matchId)[seat] ?? "");
    const { permissions } = await service.matches.whoAmI({ matchId: this.matchId });
    return !permissions.includes(Permission.EXPORT);
  }

  /** Hand the screen to who is asked, if that is somebody else who sits at it. */
  #hand(match: Match, hides: boolean): void {
    const seats = this.#seats();
    const asked = match.pending?.awaiting ?? match.asks.map(({ seat }) => seat);
    const next = asked.find((seat) => seats.includes(seat));
    if (seats.length < 2 || !next || asked.includes(this.as) || readAddress().at !== undefined) return;
    this.dispatchEvent(new CustomEvent<Handed>("seat-asked", { detail: { seat: next, hides } }));
  }

  override render() {
    return html`<div class="tools" role="toolbar" aria-label="The judge">
      ${this.#standing()}
      ${this.trouble ? html`<span class="trouble" role="alert">${this.trouble}</span>` : nothing}
      <button id="what-if" title="Try something else from here, in a match of its own" @click=${this.#tryHere}>
        What if …
      </button>
      <button id="save" title="Save the match as a file" @click=${this.#save}>Save</button>
    </div>`;
  }

  /** Where the match comes from. */
  #standing() {
    const verdict = verdictOn(this.matchId);
    if (verdict) {
      const [first] = verdict.findings;
      const words = verdict.sound
        ? `Sound, signed by ${verdict.signed_by}`
        : `Not sound: ${first?.version ? `event ${first.version}, ${first.check}` : first?.check}`;
      return html`<a class="judged ${verdict.sound ? "sound" : "unsound"}" href=${path({})}>${words}</a>`;
    }
    const unsaved = this.#isPlayed() && (this.match?.version ?? 0n) > this.saved;
    return html`<span class="judged">Played in this page${unsaved ? ", not saved" : ""}</span>`;
  }

  /** Begin another match at the moment that is looked at. */
  #tryHere = (): Promise<void> =>
    this.#attempt(async () => {
      const { at } = readAddress();
      const made = await this.#referee.history.forkMatch({
        requestId: requestId(),
        matchId: this.matchId,
        version: at ?? 0n,
        title: `What if: ${this.match?.title || named(this.match?.game ?? "")}`.slice(0, 80),
      });
      const match = made.match?.matchId ?? "";
      keep(match, made.tokens);
      visit(path({ match }));
    });

  #save = (): Promise<void> =>
    this.#attempt(async () => {
      const pieces: BlobPart[] = [];
      for await (const { piece } of this.#referee.history.exportMatch({ matchId: this.matchId })) {
        pieces.push(piece as BlobPart);
      }
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(pieces));
      link.download = `${this.match?.game ?? "match"}-${this.matchId.slice(0, 8)}.emeth`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      this.saved = this.match?.version ?? 0n;
    });

  get #referee() {
    return this.page.emeth.with(tokensOf(this.matchId)["referee"] ?? TRUSTED);
  }

  async #attempt(what: () => Promise<void>): Promise<void> {
    this.trouble = "";
    try {
      await what();
    } catch (failure) {
      this.trouble = asEmethError(failure).rawMessage;
    }
  }
}

customElements.define("emeth-match-tools", EmethMatchTools);
