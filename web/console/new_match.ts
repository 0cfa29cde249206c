/** Making a match of any game: its terms, all its options, and who brings which army. */

import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { html, nothing } from "lit";
import { CHANCE_WORDS, named, UNDO_WORDS } from "../board/words.ts";
import {
  asEmethError,
  Chance,
  type CreateMatchRequestSchema,
  type Emeth,
  type GetGameResponse,
  persistently,
  requestId,
  type Army,
  SeatAssignment,
  SubstitutePolicy,
  UndoPolicy,
  Visibility,
} from "../client/index.ts";
import { path, visit } from "./address.ts";
import { againstBots, botsOf } from "./against_bots.ts";
import { playerToken } from "./account.ts";
import { ownArmies } from "./armies.ts";
import { beginningFields, chosenBeginning, waitsForPlayers } from "./beginning_form.ts";
import { keepCodes } from "./codes.ts";
import { contentOf } from "./content.ts";
import { chosenClocks, clockField, isOwnClock, seatClockField } from "./clock_choice.ts";
import { armiesOption, chosen, type Faults, faultLine, field, type Option, optionsOf } from "./options.ts";
import { counted, Page, settled } from "./page.ts";
import { title } from "./title.ts";
import { DRAWN } from "./joining.ts";
import { capital } from "./match_terms.ts";
import { keep } from "./tokens.ts";

/** The option that says the same as the terms of the match do. */
const CHANCE = "chance";
/** The field of a fault that is no single option's. */
const ALL = "";

class EmethNewMatch extends Page {
  static override properties = {
    ...Page.properties,
    game: { attribute: false },
    found: { state: true },
    faults: { state: true },
    armies: { state: true },
    seats: { state: true },
    waits: { state: true },
    isOwnClock: { state: true },
  };
  declare game: string;
  declare found: GetGameResponse | undefined;
  /** What is wrong, by field. */
  declare faults: Faults;
  /** The armies that can be fielded. */
  declare armies: readonly Army[];
  /** The seats under the options as they are. */
  declare seats: readonly string[];
  /** It is to wait for its players. */
  declare waits: boolean;
  /** A clock is to be put together. */
  declare isOwnClock: boolean;
  #options: Option[] = [];
  #bringsArmies = false;
  /** Something was changed that was not looked at yet. */
  #isUnchecked = false;

