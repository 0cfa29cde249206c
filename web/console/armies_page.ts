/** Building an army of any game that has armies: from its catalog, checked as one chooses. */

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { html, nothing } from "lit";
import {
  type ArmyCheck,
  type ArmyFault,
  type CatalogEntry,
  type Emeth,
  type GameSummary,
  persistently,
  requestId,
  type SavedArmy,
} from "../client/index.ts";
import { note, path, visit } from "./address.ts";
import { asOwner, keepOwnerToken, ownArmies } from "./armies.ts";
import {
  added,
  type ArmyPlan,
  emptyArmy,
  fitted,
  idOf,
  members,
  type Part,
  planOf,
  type Ranks,
  removed,
} from "./army_plan.ts";
import { serves } from "./army_shelf.ts";
import { catalogOf, type WholeCatalog } from "./catalog.ts";
import { chosen, field, type Option, optionsOf, words } from "./options.ts";
import { counted, Page, settled, tabs } from "./page.ts";
import { title } from "./title.ts";

class EmethArmiesPage extends Page {
  static override properties = {
    ...Page.properties,
    games: { state: true },
    catalog: { state: true },
    army: { state: true },
    check: { state: true },
    own: { state: true },
    saved: { state: true },
    refused: { state: true },
  };
  /** The games that have armies. */
  declare games: readonly GameSummary[];
  declare catalog: WholeCatalog | undefined;
  declare army: JsonObject;
  /** What the service says of the army as it is. */
  declare check: ArmyCheck | undefined;
  declare own: readonly SavedArmy[];
  /** The saved army that is changed; undefined for a new one. */
  declare saved: SavedArmy | undefined;
  /** It was to be saved, and was not. */
  declare refused: boolean;
  #game = "";
  #plan: ArmyPlan = { parts: [], ranks: [] };
  #occasion: Option[] = [];
  #for: JsonObject = {};

  constructor() {
    super();
    this.games = [];
    this.catalog = undefined;
    this.army = {};
    this.check = undefined;
    this.own = [];
    this.saved = undefined;
    this.refused = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("query")) void this.attempt(() => this.#load(this.asked("game"), this.asked("army")));
  }

