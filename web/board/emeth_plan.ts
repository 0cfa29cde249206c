/**
 * `<emeth-plan>`: what the viewer's seat does if others do this or that. Shown to players only, where
 * the match is kept by who can follow plans.
 */

import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { asEmethError, type Plan, PlanStatus } from "../client/index.ts";
import type { MatchView } from "./match_view.ts";
import { panelStyles } from "./panel_styles.ts";
import { type Branch, branchesOf, planOf, readPlan, writePlan } from "./plan_text.ts";
import { named } from "./words.ts";

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

  /** The plan may act at any time, or be dropped. */
  #changed = (): void => {
    this.plan = this.view?.plan;
    this.requestUpdate();
  };

  override render() {
    const { view, plan } = this;
    if (!view || view.match?.result || !view.match?.seats.some(({ name }) => name === view.role)) return nothing;
    const waits = plan?.status === PlanStatus.WAITING;
    const told = plan ? `${WORDS[plan.status]}${plan.status === PlanStatus.DROPPED ? `: ${plan.why}` : ""}` : "";
    const branches = plan && waits ? branchesOf(plan) : [];
    return html`<details ?open=${waits || plan?.status === PlanStatus.DROPPED} @toggle=${this.#toggled}>
      <summary>If they do this, I do that</summary>
      <p role="status">${told}</p>
      ${plan && waits ? this.#standing(view, plan, branches) : nothing}
      ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
      ${waits ? html`<details><summary>Change it</summary>${this.#form(planOf(branches))}</details>` : this.#form(plan?.nodes ?? [])}
    </details>`;
  }

  /** What it will do, and when. */
  #standing(view: MatchView, { replies, replySentences }: Plan, branches: readonly Branch[]) {
    const others = view.match?.seats.flatMap(({ name }) => (name === view.role ? [] : [name])) ?? [];
    // What is due cannot be left again as a plan: it can only be dropped as a whole.
    const drop = replies.length ? undefined : (number: number) => this.#drop(planOf(branches, number));
    return html`
      ${replies.length ? html`<p>As soon as you are asked: ${said(replies, replySentences)}</p>` : nothing}
      ${branches.length ? tree(branches, others.length === 1 ? others[0] : undefined, drop) : nothing}
      <p class="row"><button @click=${this.#cancel}>Drop the plan</button></p>
    `;
  }

  #form(nodes: Plan["nodes"] | ReturnType<typeof planOf>) {
    return html`
      <p class="note" id="how">
        A line for each: what they do -> what you do. Two blanks more for what follows, * for anything.
        Nobody else is told.
      </p>
      <textarea rows="4" aria-label="Your plan" aria-describedby="how" .value=${writePlan(nodes)}></textarea>
      <p class="row"><button @click=${this.#leave}>Leave this plan</button></p>
    `;
  }

  #toggled = (event: Event): void => {
    this.toggleAttribute("open", (event.currentTarget as HTMLDetailsElement).open);
  };

  /** Leave what is left of it. */
  #drop = (left: ReturnType<typeof planOf>): Promise<void> =>
    this.#attempt(async () => {
      const source = this.view?.source;
      await (left.length ? source?.setPlan(left) : source?.cancelPlan());
    });

  #leave = (): Promise<void> =>
    this.#attempt(async () => {
      const { view } = this;
      const text = this.renderRoot.querySelector("textarea")?.value ?? "";
      const seats = view?.match?.seats.map(({ name }) => name) ?? [];
      await view?.source.setPlan(readPlan(text, seats));
    });

  #cancel = (): Promise<void> =>
    this.#attempt(async () => {
      await this.view?.source.cancelPlan();
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
    ${branches.map(({ number, node, then }) => {
      const { by, on, onSentence, replies, replySentences } = node;
      const who = by || other;
      const does = on
        ? html`${word} ${who ? named(who) : "anybody"} does this: ${inWords(on, onSentence)}`
        : html`${word === "If" ? "Whatever" : "and then whatever"} ${who ? named(who) : "anybody"} does`;
      return html`<li>
        <div class="node">
          <div>
            <p>${does}</p>
            ${replies.length ? html`<p>you do this: ${said(replies, replySentences)}</p>` : nothing}
          </div>
          ${drop ? html`<button class="drop" title="Drop this" aria-label="Drop this" @click=${() => drop(number)}>×</button>` : nothing}
        </div>
        ${then.length ? tree(then, other, drop, "and then, if") : nothing}
      </li>`;
    })}
  </ol>`;
}

function said(replies: readonly string[], sentences: readonly string[]) {
  return replies.map((reply, n) => html`${n ? ", then " : ""}${inWords(reply, sentences[n])}`);
}

/** An action in words, or in notation where it cannot be foreseen what it will be. */
function inWords(notation: string, sentence: string | undefined) {
  return sentence ? html`<b>${sentence}</b>` : html`<code>${notation}</code>`;
}

customElements.define("emeth-plan", EmethPlan);
