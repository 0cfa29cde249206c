/** A table: its board drawn, and a stylus with a Control Card on screen, which play by taps. */

import { html, nothing } from "lit";
import { placeAt } from "../board/drawing.ts";
import { named } from "../board/words.ts";
import {
  asEmethError,
  type Emeth,
  type EmethError,
  type DevicePrompt,
  Gateway,
  type Match,
  persistently,
  requestId,
} from "../client/index.ts";
import { knowing } from "./codes.ts";
import { note, path } from "./address.ts";
import { Page } from "./page.ts";
import { title } from "./title.ts";
import "./still.ts";
import "./stylus_card.ts";
import { forgetTable, keepTable, type KnownTable, knownTables, newStylus } from "./tables.ts";
import { knownMatches, rolesOf, tokensOf } from "./tokens.ts";

/** Of a stylus that nobody has named yet. */
const FACTORY_PIN = "0000";
/** The word of a link that carries a gateway's key behind its `#`. */
const KEY_WORD = "gateway";

class EmethTablePage extends Page {
  static override properties = {
    ...Page.properties,
    table: { state: true },
    gateway: { state: true },
    matchId: { state: true },
    seats: { state: true },
    svg: { state: true },
    known: { state: true },
    isGuarded: { state: true },
  };
  declare table: KnownTable | undefined;
  declare gateway: Gateway | undefined;
  /** The match on the table. */
  declare matchId: string;
  /** The seats for which this browser's stylus acts. */
  declare seats: readonly string[];
  /** The board as the seat that is asked sees it. */
  declare svg: string;
  /** The matches that this browser has tokens of. */
  declare known: readonly Match[];
  /** Whoever opens a table must show the admin key: the service is not open to everybody. */
  declare isGuarded: boolean;
  #drawn = "";

  constructor() {
    super();
    this.isGuarded = false;
    this.table = undefined;
    this.gateway = undefined;
    this.matchId = "";
    this.seats = [];
    this.svg = "";
    this.known = [];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.gateway?.close();
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("query")) return;
    title("Tables");
    const given = new URLSearchParams(location.hash.slice(1)).get(KEY_WORD);
    if (given) this.#take(given);
    const table = knownTables().find(({ tableId }) => tableId === this.asked("table"));
    if (table && table.key !== this.table?.key) void this.attempt(() => this.#sit(table));
    else if (!table) this.#rise();
  }

