/** Where the judge begins: a place for a file, and the games that can be played here. */

import { html, LitElement, nothing } from "lit";
import { asEmethError, type GameSummary, type Match } from "../client/index.ts";
import { path } from "../console/address.ts";
import { keep, knownMatches } from "../console/tokens.ts";
import type { Progress } from "./engine.ts";
import { latest, remember } from "./judged.ts";
import { type PageService, TRUSTED } from "./page_service.ts";
import "./verdict.ts";

/** Bytes of a file, at most, as the service takes them. */
const LARGEST = 67_108_864;

class EmethJudgeStart extends LitElement {
  static override properties = {
    page: { attribute: false },
    games: { state: true },
    known: { state: true },
    progress: { state: true },
    over: { state: true },
    trouble: { state: true },
    file: { state: true },
  };
  declare page: PageService | undefined;
  declare games: readonly GameSummary[];
  /** Those that are in this page. */
  declare known: readonly Match[];
  declare progress: Progress | undefined;
  /** A file is held over the page. */
  declare over: boolean;
  declare trouble: string;
  declare file: string;

  constructor() {
    super();
    this.games = [];
    this.known = [];
    this.progress = undefined;
    this.over = false;
    this.trouble = "";
    this.file = "";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = "The judge";
    addEventListener("dragover", this.#dragged);
    addEventListener("dragleave", this.#left);
    addEventListener("drop", this.#dropped);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("dragover", this.#dragged);
    removeEventListener("dragleave", this.#left);
    removeEventListener("drop", this.#dropped);
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("page") && this.page) void this.#load(this.page);
  }

  async #load({ emeth }: PageService): Promise<void> {
    try {
      const [{ games }, { matches }] = await Promise.all([
        emeth.matches.listGames({}),
        emeth.matches.listMatches({ pageSize: 30 }),
      ]);
      this.games = games;
      this.known = matches;
    } catch (failure) {
      this.trouble = asEmethError(failure).rawMessage;
    }
  }

  #dragged = (event: DragEvent): void => {
    event.preventDefault();
    this.over = true;
  };

  #left = (): void => {
    this.over = false;
  };

  #dropped = (event: DragEvent): void => {
    event.preventDefault();
    this.over = false;
    const [file] = event.dataTransfer?.files ?? [];
    if (file) void this.#judge(file);
  };

  #chosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    if (file) void this.#judge(file);
    input.value = "";
  };

  async #judge(file: File): Promise<void> {
    const { page } = this;
    if (!page || this.progress) return;
    remember(undefined);
    this.trouble = "";
    if (file.size > LARGEST) {
      this.trouble = `${file.name} has more than ${LARGEST.toLocaleString("en")} bytes`;
      return;
    }
    this.file = file.name;
    this.progress = { done: 0, total: 0 };
    try {
      const raw = new Uint8Array(await file.arrayBuffer());
      const verdict = await page.judge(raw, (progress) => (this.progress = progress));
      remember({ verdict, file: file.name });
      // Whoever has the file may look with the referee's eyes; a match that began here keeps its own.
      const known = knownMatches().includes(verdict.match_id);
      if (verdict.shown_until && !known) keep(verdict.match_id, { referee: TRUSTED });
    } catch (failure) {
      this.trouble = failure instanceof Error ? failure.message : String(failure);
    } finally {
      this.progress = undefined;
    }
    await this.#load(page);
    await this.updateComplete;
    this.querySelector<HTMLElement>("#verdict")?.focus();
  }

  override render() {
    return html`
      <header class="lobby-head">
        <h1>The judge</h1>
        <p>Checks a match by the rules themselves, here in this page. Nothing leaves it.</p>
      </header>
      <main class="lobby">
        ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
        ${this.#place()}
        ${latest ? html`<emeth-verdict .verdict=${latest.verdict} .file=${latest.file}></emeth-verdict>` : nothing}
        ${this.known.length ? this.#matches() : nothing}
        ${this.games.length ? this.#games() : nothing}
      </main>
    `;
  }

  #place() {
    const { page, progress } = this;
    if (progress) {
      const { done, total } = progress;
      return html`<section class="drop" aria-live="polite">
        <p>Judging ${this.file}${total ? html`: event ${done} of ${total}` : nothing}</p>
        <progress aria-label="Events judged" max=${total || 1} value=${done}></progress>
      </section>`;
    }
    return html`<section class="drop ${this.over ? "over" : ""}">
      <p>Drop the file of a match here (<code>emeth export match.emeth</code>), or</p>
      <label class="button main ${page ? "" : "waiting"}">
        <input type="file" class="unseen" ?disabled=${!page} @change=${this.#chosen} />
        ${page ? "choose a file" : "the rules are being read …"}
      </label>
    </section>`;
  }

  #matches() {
    return html`<section aria-labelledby="here">
      <h2 id="here">Matches in this page</h2>
      <ul class="matches">
        ${this.known.map(
          (match) => html`<li><a href=${path({ match: match.matchId })}>
            <b>${match.title || this.#named(match.game)}</b>
            <span>${match.title ? this.#named(match.game) : ""}</span>
            <span>${match.caption}</span>
            <span class="note">${counted(match.version)}</span>
          </a></li>`,
        )}
      </ul>
    </section>`;
  }

  #named(slug: string): string {
    return this.games.find((game) => game.slug === slug)?.name ?? slug;
  }

  #games() {
    return html`<section aria-labelledby="begin">
      <h2 id="begin">Play here, on one screen</h2>
      <p class="note">
        All games, refereed by their rules, with no service. Save the match as a file when you are
        done: this page forgets it, and any service takes it in (<code>emeth restore</code>).
      </p>
      <ul class="games">
        ${this.games.map(
          ({ slug, name, summary }) => html`<li>
            <a href=${path({ game: slug })}><b>${name}</b><span>${summary}</span></a>
          </li>`,
        )}
      </ul>
    </section>`;
  }
}

function counted(events: bigint): string {
  return `${events} event${events === 1n ? "" : "s"}`;
}

customElements.define("emeth-judge-start", EmethJudgeStart);
