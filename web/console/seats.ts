/** Who plays, and taking the seat that a link invites to. */

import { html, LitElement, nothing } from "lit";
import type { MatchView } from "../board/match_view.ts";
import { named } from "../board/words.ts";
import { type Emeth, type Match, RefereePolicy } from "../client/index.ts";
import { ownName, playerToken } from "./account.ts";
import { take } from "./joining.ts";
import { mine } from "./mine.ts";
import { isNamed, refereeOf } from "./match_terms.ts";

class EmethSeats extends LitElement {
  static override properties = {
    view: { attribute: false },
    service: { attribute: false },
    match: { attribute: false },
    sitting: { state: true },
  };
  declare view: MatchView;
  declare service: Emeth;
  declare match: Match | undefined;
  declare sitting: boolean;

  constructor() {
    super();
    this.sitting = false;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    const { match, view } = this;
    if (!match) return nothing;
    const asked = new Set(match.prompts.map(({ seat }) => seat));
    return html`<ul class="seats" aria-label="Players">
        ${match.seats.map(
          ({ name, player, out }) => html`<li class=${asked.has(name) ? "asked" : ""}>
            <b>${named(name)}</b>
            <span>${player || "open"}${name === view.role ? ", you" : ""}${out ? ", out" : ""}</span>
            ${name === view.role && !player && !match.result ? this.#invite("Take seat") : nothing}
          </li>`,
        )}
        ${isNamed(match) ? html`<li><b>Referee</b> <span>${refereeOf(match)}</span>${
          this.#isInvited ? this.#invite("Become referee") : nothing
        }</li>` : nothing}
      </ul>
      ${this.sitting ? this.#form() : nothing}`;
  }

  /** Whoever looks has the code for the referee's role. */
  get #isInvited(): boolean {
    const { policy, player } = this.match?.referee ?? {};
    return this.view.role === "referee" && policy === RefereePolicy.INVITED && !player;
  }

  #invite(words: string) {
    const open = (): void => {
      // A player of a frontend has a name already.
      if (playerToken()) void this.#take("");
      else this.sitting = !this.sitting;
    };
    return html`<button aria-expanded=${this.sitting} @click=${open}>${words}</button>`;
  }

  #form() {
    return html`<form class="row sit" @submit=${this.#sit}>
      <label>Your name <input name="player" required maxlength="80" autocomplete="nickname" .value=${ownName()} /></label>
      <button class="main" ?disabled=${this.view.busy}>Take seat</button>
      <p class="note">Only this browser can then play the seat. Links to the seat that were shared before stop working.</p>
    </form>`;
  }

  #sit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    await this.#take((form.elements.namedItem("player") as HTMLInputElement).value.trim());
  };

  async #take(name: string): Promise<void> {
    const { match, view } = this;
    if (!match) return;
    await view.command(async () => {
      await take(this.service, match, view.role, name);
      this.sitting = false;
      mine().refresh();
      this.dispatchEvent(new CustomEvent("seat-claimed"));
    });
  }
}

customElements.define("emeth-seats", EmethSeats);
