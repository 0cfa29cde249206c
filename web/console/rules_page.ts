/** The rules of a game: each with its meaning and source, and where matches and verdicts rest on it. */

import { html, nothing } from "lit";
import {
  type Citation,
  type Emeth,
  type Game,
  type GetGameResponse,
  type Match,
  type Rule,
  Visibility,
} from "../client/index.ts";
import { note, path } from "./address.ts";
import { hasWords } from "./content.ts";
import { mine } from "./mine.ts";
import { words } from "./options.ts";
import { counted, Page, tabs } from "./page.ts";
import { title } from "./title.ts";
import { precedentLink } from "./precedents.ts";
import { viewerOf } from "./viewers.ts";

/** How many matches of the game are offered to look for citations in. */
const MATCHES = 100;

class EmethRulesPage extends Page {
  static override properties = {
    ...Page.properties,
    games: { state: true },
    found: { state: true },
    text: { state: true },
    rule: { state: true },
    offered: { state: true },
    matchId: { state: true },
    citations: { state: true },
  };
  declare games: readonly Game[];
  declare found: GetGameResponse | undefined;
  /** Only rules with these words. */
  declare text: string;
  /** The rule that is looked at closely. */
  declare rule: string;
  /** Public matches of the game in which citations may be looked for. */
  declare offered: readonly Match[];
  declare matchId: string;
  declare citations: ReadonlyMap<string, Citation>;
  #game = "";

