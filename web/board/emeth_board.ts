/**
 * `<emeth-board>`: a match for one viewer, to be put into any page: the drawing takes the room, and
 * beside it is what the viewer can do. What the page puts into it comes below that.
 *
 *     <emeth-board base="https://games.example" match="…" token="…" theme="dark"></emeth-board>
 *
 * A public match needs no token; whose token it is the service says. `theme` is `light`, `dark` or `auto`.
 * What has `slot="past"` is shown while somebody looks back, in the room of what may be done.
 * With `turned` the board is seen from across. A page that has a MatchView of its own sets `view`. Fires `match-change` when anything is different.
 */

import { css, html, LitElement, nothing } from "lit";
import { Code, Emeth, type EmethError } from "../client/index.ts";
import type { EmethDrawing } from "./emeth_drawing.ts";
import "./clocks.ts";
import "./emeth_drawing.ts";
import "./emeth_panel.ts";
import "./emeth_conditional_moves.ts";
import { MatchView } from "./match_view.ts";
import { ServiceSource } from "./service_source.ts";
import { Sounds } from "./sounds.ts";
import { isPlain, TURN } from "./turning.ts";
import { isPhone, PHONE } from "./words.ts";

export class EmethBoard extends LitElement {
  static override properties = {
    view: { attribute: false },
    base: {},
    match: {},
    token: {},
    theme: { reflect: true },
    turned: { type: Boolean, reflect: true },
  };
  declare view: MatchView | undefined;
  declare base: string;
  declare match: string;
  declare token: string;
  declare theme: "light" | "dark" | "auto";
  declare turned: boolean;

  /** The view that this element made by itself, and must close. */
  #own: MatchView | undefined;
  /** Was it taken out of the document? */
  #left = false;

  constructor() {
    super();
    this.base = "";
    this.match = "";
    this.token = "";
    this.theme = "auto";
    this.turned = false;
    this.addEventListener("keydown", this.#key);
  }

  static override styles = css`
    :host {
      display: grid; grid-template-columns: minmax(0, 1fr) minmax(17rem, 22rem); gap: 1rem;
      min-height: 0; color-scheme: light dark;
    }
    :host([theme="light"]) { color-scheme: light; }
    :host([theme="dark"]) { color-scheme: dark; }
    .failure {
      grid-column: 1 / -1; margin: 0; padding: 1rem; color: var(--emeth-bad, light-dark(#b00f1d, #ff9aa0));
    }
    emeth-drawing { min-height: 0; }
    .beside { display: flex; flex-direction: column; gap: 0.75rem; min-height: 0; min-width: 0; }
    ::slotted(*) { min-height: 0; }
    @media (max-width: 60rem) {
      :host { display: flex; flex-direction: column; gap: 0; }
      /* What time is left is seen wherever one is on the page. */
      emeth-clocks {
        order: -1; position: sticky; top: 0; z-index: 1; padding: 0.2rem 0.75rem;
        background: var(--emeth-paper, Canvas);
      }
      emeth-conditional-moves { padding: 0 0.75rem; }
      emeth-panel {
        position: sticky; bottom: 0; z-index: 1; box-sizing: border-box; max-height: 60vh;
        overflow-y: auto; padding: 0.6rem 0.75rem calc(0.6rem + env(safe-area-inset-bottom));
        background: var(--emeth-paper, Canvas); border-top: 1px solid var(--emeth-line, #8886);
      }
      .beside { display: contents; }
    }
    /* Letters so large that hardly one line fits beside another: what stuck to the lower edge would hide
       the board. */
    @media (max-width: 18rem) {
      emeth-panel { position: static; max-height: none; }
    }
    /* A phone on its side, or a window with large letters: below the board the panel would take half of the height, and a board that is
       wider than the screen is high would never be seen whole. */
    @media (max-width: 60rem) and (max-height: 34rem) and (orientation: landscape) {
      :host {
        display: grid; grid-template-columns: minmax(0, 100dvh) minmax(15rem, 1fr); gap: 0.5rem;
        align-items: stretch;
      }
      .beside { display: block; }
      emeth-clocks { position: static; }
      emeth-panel {
        top: 0; bottom: auto; max-height: 100vh; max-height: 100dvh; border-top: 0;
        border-left: 1px solid var(--emeth-line, #8886);
      }
    }
  `;

  override render() {
    const { view, theme } = this;
    if (!view) return nothing;
    if (view.failure && !view.match) {
      return html`<p class="failure" part="error" role="alert">${inWords(view.failure)}</p>`;
    }
    const moves = (slot: "conditional-moves" | typeof nothing) => {
      return html`<emeth-conditional-moves part="conditional-moves" slot=${slot} .view=${view}></emeth-conditional-moves>`;
    };
    return html`
      <emeth-drawing part="drawing" .theme=${theme} .view=${view}></emeth-drawing>
      <div class="beside" part="beside">
        <emeth-clocks part="clocks" .view=${view}></emeth-clocks>
        <emeth-panel part="panel" exportparts="turn, choice, error" .view=${view} @decided=${this.#backToBoard}>
          <slot name="past" slot="past"></slot>
          ${isPhone() ? nothing : moves("conditional-moves")}
        </emeth-panel>
        ${isPhone() ? moves(nothing) : nothing}
        <slot></slot>
      </div>
    `;
  }

  /** Beside the board the conditional moves share the room of what may be done; a phone has none to spare. */
  readonly #media = matchMedia(PHONE);
  #resized = (): void => this.requestUpdate();

  /** Whoever chose by keys goes on where they were on the board. */
  #backToBoard = (): void => {
    this.renderRoot.querySelector<EmethDrawing>("emeth-drawing")?.focusPlace();
  };

