/**
 * `<emeth-panel>`: what is asked of the viewer, as sentences beside the drawing: legal actions, what
 * one would do, requests of others, and giving up.
 */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { type Action, type Event, Permission, ProposalDecision, ProposalKind, UndoPolicy } from "../client/index.ts";
import "./emeth_history.ts";
import { asForm } from "./emeth_ways.ts";
import type { MatchView, Preview } from "./match_view.ts";
import { panelStyles } from "./panel_styles.ts";
import { soundIsOn, turnSound } from "./sounds.ts";
import { isPhone, listed, named, PHONE } from "./words.ts";

/** So many actions are listed at once. */
const LISTED = 50;
/** With more than so many, kinds of actions can be chosen first. */
const MANY = 8;
/** Lists of up to so many are open on a phone too. */
const FEW = 6;

export class EmethPanel extends LitElement {
  static override properties = {
    view: { attribute: false },
    question: { state: true },
  };
  declare view: MatchView | undefined;
  declare question: "" | "resign" | "draw";

  static override styles = panelStyles;

  readonly #media = matchMedia(PHONE);
  #changed = (): void => this.requestUpdate();
  /** How often this was drawn, which tells the parts that take a view that it is different. */
  #changes = 0;
  #confirmShown = false;
  #hadFocus = false;

  constructor() {
    super();
    this.question = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#media.addEventListener("change", this.#changed);
    this.view?.addEventListener("change", this.#changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#media.removeEventListener("change", this.#changed);
    this.view?.removeEventListener("change", this.#changed);
  }

  override willUpdate(changed: Map<string, unknown>): void {
    this.#hadFocus = this.shadowRoot?.activeElement?.closest(".preview") != null;
    if (!changed.has("view")) return;
    (changed.get("view") as MatchView | undefined)?.removeEventListener("change", this.#changed);
    this.view?.addEventListener("change", this.#changed);
  }

  /** Whoever plays by keys confirms by Enter. */
  override updated(): void {
    const confirm = this.renderRoot.querySelector<HTMLButtonElement>("#confirm");
    if (confirm && !this.#confirmShown) confirm.focus({ preventScroll: true });
    this.#confirmShown = confirm !== null;
    if (!confirm && this.#hadFocus) this.dispatchEvent(new CustomEvent("decided"));
  }

  override render() {
    const { view } = this;
    if (!view) return nothing;
    return html`
      <p class="unseen" role="status">${view.match?.caption ?? ""}</p>
      <p class="turn" part="turn">${turn(view)}</p>
      ${view.announcements.map((text) => html`<p class="announcement">${text}</p>`)}
      ${view.line === "lost" ? html`<p class="trouble">Connection lost. Reconnecting...</p>` : nothing}
      ${view.trouble && view.line !== "lost" ? html`<p class="trouble" part="error" role="alert">${view.trouble}</p>` : nothing}
      ${view.at === undefined ? this.#request(view) : nothing}
      <div class="bar">
        <emeth-history .view=${view} .stamp=${(this.#changes += 1)}></emeth-history>
        ${this.#tools(view)}
      </div>
      ${this.#room(view)}
    `;
  }

  /** What may be done; while one looks back, what the page has to say of that, in the same room. */
  #room(view: MatchView) {
    if (view.at !== undefined) return html`<div class="choice past"><div class="listed"><slot name="past"></slot></div></div>`;
    if (!view.isPlayer || view.match?.result) return nothing;
    return html`<div class="choice" part="choice">
      <div class="listed">${this.#choice(view)}</div>
      <slot name="conditional-moves"></slot>
    </div>`;
  }

  // --- requests ------------------------------------------------------------------------------------

  #request(view: MatchView) {
    const proposal = view.match?.proposal;
    if (!proposal) return nothing;
    const what = {
      [ProposalKind.UNSPECIFIED]: "made a proposal",
      [ProposalKind.UNDO]: `requests a takeback to event ${proposal.targetVersion}`,
      [ProposalKind.REDO]: `requests to redo the actions up to event ${proposal.targetVersion}`,
      [ProposalKind.DRAW]: "offers a draw",
      [ProposalKind.REMATCH]: "proposes a rematch",
    }[proposal.kind];
    const mine = proposal.awaitingSeats.includes(view.role);
    const costs = [
      ...(proposal.rolledVersions.length ? ["Dice rolls since then are discarded."] : []),
      ...(proposal.revealedVersions.length ? ["Hidden information was revealed after that event."] : []),
    ];
    return html`<section class="request" aria-label="Proposal">
      <p>${named(proposal.seat)} ${what}. ${costs.join(" ")}</p>
      ${
        mine
          ? html`<p class="row">
              <button class="main" ?disabled=${view.busy} @click=${() => view.respond(ProposalDecision.ACCEPT)}>Accept</button>
              <button ?disabled=${view.busy} @click=${() => view.respond(ProposalDecision.REJECT)}>Decline</button>
            </p>`
          : html`<p class="note">Waiting for ${listed(proposal.awaitingSeats.map(named))}.</p>
              ${
                proposal.seat === view.role
                  ? html`<p class="row"><button ?disabled=${view.busy} @click=${() => view.respond(ProposalDecision.WITHDRAW)}>Withdraw</button></p>`
                  : nothing
              }`
      }
    </section>`;
  }

  // --- actions -------------------------------------------------------------------------------------

  #choice(view: MatchView) {
    if (!view.prompt) return nothing;
    if (view.preview) return this.#preview(view, view.preview);
    if (view.opened) return this.#opened(view, view.opened);
    if (view.prompt.chance) return this.#entry(view);
    const { actions, whole } = view.choice;
    const picked = view.picks.length > 0;
    if (!actions.length) return html`<p class="note">Loading legal moves …</p>`;
    const legal = `${actions.length} legal ${actions.length === 1 ? "move" : "moves"}`;
    return html`<details class="actions" ?open=${picked || !isPhone() || actions.length <= FEW}>
      <summary>${picked ? `${legal} left` : `${legal}`}</summary>
      ${picked ? this.#steps(view) : html`<p class="note">Click the board, or choose a move here.</p>`}
      ${this.#verbs(view, actions)} ${this.#list(view, actions.slice(0, LISTED), whole)}
      ${
        actions.length > LISTED
          ? html`<p class="note">${actions.length - LISTED} more: click a piece or a space to narrow the list.</p>`
          : nothing
      }
    </details>`;
  }

  /** What dice or a shuffle showed: told from the table, or drawn here. */
  #entry(view: MatchView) {
    const { actions } = view.choice;
    if (!actions.length) return html`<p class="note">Loading possible results …</p>`;
    const form = asForm(actions, true);
    const draw = (): void => {
      const action = drawnFrom(actions);
      if (action) void view.choose(action);
    };
    const grouped = actions.some(({ group }) => group);
    // A shuffle is told card by card: whoever does not shuffle by hand would click for each.
    const isOfMany = view.events.at(-1)?.action?.verb === actions[0]?.verb;
    return html`<section class="actions" aria-label="Dice or card result">
      <p class="row">
        <button id="draw" ?disabled=${grouped || view.busy} @click=${draw}>Roll or draw here</button>
        ${
          isOfMany
            ? html`<button id="draw-all" ?disabled=${grouped || view.busy} @click=${() => view.drawAll(drawnFrom)}>Draw all remaining</button>`
            : nothing
        }
        <span class="note">or enter the result from the table:</span>
      </p>
      ${form ? this.#form(view, actions) : this.#list(view, actions.slice(0, LISTED))}
    </section>`;
  }

  #form(view: MatchView, actions: readonly Action[]) {
    const choose = ({ detail }: CustomEvent<Action>): void => void view.choose(detail);
    return html`<emeth-ways .actions=${actions} ?chance=${view.prompt?.chance} @way-chosen=${choose}></emeth-ways>`;
  }

  #steps(view: MatchView) {
    return html`<p class="row">
      <button @click=${() => view.back()}>Undo last selection</button>
      ${view.picks.length > 1 ? html`<button @click=${() => view.clear()}>Clear selection</button>` : nothing}
    </p>`;
  }