  async #load(game: string, armyId: string): Promise<void> {
    const { service } = this;
    if (!this.games.length) this.games = await gamesWithArmies(service);
    const loaded = armyId ? (await service.armies.getArmy({ armyId })).army : undefined;
    this.#game = loaded?.game || game || this.games[0]?.slug || "";
    this.saved = loaded;
    this.#for = loaded?.occasion ?? {};
    await this.#open();
    this.army = loaded?.army ?? emptyArmy(this.#plan, this.catalog?.entries ?? []);
    this.own = await ownArmies(service, this.#game);
    const name = this.games.find(({ slug }) => slug === this.#game)?.name;
    title(`${name}: armies`);
    await this.#judge();
  }

  /** The catalog for what is built for. */
  async #open(): Promise<void> {
    const catalog = await catalogOf(this.service, this.#game, this.#for);
    this.catalog = catalog;
    this.#plan = planOf(catalog.armySchema ?? {}, catalog.entries);
    this.#occasion = optionsOf(catalog.occasionSchema ?? {}, catalog.entries);
  }

  /** Everything that is wrong with the army, in the service's words. */
  async #judge(): Promise<void> {
    const { army } = this;
    const request = { game: this.#game, army, occasion: this.#for };
    const found = await this.attempt(() => this.service.armies.validateArmy(request));
    if (army === this.army && found) this.check = found.check;
  }

  #soon = settled(() => void this.#judge(), 60);

  #change(army: JsonObject): void {
    this.army = army;
    this.refused = false;
    this.#soon();
  }

  override render() {
    return this.framed("Armies", [
      this.games.length > 1
        ? tabs(
            "Games",
            this.games.map(({ slug, name }) => ({
              name,
              href: path({ page: "armies" }, { game: slug }),
              current: slug === this.#game,
            })),
          )
        : nothing,
      this.catalog ? this.#builder(this.catalog) : nothing,
    ]);
  }

  #builder(catalog: WholeCatalog) {
    return html`
      <div class="builder">
        <section class="sheet" aria-label="The army">
          ${this.#standing()}
          <div class="field">
            <label for="army-name">Name</label>
            <input id="army-name" maxlength="80" autocomplete="off" .value=${this.saved?.name ?? ""} />
          </div>
          ${this.#tools()} ${this.#faults()}
          ${this.#plan.parts.map((part) => this.#part(part, catalog.entries))}
          <form class="occasion" @change=${this.#occasionChanged} @submit=${stay}>
            ${this.#occasion.map((option) =>
              option.control.kind === "text" || option.control.kind === "json"
                ? html`<details><summary>${words(option.name)}</summary>
                    ${field(option, "", preset(this.#for, option.name))}</details>`
                : field(option, "", preset(this.#for, option.name)),
            )}
          </form>
          ${this.#plan.ranks.map((ranks) => this.#ranks(ranks, catalog.entries))}
        </section>
        <emeth-army-shelf .entries=${catalog.entries} .plan=${this.#plan}
          .faction=${String(this.army["faction"] ?? "")} @entry-chosen=${this.#add}></emeth-army-shelf>
      </div>
      ${this.#savedArmies()}
    `;
  }

  /** Is nothing chosen yet? Then nobody need be told that something is missing. */
  get #isEmpty(): boolean {
    return !this.refused && this.#plan.ranks.every((ranks) => !members(this.army, ranks).length);
  }

  /** How the army stands: what it is worth, of what it may be worth. */
  #standing() {
    const { check } = this;
    const points = check?.points ?? 0;
    const wrong = this.#isEmpty ? 0 : (check?.faults.length ?? 0);
    const told = this.#isEmpty ? "Nothing chosen yet" : check ? "It may serve" : "";
    return html`<div class="standing ${wrong ? "wrong" : ""}" role="status">
      <b>${points}</b> ${check?.limit === undefined ? counted(points, "point").replace(/^\d+ /, "") : `of ${check.limit} points`}
      ${
        check?.limit === undefined
          ? nothing
          : html`<meter min="0" max=${check.limit} value=${Math.min(points, check.limit)}
              aria-label="Points"></meter>`
      }
      <span>${wrong ? counted(wrong, "fault") : told}</span>
    </div>`;
  }

  #add = ({ detail }: CustomEvent<{ ranks: Ranks; id: string }>): void => {
    this.#change(added(this.army, detail.ranks, detail.id));
  };

  #part({ name, kind, about }: Part, entries: readonly CatalogEntry[]) {
    const value = String(this.army[name] ?? "");
    const change = (event: Event): void => {
      this.#change({ ...this.army, [name]: (event.target as HTMLSelectElement).value });
    };
    return html`<div class="field">
      <label for="part-${name}">${words(name)}</label>
      ${
        kind === undefined
          ? html`<input id="part-${name}" .value=${value} @change=${change} />`
          : html`<select id="part-${name}" @change=${change}>
              ${entries
                .filter((each) => each.kind === kind)
                .map(
                  (each) => html`<option value=${each.id} ?selected=${each.id === value}>
                    ${each.name}</option>`,
                )}
            </select>`
      }
      <p class="note">${about || (entries.find((each) => each.kind === kind && each.id === value)?.words ?? "")}</p>
    </div>`;
  }

  #ranks(ranks: Ranks, entries: readonly CatalogEntry[]) {
    const all = members(this.army, ranks);
    return html`<section class="ranks" aria-label=${words(ranks.name)}>
      <h2>${words(ranks.name)} <span class="note">${all.length || "none yet"}</span></h2>
      <ol>${all.map((member, index) => this.#member(ranks, member, index, entries))}</ol>
    </section>`;
  }

  #member(ranks: Ranks, member: JsonValue, index: number, entries: readonly CatalogEntry[]) {
    const id = idOf(member, ranks);
    const entry = entries.find((each) => each.kind === ranks.kind && each.id === id);
    const name = entry?.name ?? id;
    const place = `${ranks.name}[${index}]`;
    const wrong = (this.check?.faults ?? []).filter(({ path: at }) => at.startsWith(place));
    return html`<li class=${wrong.length ? "wrong" : ""}>
      <div class="row">
        <b>${name}</b>
        <span class="note">${entry ? counted(entry.points, "point") : ""}</span>
        <button class="small" aria-label="Take ${name} out"
          @click=${() => this.#change(removed(this.army, ranks, index))}>Take out</button>
      </div>
      ${
        ranks.parts.length
          ? html`<div class="row fittings">
              ${ranks.parts.map((part) => this.#fitting(ranks, member as JsonObject, index, part, entries))}
            </div>`
          : nothing
      }
      ${wrong.map(({ why }) => html`<p class="trouble fault">${why}</p>`)}
    </li>`;
  }

  #fitting(
    ranks: Ranks,
    member: JsonObject,
    index: number,
    { name, kind }: Part,
    entries: readonly CatalogEntry[],
  ) {
    const value = String(member[name] ?? "");
    const change = (event: Event): void => {
      const { value: now } = event.target as HTMLSelectElement;
      this.#change(fitted(this.army, ranks, index, name, now));
    };
    if (kind === undefined) {
      return html`<label>${words(name)} <input class="short" .value=${value} @change=${change} /></label>`;
    }
    const faction = String(this.army["faction"] ?? "");
    return html`<label>${words(name)} <select @change=${change}>
      <option value="">none</option>
      ${entries
        .filter((each) => each.kind === kind && (serves(each, faction) || each.id === value))
        .map(
          (each) => html`<option value=${each.id} ?selected=${each.id === value}>
            ${each.name}, ${each.points}</option>`,
        )}
    </select></label>`;
  }

  #faults() {
    const faults = this.check?.faults ?? [];
    if (!faults.length || this.#isEmpty) return nothing;
    return html`<div class="faults" role=${this.refused ? "alert" : "group"} aria-label="Faults">
      <b>${this.refused ? "It cannot be saved like this" : "It may not serve yet"}:</b>
      <ul>${faults.map((fault) => this.#fault(fault))}</ul>
    </div>`;
  }

  #fault({ why, sentence, rule }: ArmyFault) {
    return html`<li>${capital(why)}.
      <span class="note">${isSaid(sentence, why) ? nothing : sentence}
        <a href=${path({ page: "rules" }, { game: this.#game, rule })}><code>${rule}</code></a></span>
    </li>`;
  }

  #tools() {
    const { saved } = this;
    const mine = saved && this.own.some(({ armyId }) => armyId === saved.armyId);
    const scenario = this.#for["scenario"];
    return html`<p class="row tools">
      <button class="main" ?disabled=${this.busy} @click=${() => void this.#save(mine ? saved : undefined)}>
        ${mine ? "Save" : "Save as new"}</button>
      ${mine ? html`<button @click=${() => void this.#save(undefined)}>Save as another</button>` : nothing}
      ${
        saved
          ? html`<a class="button" href=${path(
              { game: this.#game },
              { army: saved.armyId, scenario: scenario === undefined ? "" : String(scenario) },
            )}>Use in a new match</a>`
          : nothing
      }
    </p>`;
  }

  #savedArmies() {
    if (!this.own.length) return nothing;
    return html`<section aria-label="Saved armies" class="saved">
      <h2>Your armies</h2>
      <ul class="matches">
        ${this.own.map(
          (army) => html`<li class="row">
            <a href=${path({ page: "armies" }, { army: army.armyId })}
              aria-current=${army.armyId === this.saved?.armyId ? "true" : nothing}>
              <b>${army.name}</b><span>${counted(army.points, "point")}</span></a>
            <button class="small" aria-label="Delete ${army.name}"
              @click=${() => void this.#delete(army)}>Delete</button>
          </li>`,
        )}
      </ul>
    </section>`;
  }

  #occasionChanged = (event: Event): void => {
    const form = event.currentTarget as HTMLFormElement;
    const { values, faults } = chosen(this.#occasion, form);
    const [[name, why] = []] = Object.entries(faults);
    if (name) {
      this.trouble = `${words(name)}: ${why}`;
      return;
    }
    this.#for = values;
    void this.attempt(() => this.#open()).then(() => this.#judge());
  };

  async #save(over: SavedArmy | undefined): Promise<void> {
    const name = this.querySelector<HTMLInputElement>("#army-name")?.value.trim() ?? "";
    if (!name) {
      this.trouble = "Give the army a name.";
      this.querySelector<HTMLInputElement>("#army-name")?.focus();
      return;
    }
    const request = {
      requestId: requestId(),
      game: this.#game,
      name,
      army: this.army,
      occasion: this.#for,
      ...(over ? { armyId: over.armyId, expectedVersion: over.version } : {}),
    };
    const { armies } = asOwner(this.service);
    const answer = await this.attempt(() => persistently(() => armies.saveArmy(request)));
    if (!answer) return;
    if (answer.ownerToken) keepOwnerToken(answer.ownerToken);
    if (answer.outcome.case === "saved") {
      this.saved = answer.outcome.value;
      this.own = await ownArmies(this.service, this.#game);
      note({ page: "armies" }, { army: this.saved.armyId });
    } else if (answer.outcome.case === "refused") {
      this.check = answer.outcome.value;
      this.refused = true;
    }
  }

  async #delete({ armyId }: SavedArmy): Promise<void> {
    const request = { requestId: requestId(), armyId };
    const { armies } = asOwner(this.service);
    if (!(await this.attempt(() => persistently(() => armies.deleteArmy(request))))) return;
    if (armyId === this.saved?.armyId) visit(path({ page: "armies" }, { game: this.#game }));
    else this.own = await ownArmies(this.service, this.#game);
  }
}

async function gamesWithArmies(service: Emeth): Promise<GameSummary[]> {
  const { games } = await service.matches.listGames({});
  return games.filter(({ armies }) => armies);
}

function preset(occasion: JsonObject, name: string): string {
  return String(occasion[name] ?? "");
}

function stay(event: SubmitEvent): void {
  event.preventDefault();
}

function capital(text: string): string {
  return text.replace(/^./, (first) => first.toUpperCase());
}

customElements.define("emeth-armies-page", EmethArmiesPage);

/** The page for `?page=armies&game=GAME&army=ARMY`. */
export function show(service: Emeth, query: URLSearchParams) {
  return html`<emeth-armies-page .service=${service} .query=${query}></emeth-armies-page>`;
}

/** Does the rule say no more than what is wrong does? */
function isSaid(rule: string, why: string): boolean {
  return rule.toLowerCase().startsWith(why.toLowerCase());
}