  #sounds = new Sounds();
  #heard = (): void => {
    if (!this.view) return;
    if (this.view.failure) this.requestUpdate();
    this.#sounds.follow(this.view);
    this.turned = this.view.turned;
  };

  #key = (event: KeyboardEvent): void => {
    if (event.key !== TURN || !this.view || !isPlain(event)) return;
    event.preventDefault();
    this.turned = !this.turned;
  };

  override willUpdate(changed: Map<string, unknown>): void {
    const named = ["base", "match", "token"].some((name) => changed.has(name));
    if (named && this.match) this.#follow();
    const { view } = this;
    if (!view) return;
    // What the page says counts for the first match, and after that what was chosen for each.
    const isFirst = changed.has("view") && changed.get("view") === undefined;
    if (changed.has("view") && !(isFirst && this.turned)) this.turned = view.turned;
    else if (changed.has("turned")) view.turned = this.turned;
  }

  override updated(changed: Map<string, unknown>): void {
    if (!changed.has("view")) return;
    (changed.get("view") as MatchView | undefined)?.removeEventListener("change", this.#heard);
    this.view?.addEventListener("change", this.#heard);
    this.#sounds = new Sounds();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#media.addEventListener("change", this.#resized);
    if (!this.#left) return;
    // It was moved in the document, or put back.
    this.#left = false;
    this.view?.addEventListener("change", this.#heard);
    if (this.#own && this.#own === this.view) this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#media.removeEventListener("change", this.#resized);
    this.view?.removeEventListener("change", this.#heard);
    this.#own?.close();
    this.#left = true;
  }

  #follow(): void {
    this.#own?.close();
    const service = new Emeth({
      baseUrl: this.base || location.origin,
      ...(this.token ? { token: this.token } : {}),
      client: "emeth-board/1",
    });
    const view = new MatchView(new ServiceSource(service, this.match));
    view.addEventListener("change", () => {
      this.dispatchEvent(new CustomEvent("match-change", { bubbles: true, detail: view }));
    });
    this.#own = this.view = view;
    void view.open();
  }
}

/** Why a match is not shown, and what to do about it. */
function inWords({ code, rawMessage }: EmethError): string {
  switch (code) {
    case Code.NotFound:
      return "Match not found. Check the link.";
    case Code.Unauthenticated:
      return "This match is private. Open it with an invite link from one of its players.";
    case Code.PermissionDenied:
      return "This link is not valid for this match. Ask for a new link, or sign in again.";
    default:
      return `The match cannot be shown: ${rawMessage}`;
  }
}

customElements.define("emeth-board", EmethBoard);
