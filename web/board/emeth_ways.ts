/**
 * `<emeth-ways>`: the ways of an action as a form: what to pay or take of each thing, or what each
 * die showed. Fires `way-chosen` with the action.
 */

import { css, html, LitElement, nothing } from "lit";
import type { Action } from "../client/index.ts";
import { type Amounts, amountsOf, valuesOf } from "./ways.ts";
import { named } from "./words.ts";

/** Up to so many values are buttons; more are typed. */
const BUTTONS = 12;

/** Can these be asked for as a form? What chance shows is told by values, all else by amounts. */
export function asForm(actions: readonly Action[], chance: boolean): boolean {
  return formOf(actions, chance) !== undefined;
}

function formOf(
  actions: readonly Action[],
  chance: boolean,
): { amounts?: Amounts; values?: string[][] } | undefined {
  const values = chance ? valuesOf(actions) : undefined;
  if (values) return { values };
  const amounts = chance ? undefined : amountsOf(actions.map(({ sentence }) => sentence));
  return amounts && { amounts };
}

export class EmethWays extends LitElement {
  static override properties = { actions: { attribute: false }, chance: { type: Boolean } };
  declare actions: readonly Action[];
  declare chance: boolean;

  #form: ReturnType<typeof formOf>;
  #counts = new Map<string, number>();
  #chosen: (string | undefined)[] = [];

  constructor() {
    super();
    this.actions = [];
    this.chance = false;
  }

  static override styles = css`
    :host { display: grid; grid-template-columns: repeat(auto-fill, minmax(10rem, 1fr)); gap: 0 0.6rem; }
    .value, .main { grid-column: 1 / -1; }
    fieldset { border: 0; margin: 0 0 0.4rem; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem; align-items: center; }
    label { display: flex; gap: 0.6rem; align-items: center; }
    legend { float: left; min-width: 3.6rem; padding: 0; }
    button, input {
      font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
      border-radius: 0.45rem; min-height: 2.5rem; min-width: 2.5rem; padding: 0.2rem 0.6rem;
    }
    input { width: 6rem; }
    input:invalid { border-color: var(--bad); }
    button { cursor: pointer; }
    button:disabled { opacity: 0.55; cursor: default; }
    button:hover { border-color: var(--accent); }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
    [aria-pressed="true"], .main {
      background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 650;
    }
    output { min-width: 1.4rem; text-align: center; font-variant-numeric: tabular-nums; }
    .main { width: 100%; }
  `;

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("actions") && !changed.has("chance")) return;
    this.#form = formOf(this.actions, this.chance);
    this.#counts = new Map();
    this.#chosen = [];
  }

  override render() {
    const { amounts, values } = this.#form ?? {};
    if (amounts) return this.#amounts(amounts);
    return values ? values.map((each, n) => this.#value(each, n, values.length)) : nothing;
  }

  // --- amounts -------------------------------------------------------------------------------------

  /** The ways that have at least these amounts, by their places. */
  #left({ ways }: Amounts, more?: string): number[] {
    const least = (name: string): number => (this.#counts.get(name) ?? 0) + (name === more ? 1 : 0);
    const names = new Set([...this.#counts.keys(), ...(more ? [more] : [])]);
    return ways.flatMap((way, n) =>
      [...names].every((name) => (way.get(name) ?? 0) >= least(name)) ? [n] : [],
    );
  }

  #amounts(amounts: Amounts) {
    const left = this.#left(amounts);
    const whole = left.filter((n) =>
      amounts.names.every((name) => (amounts.ways[n]?.get(name) ?? 0) === (this.#counts.get(name) ?? 0)),
    );
    const [only] = left.length === 1 ? left : whole;
    const action = only === undefined ? undefined : this.actions[only];
    return html`${amounts.names.map((name) => this.#counter(amounts, name))}
      <button class="main" ?disabled=${!action} @click=${() => action && this.#choose(action)}>
        ${action ? action.sentence : `${left.length} ways left`}
      </button>`;
  }

  #counter(amounts: Amounts, name: string) {
    const count = this.#counts.get(name) ?? 0;
    const step = (by: number) => (): void => {
      this.#counts.set(name, count + by);
      this.requestUpdate();
    };
    return html`<fieldset>
      <legend>${named(name)}</legend>
      <button aria-label=${`Less ${name}`} ?disabled=${!count} @click=${step(-1)}>−</button>
      <output aria-label=${name}>${count}</output>
      <button
        aria-label=${`More ${name}`}
        ?disabled=${!this.#left(amounts, name).length}
        @click=${step(1)}
      >+</button>
    </fieldset>`;
  }

  // --- values --------------------------------------------------------------------------------------

  #value(values: readonly string[], n: number, of: number) {
    const label = of === 1 ? "Result" : `Number ${n + 1}`;
    const set = (value: string): void => {
      this.#chosen[n] = value;
      this.requestUpdate();
      const found = this.actions.find(({ choices }) =>
        choices.every((each, place) => each === this.#chosen[place]),
      );
      if (found) this.#choose(found);
    };
    if (values.length > BUTTONS) return this.#typed(values, label, set);
    return html`<fieldset class="value">
      <legend>${label}</legend>
      ${values.map(
        (value) => html`<button aria-pressed=${this.#chosen[n] === value} @click=${() => set(value)}>
          ${value}
        </button>`,
      )}
    </fieldset>`;
  }

  #typed(values: readonly string[], label: string, set: (value: string) => void) {
    const check = (event: Event): void => {
      const field = event.target as HTMLInputElement;
      const value = field.value.trim();
      const known = values.includes(value);
      field.setCustomValidity(known ? "" : `one of ${values[0]} to ${values.at(-1)}`);
      if (known) set(value);
      else field.reportValidity();
    };
    return html`<fieldset class="value">
      <label><span>${label}</span>
        <input inputmode="numeric" placeholder=${`${values[0]} – ${values.at(-1)}`} @change=${check} />
      </label>
    </fieldset>`;
  }

  #choose(action: Action): void {
    this.dispatchEvent(new CustomEvent("way-chosen", { detail: action }));
  }
}

customElements.define("emeth-ways", EmethWays);