  constructor() {
    super();
    this.found = undefined;
    this.faults = {};
    this.armies = [];
    this.seats = [];
    this.waits = false;
    this.isOwnClock = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("query") && this.asked("new") !== this.game) {
      this.game = this.asked("new");
      this.found = undefined;
      this.faults = {};
      void this.#load();
    }
  }

  async #load(): Promise<void> {
    const { game, service } = this;
    const found = await this.attempt(() => service.games.getGame({ game }));
    if (!found) return;
    const content = found.game?.hasContent ? await this.attempt(() => contentOf(service, game)) : [];
    if (!content || game !== this.game) return;
    const options = found.game?.options ?? [];
    const armies = armiesOption(options);
    this.#bringsArmies = armies !== undefined;
    this.#options = shown(optionsOf(options, content), armies);
    if (armies) this.armies = await this.#saved();
    this.seats = found.setup?.seats ?? [];
    this.found = found;
    title(`${found.game?.name}: new game`);
    await this.updateComplete;
    if (this.asked("scenario")) await this.#check();
  }

  /** The armies of this browser, and the one that the address names, which may be another's. */
  async #saved(): Promise<readonly Army[]> {
    const armyId = this.asked("army");
    const own = (await this.attempt(() => ownArmies(this.service, this.game))) ?? [];
    if (!armyId || own.some((each) => each.armyId === armyId)) return own;
    const found = await this.attempt(() => this.service.armies.getArmy({ armyId }));
    return found?.army ? [found.army, ...own] : own;
  }

  override render() {
    const { found } = this;
    return this.framed("New game", found ? this.#form(found) : nothing);
  }

  #form(found: GetGameResponse) {
    return html`<form class="new-match" novalidate @submit=${this.#submit} @change=${this.#changed}>
      <h2>${found.game?.name}</h2>
      <p>${found.game?.summary}</p>
      ${this.#summary()}
      <div class="terms-column">${beginningFields(this.seats, this.waits)} ${this.#terms()}</div>
      <fieldset class="options">
        <legend>House rules</legend>
        <div>
          ${this.#options.map((option) =>
            field(option, this.faults[option.name], this.asked(option.name)),
          )}
        </div>
      </fieldset>
      ${this.#bySeat()}
      <p class="begin row">
        <button class="main" ?disabled=${this.busy}>Play</button>
        ${this.waits ? nothing : againstBots(this.found?.game?.botLevels ?? [], this.busy)}
      </p>
    </form>`;
  }

  #summary() {
    const count = Object.keys(this.faults).length;
    if (!count) return nothing;
    return html`<div class="faults" role="alert">
      <b>${count === 1 ? "One field is" : `${count} fields are`} wrong:</b>
      <ul>
        ${Object.entries(this.faults).map(([name, why]) =>
          name === ALL ? html`<li>${why}</li>` : html`<li>${this.#link(name)}: ${why}</li>`,
        )}
      </ul>
    </div>`;
  }

  #link(name: string) {
    const go = (event: Event): void => {
      event.preventDefault();
      this.querySelector<HTMLElement>(`[id="${idOf(name)}"]`)?.focus();
    };
    return html`<a href="#${idOf(name)}" @click=${go}>${titleOf(this.#options, name)}</a>`;
  }

  #terms() {
    const choices = (name: string, label: string, values: readonly (readonly [number, string])[]) =>
      html`<div class="field">
        <label for=${name}>${label}</label>
        <select id=${name} name="${name}:">
          ${values.map(([value, words]) => html`<option value=${value}>${capital(words)}</option>`)}
        </select>
      </div>`;
    return html`<fieldset>
      <legend>Terms</legend>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
        ${faultLine("title", this.faults["title"] ?? "")}
      </div>
      ${
        this.#hasChance
          ? choices("chance", "Dice and shuffles", each([Chance.ROLLED, Chance.ENTERED], CHANCE_WORDS))
          : nothing
      }
      ${choices(
        "undo",
        "Takebacks",
        each([UndoPolicy.CONSENT, UndoPolicy.FREE, UndoPolicy.REFEREE, UndoPolicy.NONE], UNDO_WORDS),
      )}
      ${choices("visibility", "Spectators", [
        [Visibility.PRIVATE, "anybody with an invite link"],
        [Visibility.PUBLIC, "everybody, listed publicly"],
        [Visibility.UNLISTED, "anybody with the address"],
      ])}
      ${choices("stand-in", "If a player leaves for good", [
        [SubstitutePolicy.NONE, "the match waits"],
        [SubstitutePolicy.REFEREE, "the referee may act for the seat"],
      ])}
      <div class="field checked">
        <label for="pause">Pause for disputes</label>
        <input id="pause" name="pause:" type="checkbox" aria-describedby="pause-about" />
        <p class="note" id="pause-about">
          No player may act while a dispute is open${this.#hasChance ? ", and the server rolls and draws nothing" : nothing}
        </p>
      </div>
      ${clockField(this.isOwnClock)}
    </fieldset>`;
  }

  get #hasChance(): boolean {
    return this.found?.game?.hasChance ?? false;
  }

  #dice(seat: string) {
    return html`<label>Dice <select name="chance:${seat}">
      <option value="0">Same as above</option>
      ${[Chance.ROLLED, Chance.ENTERED].map(
        (chance) => html`<option value=${chance}>${capital(CHANCE_WORDS[chance])}</option>`,
      )}
    </select></label>`;
  }

  #bySeat() {
    return html`<fieldset class="by-seat">
      <legend>By seat</legend>
      ${this.seats.map(
        (seat, index) => html`<div class="field">
          <b>${named(seat)}</b>
          ${this.#hasChance ? this.#dice(seat) : nothing} ${seatClockField(seat)}
          ${this.#bringsArmies ? this.#army(seat, index) : nothing} ${this.#bot(seat)}
          ${faultLine(`seat-${seat}`, this.faults[`armies[${seat}]`] ?? "")}
        </div>`,
      )}
      ${
        this.#bringsArmies
          ? html`<p class="note">
              Saved armies can be used in scenarios that let players build armies.
              <a href=${path({ page: "armies" }, { game: this.game })}>Build an army</a>
            </p>`
          : nothing
      }
    </fieldset>`;
  }

  #army(seat: string, index: number) {
    const asked = index === 0 ? this.asked("army") : "";
    return html`<label>Army <select name="army:${seat}">
      <option value="">Standard army</option>
      ${this.armies.map(
        ({ armyId, name, points }) => html`<option value=${armyId} ?selected=${armyId === asked}>
          ${name}, ${counted(points, "point")}
        </option>`,
      )}
    </select></label>`;
  }

  /** Who plays the seat: a person, or a bot of the service, where it has some. */
  #bot(seat: string) {
    const levels = this.found?.game?.botLevels ?? [];
    if (!levels.length) return nothing;
    return html`<label>Played by <select name="bot:${seat}">
      <option value="">A person</option>
      ${levels.map(
        ({ name, description }) => html`<option value=${name} title=${description}>Computer: ${name}</option>`,
      )}
    </select></label>`;
  }

  #changed = (event: Event): void => {
    const form = event.currentTarget as HTMLFormElement;
    this.waits = waitsForPlayers(form);
    this.isOwnClock = isOwnClock(form);
    this.#isUnchecked = true;
    this.#settled();
  };

  #settled = settled(() => {
    if (this.#isUnchecked) void this.#check();
  });

  /** Everything that is wrong with the options: by the schema, and by the service, one after the other. */
  async #check(): Promise<JsonObject | undefined> {
    const form = this.querySelector("form");
    if (!form) return undefined;
    this.#isUnchecked = false;
    const { values, faults } = chosen(this.#options, form);
    const found: Record<string, string> = { ...faults };
    const left = { ...values };
    for (;;) {
      try {
        const { setup } = await this.service.games.getGame({ game: this.game, options: left });
        this.seats = setup?.seats ?? [];
        break;
      } catch (failure) {
        const error = asEmethError(failure);
        const [field = ALL] = Object.keys(error.fields);
        const name = /^options\.([\w-]+)/.exec(field)?.[1] ?? ALL;
        found[name] = error.fields[field] ?? error.rawMessage;
        // The service names one fault at a time: without this option it names the next.
        if (!(name in left)) break;
        delete left[name];
      }
    }
    this.faults = found;
    return Object.keys(found).length ? undefined : values;
  }

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    this.busy = true;
    try {
      const options = await this.#check();
      if (options) await this.#create(this.#request(form, options, event.submitter));
    } finally {
      this.busy = false;
    }
    if (Object.keys(this.faults).length) scrollTo(0, 0);
  };

  #request(form: HTMLFormElement, options: JsonObject, submitter: HTMLElement | null) {
    const value = (name: string): string =>
      (form.elements.namedItem(name) as HTMLInputElement | null)?.value ?? "";
    const bySeat = (name: string): [string, string][] =>
      this.seats.map((seat) => [seat, value(`${name}:${seat}`)]);
    return {
      requestId: requestId(),
      game: this.game,
      title: value("title:"),
      chance: Number(value("chance:")) as Chance,
      undoPolicy: Number(value("undo:")) as UndoPolicy,
      visibility: Number(value("visibility:")) as Visibility,
      substitutePolicy: Number(value("stand-in:")) as SubstitutePolicy,
      pauseOnDispute: (form.elements.namedItem("pause:") as HTMLInputElement).checked,
      ...chosenBeginning(form),
      ...chosenClocks(form, this.seats),
      options,
      seatChance: Object.fromEntries(
        bySeat("chance").flatMap(([seat, chance]) =>
          Number(chance) ? [[seat, Number(chance) as Chance]] : [],
        ),
      ),
      armies: Object.fromEntries(bySeat("army").filter(([, army]) => army)),
      bots: botsOf(form, submitter, this.seats, Object.fromEntries(bySeat("bot").filter(([, level]) => level))),
    };
  }

  async #create(request: MessageInitShape<typeof CreateMatchRequestSchema>): Promise<void> {
    try {
      const own = playerToken();
      const service = own && request.ownSeat ? this.service.with(own) : this.service;
      const created = await persistently(() => service.matches.createMatch(request));
      const match = created.match?.matchId ?? "";
      keep(match, tokensOf(request, created.tokens, own));
      keepCodes(match, created.inviteCodes);
      const asked = created.match?.prompts[0]?.seat ?? "";
      const people = this.seats.filter((seat) => !request.bots?.[seat]);
      visit(path({ match, as: request.bots?.[asked] ? (people[0] ?? "") : asked }));
    } catch (failure) {
      const { fields, rawMessage } = asEmethError(failure);
      this.faults = Object.keys(fields).length ? fields : { [ALL]: rawMessage };
    }
  }
}

