/** Content to put into an army: entries of the catalog, which are added by a button. */

import { html, LitElement, nothing } from "lit";
import type { ContentEntry } from "../client/index.ts";
import type { ArmyPlan } from "./army_plan.ts";
import { mentions } from "./content.ts";
import { entryCard } from "./entry_card.ts";
import { words } from "./options.ts";

/** Fires `entry-chosen` with the ranks that the entry belongs to, and its id. */
class EmethArmyShelf extends LitElement {
  static override properties = {
    entries: { attribute: false },
    plan: { attribute: false },
    faction: { attribute: false },
    text: { state: true },
    kind: { state: true },
  };
  declare entries: readonly ContentEntry[];
  declare plan: ArmyPlan;
  declare faction: string;
  declare text: string;
  /** Empty: the first kind. */
  declare kind: string;

  constructor() {
    super();
    this.text = "";
    this.kind = "";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    const kinds = kindsOf(this.plan);
    const kind = kinds.includes(this.kind) ? this.kind : (kinds[0] ?? "");
    const shown = this.entries.filter((entry) => {
      return entry.kind === kind && serves(entry, this.faction) && mentions(entry, this.text);
    });
    const search = (event: Event): void => {
      this.text = (event.target as HTMLInputElement).value;
    };
    return html`<section class="shelf" aria-label="Content">
      <div class="row filters">
        <label class="wide">Search <input type="search" .value=${this.text} @input=${search} /></label>
        <div class="row" role="group" aria-label="Kind">
          ${kinds.map(
            (each) => html`<button class="small" aria-pressed=${each === kind}
              @click=${() => (this.kind = each)}>${words(each)}</button>`,
          )}
        </div>
      </div>
      <ul class="cards">
        ${shown.map((entry) => html`<li>${entryCard(entry, this.#adding(entry))}</li>`)}
      </ul>
      ${shown.length ? nothing : html`<p class="note">No results</p>`}
    </section>`;
  }

  /** What members carry is chosen beside them, and not here. */
  #adding({ kind, id, name }: ContentEntry) {
    const ranks = this.plan.ranks.find((each) => each.kind === kind);
    if (!ranks) return nothing;
    const add = (): void => {
      this.dispatchEvent(new CustomEvent("entry-chosen", { detail: { ranks, id } }));
    };
    return html`<button aria-label="Add ${name}" @click=${add}>Add</button>`;
  }
}

/** May this faction field it? */
export function serves({ factions }: ContentEntry, faction: string): boolean {
  return !faction || !factions.length || factions.includes(faction);
}

/** The kinds that an army is made of, and those that its members carry. */
function kindsOf({ ranks }: ArmyPlan): string[] {
  const carried = ranks.flatMap(({ parts }) => parts.flatMap(({ kind }) => (kind ? [kind] : [])));
  return [...new Set([...ranks.map(({ kind }) => kind), ...carried])];
}

customElements.define("emeth-army-shelf", EmethArmyShelf);
