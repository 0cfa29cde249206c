/** Making a match of any game, with all its options. */

import { html, LitElement, nothing } from "lit";
import { CHANCE_WORDS, UNDO_WORDS } from "../board/words.ts";
import {
  asEmethError,
  Chance,
  type Emeth,
  type GetGameResponse,
  persistently,
  requestId,
  UndoPolicy,
  Visibility,
} from "../client/index.ts";
import { path, visit } from "./address.ts";
import { chosenClock, clockField } from "./clock_choice.ts";
import { chosen, field, type Option, optionsOf } from "./options.ts";
import { keep } from "./tokens.ts";

class EmethNewMatch extends LitElement {
  static override properties = {
    service: { attribute: false },
    game: { attribute: false },
    found: { state: true },
    trouble: { state: true },
    busy: { state: true },
  };
  declare service: Emeth;
  declare game: string;
  declare found: GetGameResponse | undefined;
  declare trouble: readonly string[];
  declare busy: boolean;
  #options: Option[] = [];

  constructor() {
    super();
    this.found = undefined;
    this.trouble = [];
    this.busy = false;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("game")) void this.#load();
  }

  async #load(): Promise<void> {
    try {
      this.found = await this.service.matches.getGame({ game: this.game });
      this.#options = optionsOf(this.found.optionsSchema ?? {});
      document.title = `${this.found.game?.name}: a new match`;
    } catch (failure) {
      this.trouble = [asEmethError(failure).rawMessage];
    }
  }

  override render() {
    const { found } = this;
    return html`
      <header class="page-head"><a href=${path({})}>Emeth</a></header>
      <main class="lobby">
        ${this.trouble.map((line) => html`<p class="trouble" role="alert">${line}</p>`)}
        ${found ? this.#form(found) : nothing}
      </main>
    `;
  }

  #form(found: GetGameResponse) {
    return html`<form class="new-match" @submit=${this.#submit}>
      <h1>${found.game?.name}</h1>
      <p>${found.game?.summary}</p>
      <div class="field">
        <label for="title">Title</label>
        <input id="title" name="title:" maxlength="80" autocomplete="off" />
      </div>
      <div class="field">
        <label for="chance">Chance</label>
        <select id="chance" name="chance:">
          ${[Chance.ROLLED, Chance.ENTERED].map(
            (each) => html`<option value=${each}>${sentence(CHANCE_WORDS[each])}</option>`,
          )}
        </select>
      </div>
      <div class="field">
        <label for="undo">Taking back</label>
        <select id="undo" name="undo:">
          ${[UndoPolicy.CONSENT, UndoPolicy.FREE, UndoPolicy.REFEREE, UndoPolicy.NONE].map(
            (each) => html`<option value=${each}>${sentence(UNDO_WORDS[each])}</option>`,
          )}
        </select>
      </div>
      <div class="field">
        <label for="visibility">Looking on</label>
        <select id="visibility" name="visibility:">
          <option value=${Visibility.PRIVATE}>Whoever has a link</option>
          <option value=${Visibility.PUBLIC}>Everybody</option>
        </select>
      </div>
      ${clockField()}
      <details>
        <summary>${this.#options.length} options of the rules</summary>
        ${this.#options.map(field)}
      </details>
      <p><button class="main" ?disabled=${this.busy}>Begin</button></p>
    </form>`;
  }

  #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const value = (name: string): string =>
      (form.elements.namedItem(name) as HTMLInputElement).value;
    this.busy = true;
    try {
      const request = {
        requestId: requestId(),
        game: this.game,
        title: value("title:"),
        chance: Number(value("chance:")) as Chance,
        undo: Number(value("undo:")) as UndoPolicy,
        visibility: Number(value("visibility:")) as Visibility,
        ...chosenClock(value("clock:")),
        options: chosen(this.#options, form),
      };
      const created = await persistently(() => this.service.matches.createMatch(request));
      const match = created.match?.matchId ?? "";
      keep(match, created.tokens);
      visit(path({ match, as: created.match?.asks[0]?.seat ?? "" }));
    } catch (failure) {
      this.trouble = told(failure);
      scrollTo(0, 0);
    } finally {
      this.busy = false;
    }
  };
}

function told(failure: unknown): string[] {
  if (failure instanceof SyntaxError) return [`This is no JSON: ${failure.message}`];
  const error = asEmethError(failure);
  const fields = Object.entries(error.fields).map(([name, why]) => `${name}: ${why}`);
  return fields.length ? fields : [error.rawMessage];
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

customElements.define("emeth-new-match", EmethNewMatch);