/** What is kept of a new match: a seat that was taken with it may be a player's, or yet to be drawn. */
function tokensOf(
  { ownSeat, seatAssignment }: MessageInitShape<typeof CreateMatchRequestSchema>,
  given: Readonly<Record<string, string>>,
  player: string,
): Record<string, string> {
  const seat = ownSeat?.seat ?? "";
  if (!seat) return given;
  const { [seat]: token = "", ...others } = given;
  return { ...others, [seatAssignment === SeatAssignment.RANDOM ? DRAWN : seat]: token || player };
}

/** Without what the form asks for in other places. */
function shown(options: Option[], armies: string | undefined): Option[] {
  return options.filter(({ name }) => name !== armies && name !== CHANCE);
}

function each<T extends number>(values: readonly T[], words: Record<T, string>) {
  return values.map((value) => [value, words[value]] as const);
}

function titleOf(options: readonly Option[], name: string): string {
  return options.find((option) => option.name === name)?.title ?? name;
}

function idOf(name: string): string {
  return name === "title" ? name : `option-${name}`;
}

customElements.define("emeth-new-match", EmethNewMatch);

/** The page for `?new=GAME`. */
export function show(service: Emeth, query: URLSearchParams) {
  return html`<emeth-new-match .service=${service} .query=${query}></emeth-new-match>`;
}

