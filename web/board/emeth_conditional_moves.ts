/**
 * `<emeth-conditional-moves>`: what the viewer's seat plays if the others make certain moves. Shown to
 * players only.
 */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { asEmethError, type ConditionalMoves, ConditionalMovesState } from "../client/index.ts";
import { type Branch, branchesOf, movesOf, readMoves, writeMoves } from "./conditional_text.ts";
import type { MatchView } from "./match_view.ts";
import { panelStyles } from "./panel_styles.ts";
import { named } from "./words.ts";

const WORDS: Record<ConditionalMovesState, string> = {
  [ConditionalMovesState.UNSPECIFIED]: "",
  [ConditionalMovesState.WAITING]: "Waiting.",
  [ConditionalMovesState.DONE]: "All conditional moves were played.",
  [ConditionalMovesState.DROPPED]: "Conditional moves were canceled",
  [ConditionalMovesState.DELETED]: "Deleted.",
};

class EmethConditionalMoves extends LitElement {
  static override properties = {
    view: { attribute: false },
    moves: { state: true },
    trouble: { state: true },
  };
  declare view: MatchView | undefined;
  declare moves: ConditionalMoves | undefined;
  declare trouble: string;

  static override styles = [
    panelStyles,
    css`
      textarea { box-sizing: border-box; width: 100%; font: 0.92em ui-monospace, monospace; }
      code { font: 0.92em ui-monospace, monospace; }
      ol { list-style: none; margin: 0 0 0.4rem; padding: 0; }
      li { border-left: 3px solid var(--line); margin-bottom: 0.4rem; padding-left: 0.6rem; }
      li li { margin: 0.3rem 0 0; }
      .node { display: flex; gap: 0.5rem; align-items: flex-start; justify-content: space-between; }
      .node p { margin: 0; }
      .drop { flex: none; min-width: 2.5rem; padding: 0.2rem; }
    `,
  ];

  constructor() {
    super();
    this.trouble = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.view?.addEventListener("change", this.#changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.view?.removeEventListener("change", this.#changed);
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("view")) return;
    (changed.get("view") as MatchView | undefined)?.removeEventListener("change", this.#changed);
    this.view?.addEventListener("change", this.#changed);
    this.#changed();
  }

  /** They may act at any time, or be dropped. */
  #changed = (): void => {
    this.moves = this.view?.conditionalMoves;
    this.requestUpdate();
  };

  override render() {
    const { view, moves } = this;
    if (!view || view.match?.result || !view.match?.seats.some(({ name }) => name === view.role)) return nothing;
    const waits = moves?.state === ConditionalMovesState.WAITING;
    const dropped = moves?.state === ConditionalMovesState.DROPPED;
    const told = moves ? `${WORDS[moves.state]}${dropped ? `: ${moves.endReason}` : ""}` : "";
    const branches = moves && waits ? branchesOf(moves) : [];
    return html`<details ?open=${waits || dropped} @toggle=${this.#toggled}>
      <summary>Conditional moves</summary>
      <p role="status">${told}</p>
      ${moves && waits ? this.#standing(view, moves, branches) : nothing}
      ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
      ${waits ? html`<details><summary>Change</summary>${this.#form(movesOf(branches))}</details>` : this.#form(moves?.moves ?? [])}
    </details>`;
  }

  /** What it will do, and when. */
  #standing(view: MatchView, { nextResponses, nextResponseSentences }: ConditionalMoves, branches: readonly Branch[]) {
    const others = view.match?.seats.flatMap(({ name }) => (name === view.role ? [] : [name])) ?? [];
    // Responses that are due cannot be set again: they can only be deleted as a whole.
    const drop = nextResponses.length ? undefined : (number: number) => this.#drop(movesOf(branches, number));
    return html`
      ${nextResponses.length ? html`<p>On your turn: ${said(nextResponses, nextResponseSentences)}</p>` : nothing}
      ${branches.length ? tree(branches, others.length === 1 ? others[0] : undefined, drop) : nothing}
      <p class="row"><button @click=${this.#delete}>Delete conditional moves</button></p>
    `;
  }

  #form(moves: ConditionalMoves["moves"] | ReturnType<typeof movesOf>) {
    return html`
      <p class="note" id="how">
        One line each: their move -> your move. Indent the next exchange by two spaces; * means any move.
        Only you see your conditional moves.
      </p>
      <textarea rows="4" aria-label="Your conditional moves" aria-describedby="how" .value=${writeMoves(moves)}></textarea>
      <p class="row"><button @click=${this.#set}>Set conditional moves</button></p>
    `;
  }

  #toggled = (event: Event): void => {
    this.toggleAttribute("open", (event.currentTarget as HTMLDetailsElement).open);
  };

  /** Set what is left of them. */
  #drop = (left: ReturnType<typeof movesOf>): Promise<void> =>
    this.#attempt(async () => {
      const source = this.view?.source;
      await (left.length ? source?.setConditionalMoves(left) : source?.deleteConditionalMoves());
    });

  #set = (): Promise<void> =>
    this.#attempt(async () => {
      const { view } = this;
      const text = this.renderRoot.querySelector("textarea")?.value ?? "";
      const seats = view?.match?.seats.map(({ name }) => name) ?? [];
      await view?.source.setConditionalMoves(readMoves(text, seats));
    });

  #delete = (): Promise<void> =>
    this.#attempt(async () => {
      await this.view?.source.deleteConditionalMoves();
    });

  async #attempt(call: () => Promise<void>): Promise<void> {
    try {
      await call();
      this.trouble = "";
    } catch (failure) {
      const error = asEmethError(failure);
      this.trouble = error.rawMessage || error.message;
    }
  }
}

/** Branches as sentences, each with a button that drops it, where one may. */
function tree(
  branches: readonly Branch[],
  other: string | undefined,
  drop: ((number: number) => void) | undefined,
  word = "If",
): TemplateResult {
  return html`<ol>
    ${branches.map(({ number, move, then }) => {
      const { triggerSeat, triggerAction, triggerSentence, responses, responseSentences } = move;
      const who = triggerSeat || other;
      const does = triggerAction
        ? html`${word} ${who ? named(who) : "any opponent"} plays: ${inWords(triggerAction, triggerSentence)}`
        : html`${word === "If" ? "After any action of" : "then, after any action of"} ${who ? named(who) : "any opponent"}`;
      return html`<li>
        <div class="node">
          <div>
            <p>${does}</p>
            ${responses.length ? html`<p>you play: ${said(responses, responseSentences)}</p>` : nothing}
          </div>
          ${drop ? html`<button class="drop" title="Delete this branch" aria-label="Delete this branch" @click=${() => drop(number)}>×</button>` : nothing}
        </div>
        ${then.length ? tree(then, other, drop, "then, if") : nothing}
      </li>`;
    })}
  </ol>`;
}

function said(responses: readonly string[], sentences: readonly string[]) {
  return responses.map((response, n) => html`${n ? ", then " : ""}${inWords(response, sentences[n])}`);
}

/** An action in words, or in notation where it cannot be foreseen what it will be. */
function inWords(notation: string, sentence: string | undefined) {
  return sentence ? html`<b>${sentence}</b>` : html`<code>${notation}</code>`;
}

customElements.define("emeth-conditional-moves", EmethConditionalMoves);
