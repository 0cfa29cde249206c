/**
 * `<emeth-clocks>`: what time each seat of a match has left, ticking: of a `view`, or `clocks` by
 * themselves. It says nothing where nobody has a clock.
 */

import { css, html, LitElement, nothing } from "lit";
import type { Clocks } from "../client/index.ts";
import { ageOf, leftAfter, LOW_MS, timeLeft } from "./clock_time.ts";

const TICK_MS = 100;

/** As much of a MatchView as it needs. */
type Timed = EventTarget & { readonly match: { readonly clocks?: Clocks | undefined } | undefined };

class EmethClocks extends LitElement {
  static override properties = { view: { attribute: false }, clocks: { attribute: false } };
  declare view: Timed | undefined;
  declare clocks: Clocks | undefined;

  #clocks: Clocks | undefined;
  #told = 0;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #changed = (): void => this.requestUpdate();

  static override styles = css`
    dl { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; margin: 0; }
    div { display: flex; gap: 0.5rem; align-items: baseline; padding: 0.2rem 0.5rem; }
    .running { outline: 2px solid currentColor; border-radius: 0.3rem; }
    dt { text-transform: capitalize; }
    dd { margin: 0; font-variant-numeric: tabular-nums; font-weight: 600; }
    .low dd { text-decoration: underline; }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    this.view?.addEventListener("change", this.#changed);
    this.#tick();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.view?.removeEventListener("change", this.#changed);
    clearInterval(this.#ticking);
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("view")) {
      (changed.get("view") as Timed | undefined)?.removeEventListener("change", this.#changed);
      this.view?.addEventListener("change", this.#changed);
    }
    const clocks = this.clocks ?? this.view?.match?.clocks;
    if (clocks === this.#clocks) return;
    this.#clocks = clocks;
    this.#told = performance.now() - (clocks ? ageOf(clocks, Date.now()) : 0);
    this.#tick();
  }

  #tick(): void {
    clearInterval(this.#ticking);
    if (this.#clocks?.seats.some(({ running }) => running)) {
      this.#ticking = setInterval(this.#changed, TICK_MS);
    }
  }

  override render() {
    if (!this.#clocks?.seats.length) return nothing;
    const elapsed = performance.now() - this.#told;
    return html`<section role="timer" aria-label="Clocks" aria-live="off"><dl>
      ${this.#clocks.seats.map((seat) => {
        const left = leftAfter(seat, elapsed);
        const marks = `${seat.running ? "running" : ""} ${left < LOW_MS ? "low" : ""}`;
        return html`<div class=${marks}>
          <dt>${seat.seat}</dt>
          <dd>${timeLeft(left)}</dd>
        </div>`;
      })}
    </dl></section>`;
  }
}

customElements.define("emeth-clocks", EmethClocks);