  /** A key that came by a link: it leaves the address, and stays in this browser. */
  #take(key: string): void {
    const [tableId = ""] = key.split(".");
    keepTable({ name: `Table ${tableId.slice(0, 8)}`, tableId, key, owner: "", stylus: newStylus() });
    note({ page: "table" }, { table: tableId });
    this.query = new URLSearchParams(location.search);
  }

  #rise(): void {
    this.gateway?.close();
    [this.table, this.gateway, this.matchId, this.svg] = [undefined, undefined, "", ""];
  }

  // --- at the table ------------------------------------------------------------------------------

  /** Pair this browser's stylus, and listen for what its screen shows. */
  async #sit(table: KnownTable): Promise<void> {
    this.#rise();
    this.table = table;
    const { styluses } = this.service.with(table.key);
    const pairing = { requestId: requestId(), stylusId: table.stylus, pin: FACTORY_PIN };
    const { outcome } = await persistently(() => styluses.pairStylus(pairing));
    if (outcome.case === "refusal") throw new Error(outcome.value.why);
    await this.#seated();
    const gateway = new Gateway(this.service.with(table.key));
    gateway.addEventListener("change", () => this.#changed(gateway));
    gateway.addEventListener("ended", (event) => {
      this.trouble = (event as CustomEvent<EmethError>).detail.rawMessage;
    });
    this.gateway = gateway;
    void gateway.open();
    title(table.name);
    const matches = knownMatches().map(async (matchId) => {
      return (await knowing(this.service, matchId).matches.getMatch({ matchId })).match;
    });
    const found = (await Promise.allSettled(matches)).flatMap((each) =>
      each.status === "fulfilled" && each.value && !each.value.result ? [each.value] : [],
    );
    this.known = found;
  }

  async #seated(): Promise<void> {
    const { table } = this;
    if (!table) return;
    const { tables } = await this.service.with(table.key).gateways.listDevices({});
    this.matchId = tables[0]?.matchId ?? "";
    this.seats = tables[0]?.styluses.find(({ stylusId }) => stylusId === table.stylus)?.seats ?? [];
  }

  get #prompt(): DevicePrompt | undefined {
    return this.gateway?.prompts.get(this.table?.stylus ?? "");
  }

  #changed(gateway: Gateway): void {
    if (gateway !== this.gateway) return;
    this.requestUpdate();
    const prompt = this.#prompt;
    const state = `${prompt?.matchVersion} ${this.matchId}`;
    if (!prompt || state === this.#drawn) return;
    this.#drawn = state;
    void this.attempt(() => this.#draw(prompt));
  }

  /** The board, with what can be done marked, as the seat sees it that is to act. */
  async #draw(prompt: DevicePrompt): Promise<void> {
    const { matchId } = this;
    const tokens = tokensOf(matchId);
    const asked = prompt.prompts.map(({ seat }) => seat).filter((seat) => this.seats.includes(seat));
    const role = [...asked, ...this.seats, ...rolesOf(tokens)].find((each) => tokens[each]);
    const token = role && tokens[role];
    if (!matchId || !token) return;
    const { svg } = await this.service.with(token).view(matchId, ["svg"], {
      atLeastVersion: prompt.matchVersion,
      narrow: matchMedia("(max-width: 60rem)").matches,
      markLegal: true,
    });
    if (matchId === this.matchId) this.svg = svg;
  }

  #tap = ({ detail }: CustomEvent<string>): void => {
    if (this.table) this.gateway?.tap(this.table.stylus, detail);
  };

  /** What was pointed at on the board, as a target that may be tapped now, or else by its own id. */
  #point = (event: Event): void => {
    const place = placeAt(event.composedPath()[0] ?? null);
    if (!place || !this.table) return;
    const { piece, space } = place.dataset;
    const ids = [piece, space].filter((each): each is string => each !== undefined);
    const next = this.#prompt?.nextTargets ?? [];
    const target = ids.flatMap((id) => next.filter((each) => idOf(each) === id));
    const [code = piece === undefined ? `space ${space}` : `piece ${piece}`] = target;
    this.gateway?.tap(this.table.stylus, code);
  };

  // --- what is shown -----------------------------------------------------------------------------

  override render() {
    const { table } = this;
    return this.framed(
      table?.name ?? "Tables",
      table ? this.#played(table) : this.#choice(),
      table ? html`<a class="button" href=${path({ page: "table" })}>All tables</a>` : nothing,
    );
  }

  #played(table: KnownTable) {
    const prompt = this.#prompt;
    const lost = this.gateway?.line === "lost";
    return html`
      ${lost ? html`<p class="trouble" role="alert">Connection lost. Taps are stored and sent after reconnecting.</p>` : nothing}
      <div class="table-top">
        <div class="table-board">
          ${
            this.svg
              ? html`<emeth-still .svg=${this.svg} label="The board"
                  .marked=${(prompt?.selected ?? []).map(idOf)} @click=${this.#point}></emeth-still>`
              : html`<p class="note">Choose a match for this table to show its board here.</p>`
          }
        </div>
        <div class="control-card">
          ${
            prompt
              ? html`<emeth-stylus-card .prompt=${prompt} .waiting=${this.gateway?.waiting ?? 0}
                  @tapped=${this.#tap}></emeth-stylus-card>`
              : nothing
          }
          ${this.#seating()} ${this.#sharing(table)}
        </div>
      </div>`;
  }

  /** Which match is on the table, and for whom the stylus acts. */
  #seating() {
    const words = this.seats.length ? `Plays for ${this.seats.map(named).join(" and ")}` : "No seat chosen yet";
    return html`<details ?open=${!this.seats.length}>
      <summary>${words}</summary>
      <form class="seating" @submit=${this.#seat}>
        ${
          this.known.length
            ? html`<div class="field">
                  <label for="match">Match</label>
                  <select id="match" name="match" @change=${() => this.requestUpdate()}>
                    ${this.known.map(
                      ({ matchId, title, caption }) => html`<option value=${matchId}
                        ?selected=${matchId === (this.matchId || this.asked("match"))}>${title || caption} (${matchId.slice(0, 8)})</option>`,
                    )}
                  </select>
                </div>
                <div class="field">
                  <label for="for">Stylus plays</label>
                  <select id="for" name="for">
                    <option value="">for all seats of this browser (shared by the players)</option>
                    ${this.#choosable().map((role) => html`<option value=${role}>for ${named(role)}</option>`)}
                  </select>
                </div>
                <p><button class="main" ?disabled=${this.busy}>Use stylus for this match</button></p>`
            : html`<p class="note">This browser has no match in progress.
                <a href=${path({})}>Start a new game</a>, or open the link of a seat.</p>`
        }
      </form>
    </details>`;
  }

  #choosable(): string[] {
    const chosen = this.querySelector<HTMLSelectElement>("#match")?.value ?? this.known[0]?.matchId ?? "";
    return rolesOf(tokensOf(chosen));
  }

  #seat = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const value = (name: string): string => (form.elements.namedItem(name) as HTMLSelectElement).value;
    const { table } = this;
    if (!table) return;
    const tokens = tokensOf(value("match"));
    const seats = this.known.find(({ matchId }) => matchId === value("match"))?.seats ?? [];
    const all = seats.flatMap(({ name }) => tokens[name] ?? []);
    const [watching = ""] = Object.values(tokens);
    const one = tokens[value("for")];
    const request = {
      requestId: requestId(),
      stylusId: table.stylus,
      seating: { matchId: value("match"), tokens: one ? [one] : all.length ? all : [watching] },
    };
    void this.attempt(async () => {
      const { outcome } = await this.service.with(table.key).styluses.updateStylus(request);
      if (outcome.case === "refusal") throw new Error(outcome.value.why);
      this.svg = "";
      await this.#seated();
      this.#drawn = "";
      if (this.gateway) this.#changed(this.gateway);
    });
  };

  /** Another stylus at the table, on another screen: a gateway of its own, by a link. */
  #sharing(table: KnownTable) {
    if (!table.owner) return nothing;
    const share = (): void => {
      void this.attempt(async () => {
        const request = { requestId: requestId(), tableId: table.tableId, name: "Another screen" };
        const owner = this.service.with(table.owner);
        const { gatewayKey } = await persistently(() => owner.gateways.createGateway(request));
        const url = new URL(path({ page: "table" }, { table: table.tableId }), location.href);
        url.hash = new URLSearchParams({ [KEY_WORD]: gatewayKey }).toString();
        const shown = this.querySelector<HTMLInputElement>("#screen-link");
        if (shown) {
          shown.value = url.href;
          shown.select();
        }
      });
    };
    return html`<details>
      <summary>Add another screen to this table</summary>
      <p class="row"><button @click=${share} ?disabled=${this.busy}>Create link</button>
        <input id="screen-link" readonly aria-label="Link for another screen" /></p>
      <p class="note">Anybody with the link gets a stylus of their own at this table.</p>
    </details>`;
  }

  #choice() {
    const tables = knownTables();
    return html`
      ${
        tables.length
          ? html`<section aria-label="Your tables"><h2>Your tables</h2><ul class="matches">
              ${tables.map(
                ({ name, tableId }) => html`<li class="row">
                  <a href=${path({ page: "table" }, { table: tableId })}><b>${name}</b></a>
                  <button class="small" aria-label="Forget ${name}" @click=${() => {
                    forgetTable(tableId);
                    this.requestUpdate();
                  }}>Forget</button></li>`,
              )}
            </ul></section>`
          : nothing
      }
      <form class="new-table" @submit=${this.#register}>
        <h2>New table</h2>
        <p>A table has styluses. Here you get one on the screen, with a Control Card: it plays by taps as those of
          a real table do, and beside them.</p>
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" required maxlength="80" autocomplete="off" />
        </div>
        ${
          this.isGuarded
            ? html`<div class="field">
                <label for="key">Admin key of the service</label>
                <input id="key" name="key" type="password" required autocomplete="off" aria-describedby="key-about" />
                <p class="note" id="key-about">It is in the file admin.key of the service's folder. It is not kept here.</p>
              </div>`
            : nothing
        }
        <p><button class="main" ?disabled=${this.busy}>Create table</button></p>
      </form>`;
  }

  /** Only a service that is not open to everybody asks for the admin key. */
  async #unlessGuarded<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await persistently(call);
    } catch (failure) {
      if (asEmethError(failure).reason === "TOKEN_MISSING") this.isGuarded = true;
      throw failure;
    }
  }

  #register = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const value = (name: string): string =>
      (form.elements.namedItem(name) as HTMLInputElement | null)?.value.trim() ?? "";
    const request = { requestId: requestId(), name: value("name") };
    void this.attempt(async () => {
      const admin = value("key");
      const { gateways } = admin ? this.service.with(admin) : this.service;
      const made = await this.#unlessGuarded(() => gateways.createGateway(request));
      const { tableId, gatewayKey: key, ownerKey: owner } = made;
      keepTable({ name: request.name, tableId, key, owner, stylus: newStylus() });
      note({ page: "table" }, { table: tableId });
      this.query = new URLSearchParams(location.search);
    });
  };
}

/** What a target is called on the board: `unit-a6` of `piece unit-a6`. */
function idOf(target: string): string {
  return target.slice(target.indexOf(" ") + 1);
}

customElements.define("emeth-table-page", EmethTablePage);

/** The page for `?page=table&table=TABLE`. */
export function show(service: Emeth, query: URLSearchParams) {
  return html`<emeth-table-page .service=${service} .query=${query}></emeth-table-page>`;
}
