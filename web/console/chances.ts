/** What a bot makes of a match that is over: the chances to win, event by event, and what was missed. */

import { html, LitElement, nothing, svg } from "lit";
import { named } from "../board/words.ts";
import { type AnalyzeMatchResponse, asEmethError, type Emeth, type Match, MistakeKind } from "../client/index.ts";
import { percent } from "./bots.ts";

const HEIGHT = 100;
const MISTAKES: Readonly<Partial<Record<MistakeKind, string>>> = {
  [MistakeKind.INACCURACY]: "inaccuracy",
  [MistakeKind.MISTAKE]: "mistake",
  [MistakeKind.BLUNDER]: "blunder",
};

class EmethChances extends LitElement {
  static override properties = {
    service: { attribute: false },
    match: { attribute: false },
    current: { attribute: false },
    newest: { attribute: false },
    found: { state: true },
    working: { state: true },
    trouble: { state: true },
  };
  /** With the token of who looks. */
  declare service: Emeth;
  /** It is over. */
  declare match: Match;
  /** The version that is looked at. */
  declare current: number;
  declare newest: number;
  /** What was found so far, by version. */
  declare found: ReadonlyMap<number, AnalyzeMatchResponse>;
  declare working: AbortController | undefined;
  declare trouble: string;

  constructor() {
    super();
    this.found = new Map();
    this.working = undefined;
    this.trouble = "";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.working?.abort();
  }

  #look = async (): Promise<void> => {
    const working = new AbortController();
    const { matchId } = this.match;
    [this.working, this.trouble, this.found] = [working, "", new Map()];
    try {
      for await (const each of this.service.analysis.analyzeMatch({ matchId }, { signal: working.signal })) {
        this.found = new Map(this.found).set(each.version, each);
      }
    } catch (failure) {
      if (!working.signal.aborted) this.trouble = asEmethError(failure).rawMessage;
    }
    this.working = undefined;
  };

  override render() {
    return html`<section class="chances" aria-label="Win probability">
      ${this.found.size ? this.#graph() : nothing}
      ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
      ${this.working ? this.#progress(this.working) : nothing}
      ${
        this.working || (this.found.size && !this.trouble)
          ? nothing
          : html`<button title="The computer evaluates each event" @click=${this.#look}>Find mistakes</button>`
      }
      ${this.#told(this.found.get(this.current))}
      ${this.#mistakes()}
    </section>`;
  }

  #progress(working: AbortController) {
    const { done = 0, total = 0 } = [...this.found.values()].at(-1) ?? {};
    return html`<p class="working">
      <progress max=${total || 1} .value=${done} aria-label="Events evaluated"></progress>
      <span class="note">${total ? `${done} of ${total}` : "Analyzing …"}</span>
      <button @click=${() => working.abort()}>Stop</button>
    </p>`;
  }

  /** A line for each seat but the last, whose chances the others leave; a click goes there. */
  #graph() {
    const last = Math.max(this.newest - 1, 1);
    const seats = this.match.seats.map(({ name }) => name);
    const lines = seats.slice(0, Math.max(1, seats.length - 1));
    const place = (version: number): number => version - 1;
    const go = (event: MouseEvent): void => {
      const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
      const at = Math.round(((event.clientX - left) / width) * last);
      this.#choose(Math.min(Math.max(at, 0), last) + 1);
    };
    return html`<svg
      class="graph"
      viewBox="0 0 ${last} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label="Win probability of ${lines.map(named).join(", ")} at each event"
      @click=${go}
    >
      <path class="even" d="M0 ${HEIGHT / 2}H${last}" />
      ${lines.map((seat, number) => {
        const points = this.#inOrder().flatMap(({ version, winProbabilities }) => {
          const chance = winProbabilities[seat];
          return chance === undefined ? [] : [`${place(version)},${HEIGHT - HEIGHT * chance}`];
        });
        const dashes = number ? `${2 * number} ${2 * number}` : nothing;
        return svg`<polyline points=${points.join(" ")} stroke-dasharray=${dashes} />`;
      })}
      ${this.#inOrder().map(({ version, mistake }) =>
        MISTAKES[mistake] ? svg`<path class=${MISTAKES[mistake]} d="M${place(version)} 84V${HEIGHT}" />` : nothing,
      )}
      <path class="now" d="M${place(this.current)} 0V${HEIGHT}" />
    </svg>`;
  }

  #inOrder(): AnalyzeMatchResponse[] {
    return [...this.found.values()].toSorted((a, b) => a.version - b.version);
  }

  /** What there is to say of the event that is looked at. */
  #told(event: AnalyzeMatchResponse | undefined) {
    if (!event) return nothing;
    const chances = this.match.seats.map(({ name }) => `${named(name)} ${percent(event.winProbabilities[name] ?? 0)}`);
    const kind = MISTAKES[event.mistake];
    return html`<p class="note">${kind ? html`<b>${named(kind)}.</b> ` : nothing}Win probability: ${chances.join(", ")}</p>
      ${
        kind && event.betterActions.length
          ? html`<ul class="plain">${event.betterActions.map(
              ({ sentence, winProbability }) => html`<li>Better: ${sentence} (${percent(winProbability)})</li>`,
            )}</ul>`
          : nothing
      }
      ${event.threat ? html`<p class="note">${event.threat}</p>` : nothing}`;
  }

  #mistakes() {
    const missed = this.#inOrder().filter(({ mistake }) => MISTAKES[mistake]);
    if (!missed.length) return nothing;
    return html`<ul class="missed" aria-label="Mistakes">${missed.map(
      ({ version, seat, mistake }) => html`<li>
        <button aria-current=${version === this.current ? "step" : nothing} @click=${() => this.#choose(version)}>
          ${version} ${named(seat)}: ${MISTAKES[mistake]}
        </button>
      </li>`,
    )}</ul>`;
  }

  #choose(version: number): void {
    this.dispatchEvent(new CustomEvent("event-chosen", { detail: version }));
  }
}

customElements.define("emeth-chances", EmethChances);