  constructor() {
    super();
    this.games = [];
    this.found = undefined;
    this.text = "";
    this.rule = "";
    this.offered = [];
    this.matchId = "";
    this.citations = new Map();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    mine().addEventListener("change", this.#ownChanged);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    mine().removeEventListener("change", this.#ownChanged);
  }

  #ownChanged = (): void => this.requestUpdate();

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("query")) return;
    this.text = this.asked("text");
    this.rule = this.asked("rule");
    void this.#load(this.asked("game"), this.asked("match"));
  }

  async #load(game: string, match: string): Promise<void> {
    const { service } = this;
    if (!this.games.length) {
      this.games = (await this.attempt(() => service.games.listGames({})))?.games ?? [];
    }
    const slug = game || this.games[0]?.slug || "";
    if (slug !== this.#game && slug) {
      this.#game = slug;
      this.found = undefined;
      this.citations = new Map();
      const loaded = await this.attempt(() =>
        Promise.all([
          service.games.getGame({ game: slug }),
          service.matches.listMatches({ filter: `game = "${slug}"`, pageSize: MATCHES }),
        ]),
      );
      if (!loaded || slug !== this.#game) return;
      const [found, list] = loaded;
      this.found = found;
      this.offered = list.matches.filter(
        ({ matchId, visibility }) => matchId === match || visibility === Visibility.PUBLIC,
      );
      title(`${found.game?.name}: rules`);
    }
    if (match !== this.matchId || !this.citations.size) await this.#cite(match);
    this.querySelector(".rules [aria-current]")?.scrollIntoView({ block: "center" });
  }

  /** Where the match rests on which rule. */
  async #cite(matchId: string): Promise<void> {
    this.matchId = matchId;
    this.citations = new Map();
    if (!matchId) return;
    const { service } = viewerOf(this.service, matchId, "", ["referee"]);
    const found = await this.attempt(() => service.audit.listCitations({ matchId }));
    this.citations = new Map((found?.citations ?? []).map((each) => [each.rule?.rule ?? "", each]));
  }

  override render() {
    const { found } = this;
    return this.framed("Rules", [
      tabs(
        "Games",
        this.games.map(({ slug, name }) => ({
          name,
          href: path({ page: "rules" }, { game: slug }),
          current: slug === this.#game,
        })),
      ),
      found ? this.#index(found) : nothing,
    ]);
  }

  #index(found: GetGameResponse) {
    const rules = (found.game?.rules ?? []).filter((rule) => hasWords(textOf(rule), this.text));
    const search = (event: Event): void => {
      this.text = (event.target as HTMLInputElement).value;
      this.#note();
    };
    return html`
      <p>
        ${found.game?.summary}
        ${
          found.game?.hasContent
            ? html`<a href=${path({ page: "cards" }, { game: this.#game })}>Cards and pieces</a>`
            : nothing
        }
      </p>
      <div class="row filters">
        <label class="wide">Search
          <input type="search" .value=${this.text} @input=${search}
            placeholder="words, a heading or a rule ID" /></label>
        ${this.#chooseMatch()}
      </div>
      <p class="note" role="status">
        ${counted(rules.length, "rule")}${this.citations.size ? `; the match rests on ${this.citations.size} of them` : ""}
      </p>
      ${[...grouped(rules)].map(
        ([group, own]) => html`<section class="rules" aria-label=${words(group)}>
          <h2>${words(group)}</h2>
          <ul>${own.map((rule) => this.#row(rule))}</ul>
        </section>`,
      )}
      <details class="rules">
        <summary>Notation of positions and actions</summary>
        <pre tabindex="0">${found.game?.notation ?? ""}</pre>
      </details>
    `;
  }

  #chooseMatch() {
    const choose = (event: Event): void => {
      void this.#cite((event.target as HTMLSelectElement).value);
      this.#note();
    };
    // Private matches are in no list of the service: this browser's own come from its tokens.
    const own = mine().matches.map(({ match }) => match).filter(({ game }) => game === this.#game);
    const ids = new Set(own.map(({ matchId }) => matchId));
    const offered = [...own, ...this.offered.filter(({ matchId }) => !ids.has(matchId))];
    if (!offered.length) return nothing;
    return html`<label>Cited in <select @change=${choose}>
      <option value="">no match</option>
      ${offered.map(
        ({ matchId, title, caption }) => html`<option value=${matchId}
          ?selected=${matchId === this.matchId}>${title || caption} (${matchId.slice(0, 8)})</option>`,
      )}
    </select></label>`;
  }

  #row(rule: Rule) {
    const citation = this.citations.get(rule.id);
    const current = rule.id === this.rule;
    const more = { game: this.#game, rule: rule.id, match: this.matchId };
    return html`<li aria-current=${current ? "true" : nothing}>
      <p>${capital(rule.meaning)}</p>
      <p class="note">
        <a href=${path({ page: "rules" }, more)}><code>${rule.id}</code></a>
        ${rule.source}${rule.rulings.length ? ` (${rule.rulings.join(", ")})` : ""}
      </p>
      ${citation ? this.#citation(citation) : nothing}
    </li>`;
  }

  #citation({ versions, rule }: Citation) {
    return html`<p class="note cited">
      ${versions.length ? "Applied in " : nothing}
      ${versions.map(
        (at) => html`<a href=${path({ match: this.matchId, at: at })}>event ${at}</a> `,
      )}
      ${rule?.precedentIds.length ? "Verdicts: " : nothing}
      ${(rule?.precedentIds ?? []).map((name) => precedentLink(name))}
    </p>`;
  }

  #note(): void {
    const { text, rule, matchId: match } = this;
    note({ page: "rules" }, { game: this.#game, rule, match, text });
  }
}

function textOf({ id, meaning, source, rulings }: Rule): string {
  return [id, meaning, source, ...rulings].join(" ");
}

/** By the second word of their ids: `agog.capture.maximal` belongs to `capture`. */
function grouped(rules: readonly Rule[]): Map<string, Rule[]> {
  const found = new Map<string, Rule[]>();
  for (const rule of rules) {
    const group = rule.id.split(".")[1] ?? rule.id;
    found.set(group, [...(found.get(group) ?? []), rule]);
  }
  return found;
}

function capital(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase()) + (/[.!?]$/.test(text) ? "" : ".");
}

customElements.define("emeth-rules-page", EmethRulesPage);

/** The page for `?page=rules&game=GAME&rule=RULE`. */
export function show(service: Emeth, query: URLSearchParams) {
  return html`<emeth-rules-page .service=${service} .query=${query}></emeth-rules-page>`;
}
