/**
 * `<emeth-history>`: steps through what happened: a slider with a tick for each undo, dispute and
 * verdict, and, at an earlier version, the way back to it.
 */

import { css, html, LitElement, nothing, svg } from "lit";
import { type Event, Permission, UndoPolicy } from "../client/index.ts";
import { undone } from "./lines.ts";
import type { MatchView } from "./match_view.ts";

/** Kinds of events that have a tick, each with the class that draws it. */
const TICKS: Readonly<Record<string, string>> = {
  "match.LineContinued": "undo",
  "match.DisputeRaised": "dispute",
  "match.VerdictGiven": "verdict",
};
const WIDTH = 1000;

export class EmethHistory extends LitElement {
  static override properties = { view: { attribute: false }, stamp: { attribute: false } };
  declare view: MatchView;
  /** Whatever is different when the view is. */
  declare stamp: unknown;

  static override styles = css`
    :host { display: block; flex: 1 1 min(15rem, 100%); min-width: 0; }
    .steps { display: flex; gap: 0.3rem; align-items: center; }
    button {
      font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
      border-radius: 0.45rem; min-height: 2.5rem; padding: 0.2rem 0.6rem; cursor: pointer;
    }
    .steps button { flex: 0 1 2.5rem; min-width: 1.25rem; padding: 0.2rem 0; white-space: nowrap; }
    button:disabled { opacity: 0.55; cursor: default; }
    button:hover { border-color: var(--accent); }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
    .scrubber { position: relative; flex: 1; min-width: 2rem; padding: 0 0.2rem; }
    input { display: block; width: 100%; margin: 0; height: 2.5rem; accent-color: var(--accent); cursor: pointer; }
    svg { position: absolute; left: 0.6rem; bottom: 0; width: calc(100% - 1.2rem); height: 0.55rem; overflow: visible; pointer-events: none; }
    path { stroke: var(--faint); stroke-width: 2; vector-effect: non-scaling-stroke; }
    .dispute, .verdict { stroke: var(--bad); }
    .where { display: flex; flex-wrap: wrap; gap: 0.3rem 0.5rem; align-items: center; margin: 0.3rem 0 0; }
    .note { color: var(--faint); font-size: 0.88em; }
  `;

  override render() {
    const { view } = this;
    const { newest } = view;
    const now = view.at ?? newest;
    const [first, last] = [now > 1, now < newest];
    return html`<div class="steps" role="group" aria-label="History">
        ${this.#button("First event", "|◀", 1, first)}
        ${this.#button("Previous event", "◀", now - 1, first)}
        <div class="scrubber">
          <input
            type="range"
            min="1"
            max=${String(newest || 1)}
            .value=${String(now || 1)}
            aria-label="Event"
            aria-valuetext=${valueText(view, now)}
            @input=${this.#slide}
          />
          ${this.#ticks(view.events, newest)}
        </div>
        ${this.#button("Next event", "▶", now + 1, last)}
        ${this.#button("Latest event", "▶|", undefined, last)}
      </div>
      ${view.at === undefined ? nothing : this.#where(view, view.at)}`;
  }

  #button(label: string, sign: string, to: number | undefined, can: boolean) {
    return html`<button
      aria-label=${label}
      title=${label}
      ?disabled=${!can}
      @click=${() => this.view.look(to)}
    >${sign}\uFE0E</button>`;
  }

  #slide = (event: InputEvent): void => {
    this.view.look(Number((event.target as HTMLInputElement).value));
  };

  #ticks(events: readonly Event[], newest: number) {
    const marked = events.filter(({ kind }) => kind in TICKS);
    if (!marked.length || newest < 2) return nothing;
    return html`<svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">
      ${marked.map(({ version, kind }) => {
        const x = ((version - 1) / (newest - 1)) * WIDTH;
        return svg`<path class=${TICKS[kind] ?? ""} d="M${x.toFixed(1)} 0v10" />`;
      })}
    </svg>`;
  }

  /** What an earlier version is, and what can be done from there. */
  #where(view: MatchView, at: number) {
    const isUndone = undone(view.events).has(at);
    const may = view.permissions.has(Permission.UNDO) && view.match?.undoPolicy !== UndoPolicy.NONE;
    const go = async (): Promise<void> => {
      const { source } = view;
      const done = await view.command(() => (isUndone ? source.redo(at) : source.undo(at)));
      // The event comes by the stream, too, and whoever saw it may look elsewhere by now.
      if (done && view.at === at) view.look(undefined);
    };
    return html`<p class="where">
      <span class="note">After event ${at} of ${view.newest}${isUndone ? ", which was undone" : ""}</span>
      ${
        may
          ? html`<button ?disabled=${view.busy} @click=${go}>
              ${isUndone ? "Redo to here" : "Request takeback to here"}
            </button>`
          : nothing
      }
    </p>`;
  }
}

function valueText(view: MatchView, now: number): string {
  const event = view.events.find(({ version }) => version === now);
  return `${now} of ${view.newest}: ${event?.sentence ?? ""}`;
}

customElements.define("emeth-history", EmethHistory);
