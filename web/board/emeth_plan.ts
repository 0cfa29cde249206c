/**
 * `<emeth-plan>`: what the viewer's seat does if others do this or that. Shown to players only, where
 * the match is kept by who can follow plans.
 */

import { css, html, LitElement, nothing } from "lit";
import { asEmethError, type Plan, PlanStatus } from "../client/index.ts";
import type { MatchView } from "./match_view.ts";
import { panelStyles } from "./panel_styles.ts";
import { readPlan, writePlan } from "./plan_text.ts";

const WORDS: Record<PlanStatus, string> = {
  [PlanStatus.UNSPECIFIED]: "",
  [PlanStatus.WAITING]: "It waits.",
  [PlanStatus.DONE]: "All of it has been done.",
  [PlanStatus.DROPPED]: "It was dropped",
  [PlanStatus.CANCELLED]: "You took it back.",
};

class EmethPlan extends LitElement {
  static override properties = {
    view: { attribute: false },
    plan: { state: true },
    trouble: { state: true },
  };
  declare view: MatchView | undefined;
  declare plan: Plan | undefined;
  declare trouble: string;

  static override styles = [
    panelStyles,
    css`
      textarea { box-sizing: border-box; width: 100%; font: 0.92em ui-monospace, monospace; }
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

  /** The plan may act at any time, or be dropped. */
  #changed = (): void => {
    this.plan = this.view?.plan;
  };

  override render() {
    const { view, plan } = this;
    if (!view?.isPlayer || !view.source.plans) return nothing;
    const waits = plan?.status === PlanStatus.WAITING;
    const told = plan ? `${WORDS[plan.status]}${plan.status === PlanStatus.DROPPED ? `: ${plan.why}` : ""}` : "";
    return html`<details ?open=${waits || plan?.status === PlanStatus.DROPPED}>
      <summary>If they do this, I do that</summary>
      <p class="note" id="how">
        A line for each: what they do -> what you do. Two blanks more for what follows, * for anything.
        Nobody else is told.
      </p>
      <textarea rows="4" aria-label="Your plan" aria-describedby="how" .value=${plan ? writePlan(plan.nodes) : ""}></textarea>
      <p role="status">${told}</p>
      ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
      <div class="row">
        <button @click=${this.#leave}>Leave this plan</button>
        ${waits ? html`<button @click=${this.#cancel}>Take it back</button>` : nothing}
      </div>
    </details>`;
  }

  #leave = (): Promise<void> =>
    this.#attempt(async () => {
      const { view } = this;
      const text = this.renderRoot.querySelector("textarea")?.value ?? "";
      const seats = view?.match?.seats.map(({ name }) => name) ?? [];
      await view?.source.plans?.leave(readPlan(text, seats));
    });

  #cancel = (): Promise<void> =>
    this.#attempt(async () => {
      await this.view?.source.plans?.cancel();
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

customElements.define("emeth-plan", EmethPlan);
