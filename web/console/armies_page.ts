/** Building an army of any game that has armies: from its catalog, checked as one chooses. */

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { html, nothing } from "lit";
import {
  type Army,
  type ArmyFault,
  type ArmyValidation,
  type ContentEntry,
  type CreateArmyResponse,
  type Emeth,
  type Game,
  persistently,
  requestId,
  type UpdateArmyResponse,
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
import { contentOf } from "./content.ts";
import { chosen, field, type Option, optionsOf, words } from "./options.ts";
import { counted, Page, settled, tabs } from "./page.ts";
import { title } from "./title.ts";

class EmethArmiesPage extends Page {
  static override properties = {
    ...Page.properties,
    games: { state: true },
    entries: { state: true },
    roster: { state: true },
    check: { state: true },
    own: { state: true },
    saved: { state: true },
    refused: { state: true },
  };
  /** The games that have armies. */
  declare games: readonly Game[];
  /** The content that armies are built from. */
  declare entries: readonly ContentEntry[] | undefined;
  declare roster: JsonObject;
  /** What the service says of the roster as it is. */
  declare check: ArmyValidation | undefined;
  declare own: readonly Army[];
  /** The saved army that is changed; undefined for a new one. */
  declare saved: Army | undefined;
  /** It was to be saved, and was not. */
  declare refused: boolean;
  #game = "";
  #plan: ArmyPlan = { parts: [], ranks: [] };
  #options: Option[] = [];
  #constraints: JsonObject = {};

  constructor() {
    super();
    this.games = [];
    this.entries = undefined;
    this.roster = {};
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
    this.#constraints = loaded?.constraints ?? {};
    await this.#open();
    this.roster = loaded?.roster ?? emptyArmy(this.#plan, this.entries ?? []);
    this.own = await ownArmies(service, this.#game);
    const name = this.games.find(({ slug }) => slug === this.#game)?.name;
    title(`${name}: armies`);
    await this.#judge();
  }

  /** The content under the constraints, and the game's forms for it. */
  async #open(): Promise<void> {
    const [{ game }, entries] = await Promise.all([
      this.service.games.getGame({ game: this.#game }),
      contentOf(this.service, this.#game, this.#constraints),
    ]);
    this.entries = entries;
    this.#plan = planOf(game?.rosterSchema ?? {}, entries);
    this.#options = optionsOf(game?.constraints ?? [], entries);
  }

  /** Everything that is wrong with the army, in the service's words. */
  async #judge(): Promise<void> {
    const { roster } = this;
    const request = { game: this.#game, roster, constraints: this.#constraints };
    const found = await this.attempt(() => this.service.armies.validateArmy(request));
    if (roster === this.roster && found) this.check = found.validation;
  }

  #soon = settled(() => void this.#judge(), 60);

  #change(roster: JsonObject): void {
    this.roster = roster;
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
      this.entries ? this.#builder(this.entries) : nothing,
    ]);
  }

  #builder(entries: readonly ContentEntry[]) {
    return html`
      <div class="builder">
        <section class="sheet" aria-label="Army">
          ${this.#standing()}
          <div class="field">
            <label for="army-name">Name</label>
            <input id="army-name" maxlength="80" autocomplete="off" .value=${this.saved?.name ?? ""} />
          </div>
          ${this.#tools()} ${this.#faults()}
          ${this.#plan.parts.map((part) => this.#part(part, entries))}
          <form class="constraints" @change=${this.#constraintsChanged} @submit=${stay}>
            ${this.#options.map((option) =>
              option.control.kind === "text" || option.control.kind === "json"
                ? html`<details><summary>${option.title}</summary>
                    ${field(option, "", preset(this.#constraints, option.name))}</details>`
                : field(option, "", preset(this.#constraints, option.name)),
            )}
          </form>
          ${this.#plan.ranks.map((ranks) => this.#ranks(ranks, entries))}
        </section>
        <emeth-army-shelf .entries=${entries} .plan=${this.#plan}
          .faction=${String(this.roster["faction"] ?? "")} @entry-chosen=${this.#add}></emeth-army-shelf>
      </div>
      ${this.#savedArmies()}
    `;
  }

  /** Is nothing chosen yet? Then nobody need be told that something is missing. */
  get #isEmpty(): boolean {
    return !this.refused && this.#plan.ranks.every((ranks) => !members(this.roster, ranks).length);
  }

  /** How the army stands: what it is worth, of what it may be worth. */
  #standing() {
    const { check } = this;
    const points = check?.points ?? 0;
    const wrong = this.#isEmpty ? 0 : (check?.faults.length ?? 0);
    const told = this.#isEmpty ? "No units chosen yet" : check ? "Valid army" : "";
    return html`<div class="standing ${wrong ? "wrong" : ""}" role="status">
      <b>${points}</b> ${check?.maxPoints === undefined ? counted(points, "point").replace(/^\d+ /, "") : `of ${check.maxPoints} points`}
      ${
        check?.maxPoints === undefined
          ? nothing
          : html`<meter min="0" max=${check.maxPoints} value=${Math.min(points, check.maxPoints)}
              aria-label="Points"></meter>`
      }
      <span>${wrong ? counted(wrong, "fault") : told}</span>
    </div>`;
  }

  #add = ({ detail }: CustomEvent<{ ranks: Ranks; id: string }>): void => {
    this.#change(added(this.roster, detail.ranks, detail.id));
  };

  #part({ name, kind, about }: Part, entries: readonly ContentEntry[]) {
    const value = String(this.roster[name] ?? "");
    const change = (event: Event): void => {
      this.#change({ ...this.roster, [name]: (event.target as HTMLSelectElement).value });
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
      <p class="note">${about || (entries.find((each) => each.kind === kind && each.id === value)?.description ?? "")}</p>
    </div>`;
  }

  #ranks(ranks: Ranks, entries: readonly ContentEntry[]) {
    const all = members(this.roster, ranks);
    return html`<section class="ranks" aria-label=${words(ranks.name)}>
      <h2>${words(ranks.name)} <span class="note">${all.length || "none yet"}</span></h2>
      <ol>${all.map((member, index) => this.#member(ranks, member, index, entries))}</ol>
    </section>`;
  }

  #member(ranks: Ranks, member: JsonValue, index: number, entries: readonly ContentEntry[]) {
    const id = idOf(member, ranks);
    const entry = entries.find((each) => each.kind === ranks.kind && each.id === id);
    const name = entry?.name ?? id;
    const place = `${ranks.name}[${index}]`;
    const wrong = (this.check?.faults ?? []).filter(({ path: at }) => at.startsWith(place));
    return html`<li class=${wrong.length ? "wrong" : ""}>
      <div class="row">
        <b>${name}</b>
        <span class="note">${entry ? counted(entry.points, "point") : ""}</span>
        <button class="small" aria-label="Remove ${name}"
          @click=${() => this.#change(removed(this.roster, ranks, index))}>Remove</button>
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
    entries: readonly ContentEntry[],
  ) {
    const value = String(member[name] ?? "");
    const change = (event: Event): void => {
      const { value: now } = event.target as HTMLSelectElement;
      this.#change(fitted(this.roster, ranks, index, name, now));
    };
    if (kind === undefined) {
      return html`<label>${words(name)} <input class="short" .value=${value} @change=${change} /></label>`;
    }
    const faction = String(this.roster["faction"] ?? "");
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
    return html`<div class="faults" role=${this.refused ? "alert" : "group"} aria-label="Problems">
      <b>${this.refused ? "This army cannot be saved" : "This army is not valid yet"}:</b>
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
    const scenario = this.#constraints["scenario"];
    return html`<p class="row tools">
      <button class="main" ?disabled=${this.busy} @click=${() => void this.#save(mine ? saved : undefined)}>
        ${mine ? "Save" : "Save as new"}</button>
      ${mine ? html`<button @click=${() => void this.#save(undefined)}>Save a copy</button>` : nothing}
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

  #constraintsChanged = (event: Event): void => {
    const form = event.currentTarget as HTMLFormElement;
    const { values, faults } = chosen(this.#options, form);
    const [[name, why] = []] = Object.entries(faults);
    if (name) {
      this.trouble = `${this.#options.find((each) => each.name === name)?.title}: ${why}`;
      return;
    }
    this.#constraints = values;
    void this.attempt(() => this.#open()).then(() => this.#judge());
  };

  async #save(over: Army | undefined): Promise<void> {
    const name = this.querySelector<HTMLInputElement>("#army-name")?.value.trim() ?? "";
    if (!name) {
      this.trouble = "Give the army a name.";
      this.querySelector<HTMLInputElement>("#army-name")?.focus();
      return;
    }
    const { armies } = asOwner(this.service);
    const id = requestId();
    const values = { name, roster: this.roster, constraints: this.#constraints };
    const answer = await this.attempt(() =>
      persistently((): Promise<CreateArmyResponse | UpdateArmyResponse> => {
        if (!over) return armies.createArmy({ requestId: id, army: { game: this.#game, ...values } });
        const { armyId, etag } = over;
        const updateMask = { paths: Object.keys(values) };
        return armies.updateArmy({ requestId: id, army: { armyId, etag, ...values }, updateMask });
      }),
    );
    if (!answer) return;
    if ("ownerToken" in answer && answer.ownerToken) keepOwnerToken(answer.ownerToken);
    if (answer.outcome.case === "army") {
      this.saved = answer.outcome.value;
      this.own = await ownArmies(this.service, this.#game);
      note({ page: "armies" }, { army: this.saved.armyId });
    } else if (answer.outcome.case === "refused") {
      this.check = answer.outcome.value;
      this.refused = true;
    }
  }

  async #delete({ armyId }: Army): Promise<void> {
    const request = { requestId: requestId(), armyId };
    const { armies } = asOwner(this.service);
    if (!(await this.attempt(() => persistently(() => armies.deleteArmy(request))))) return;
    if (armyId === this.saved?.armyId) visit(path({ page: "armies" }, { game: this.#game }));
    else this.own = await ownArmies(this.service, this.#game);
  }
}

async function gamesWithArmies(service: Emeth): Promise<Game[]> {
  const { games } = await service.games.listGames({});
  return games.filter(({ hasArmies }) => hasArmies);
}

function preset(constraints: JsonObject, name: string): string {
  return String(constraints[name] ?? "");
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