  #verbs(view: MatchView, actions: readonly Action[]) {
    const counts = new Map<string, number>();
    const called = new Map<string, string>();
    for (const { verb, verbLabel } of actions) {
      counts.set(verb, (counts.get(verb) ?? 0) + 1);
      called.set(verb, verbLabel || named(verb));
    }
    if (actions.length <= MANY || counts.size < 2) return nothing;
    return html`<p class="verbs">
      ${[...counts].map(
        ([verb, count]) => html`<button @click=${() => view.pickVerb(verb)}>
          ${called.get(verb)} <span class="note">${count}</span>
        </button>`,
      )}
    </p>`;
  }

  #list(view: MatchView, actions: readonly Action[], whole?: Action) {
    return html`<ul>
      ${actions.map(
        (action) => html`<li>
          <button class=${action === whole ? "whole" : ""} @click=${() => view.choose(action)}>
            <span>${action.sentence || action.notation}${action.group ? " …" : ""}</span>
            ${action.cost && !action.sentence.includes(action.cost) ? html`<span class="cost">${action.cost}</span>` : nothing}
          </button>
        </li>`,
      )}
    </ul>`;
  }

  #opened(view: MatchView, { title, actions }: NonNullable<MatchView["opened"]>) {
    return html`<section class="actions" aria-label=${title}>
      <p class="row"><button @click=${() => view.back()}>Back</button><b>${title}</b></p>
      ${actions.length > FEW && asForm(actions, false) ? this.#form(view, actions) : this.#list(view, actions)}
    </section>`;
  }

  #preview(view: MatchView, { action, outcome, taken }: Preview) {
    const refused = outcome?.case === "refused" ? outcome.value : undefined;
    const events = outcome?.case === "accepted" ? outcome.value.events : [];
    return html`<section class="preview" aria-label="Preview of the move" @keydown=${this.#key}>
      <p class="chosen">${action.sentence || action.notation}</p>
      ${outcome ? this.#outcome(events) : html`<p class="note">${taken ? "Sending the move …" : "Loading the preview …"}</p>`}
      ${refused ? html`<p class="trouble">${refused.why} <span class="note">${refused.sentence}</span></p>` : nothing}
      <p class="row decide">
        <button
          id="confirm"
          class="main"
          ?disabled=${view.busy || taken || refused !== undefined}
          @click=${() => view.confirm()}
        >Confirm</button>
        <button id="cancel" @click=${() => view.cancel()}>Cancel</button>
      </p>
    </section>`;
  }

  #key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.view?.cancel();
  };

  #outcome(events: readonly Event[]): TemplateResult {
    const facts = events.flatMap((event) => event.facts.map(({ sentence }) => sentence));
    return html`<ul class="facts">
      ${facts.filter(Boolean).map((sentence) => html`<li>${sentence}</li>`)}
    </ul>`;
  }

  // --- beside actions ------------------------------------------------------------------------------

  #tools(view: MatchView) {
    const { match, shown, permissions } = view;
    const isSeat = match?.seats.some(({ name, out }) => name === view.role && !out);
    const acts = isSeat && view.at === undefined && shown && !match?.result;
    const may = (permission: Permission): boolean => Boolean(acts && permissions.has(permission));
    if (acts && this.question) return this.#asked(view, this.question);
    return html`<details class="tools" ?open=${!isPhone()}>
      <summary>More</summary>
      ${
        may(Permission.UNDO) && match?.undoPolicy !== UndoPolicy.NONE
          ? html`<button ?disabled=${view.busy} @click=${() => view.command(() => view.source.undo("my-last-action"))}>Request takeback</button>`
          : nothing
      }
      ${
        may(Permission.OFFER_DRAW)
          ? html`<button @click=${() => this.#ask("draw")}>Offer draw</button>`
          : nothing
      }
      ${
        may(Permission.RESIGN)
          ? html`<button id="resign" @click=${() => this.#ask("resign")}>Resign</button>`
          : nothing
      }
      ${
        hasBoard(view)
          ? html`<button id="turn" aria-label="Flip board" title="Flip board (f)" aria-pressed=${view.turned} @click=${() => (view.turned = !view.turned)}><span aria-hidden="true">⇅\uFE0E</span> <span class="word">Flip board</span></button>`
          : nothing
      }
      <button id="sound" aria-label="Sound" title="Sound" aria-pressed=${soundIsOn()} @click=${this.#sound}>
        <span aria-hidden="true">♪</span> <span class="word">Sound</span>
      </button>
    </details>`;
  }

  #sound = (): void => {
    turnSound(!soundIsOn());
    this.requestUpdate();
  };

  #asked(view: MatchView, question: "resign" | "draw") {
    const act = (): void => {
      this.#ask("");
      const { source } = view;
      void view.command(() => (question === "resign" ? source.resign() : source.offerDraw()));
    };
    return html`<section class="request" aria-label="Confirm">
      <p>${question === "resign" ? "Resign this match?" : "Offer a draw?"}</p>
      <p class="row">
        <button class="main" @click=${act}>${question === "resign" ? "Resign" : "Offer draw"}</button>
        <button @click=${() => this.#ask("")}>No</button>
      </p>
    </section>`;
  }

  #ask(question: "" | "resign" | "draw"): void {
    this.question = question;
  }
}

/** Whose turn it is, in a few words; the drawing has the caption, and readers of the screen too. */
function turn({ match, shown, prompt, at, role }: MatchView): string {
  if (!match || !shown) return "…";
  if (match.result) return match.caption;
  if (at !== undefined && match.prompts.some(({ seat }) => seat === role)) return "Your turn in the current position";
  if (prompt) return prompt.chance ? "Enter the dice or cards" : "Your turn";
  return `Waiting for ${listed(match.prompts.map(({ seat }) => named(seat)))}`;
}

/** Is there a board to be seen, or only cards? */
function hasBoard({ shown }: MatchView): boolean {
  return shown?.svg.includes("data-space=") ?? false;
}

/** One of several, each as likely as the others. */
function drawnFrom(actions: readonly Action[]): Action | undefined {
  return actions[below(actions.length)];
}

/** A number from 0 that is less than this one, each as likely as the others. */
function below(count: number): number {
  const whole = Math.floor(2 ** 32 / count) * count;
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
  return drawn < whole ? drawn % count : below(count);
}

customElements.define("emeth-panel", EmethPanel);
