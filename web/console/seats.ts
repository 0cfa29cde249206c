/** Who plays, and taking the seat that a link invites to. */

import { html, LitElement, nothing } from "lit";
import type { MatchView } from "../board/match_view.ts";
import { named } from "../board/words.ts";
import { type Emeth, type Match, persistently, requestId } from "../client/index.ts";
import { keep, tokensOf } from "./tokens.ts";

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
    const asked = new Set(match.asks.map(({ seat }) => seat));
    return html`<ul class="seats" aria-label="Players">
        ${match.seats.map(
          ({ name, player, out }) => html`<li class=${asked.has(name) ? "asked" : ""}>
            <b>${named(name)}</b>
            <span>${player || "open"}${name === view.role ? ", you" : ""}${out ? ", out" : ""}</span>
            ${name === view.role && !player && !match.result ? this.#invite() : nothing}
          </li>`,
        )}
      </ul>
      ${this.sitting ? this.#form() : nothing}`;
  }

  #invite() {
    const open = (): void => {
      this.sitting = !this.sitting;
    };
    return html`<button aria-expanded=${this.sitting} @click=${open}>Sit down</button>`;
  }

  #form() {
    return html`<form class="row sit" @submit=${this.#sit}>
      <label>Your name <input name="player" required maxlength="80" autocomplete="nickname" /></label>
      <button class="main" ?disabled=${this.view.busy}>Sit down</button>
      <p class="note">The seat is then this browser's alone: links to it that were shared before end.</p>
    </form>`;
  }

  #sit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const player = (form.elements.namedItem("player") as HTMLInputElement).value.trim();
    const { view } = this;
    const { matchId, role: seat } = view;
    const service = this.service.with(tokensOf(matchId)[seat] ?? "");
    const request = { requestId: requestId(), matchId, seat, player };
    await view.command(async () => {
      const { token } = await persistently(() => service.matches.claimSeat(request));
      keep(matchId, { [seat]: token });
      this.sitting = false;
      this.dispatchEvent(new CustomEvent("seat-claimed"));
    });
  };
}

customElements.define("emeth-seats", EmethSeats);
