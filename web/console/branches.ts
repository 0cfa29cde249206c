/** What was undone, as a tree: each branch where it leaves the line, with its events to look at. */

import { html, LitElement, nothing } from "lit";
import type { MatchView } from "../board/match_view.ts";
import { type Branch, asEmethError } from "../client/index.ts";

class EmethBranches extends LitElement {
  static override properties = {
    view: { attribute: false },
    newest: { attribute: false },
    current: { attribute: false },
    found: { state: true },
    trouble: { state: true },
  };
  declare view: MatchView;
  /** The version of the last jump of the line: with another, the branches are others. */
  declare newest: number;
  declare current: number | undefined;
  declare found: readonly Branch[];
  declare trouble: string;

  constructor() {
    super();
    this.found = [];
    this.trouble = "";
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("newest") || changed.has("view")) void this.#load(this.view);
  }

  async #load(view: MatchView): Promise<void> {
    try {
      const found = await view.source.branches(this.newest);
      if (view === this.view) [this.found, this.trouble] = [found, ""];
    } catch (failure) {
      this.trouble = asEmethError(failure).rawMessage;
    }
  }

  override render() {
    if (this.trouble) return html`<p class="trouble" role="alert">${this.trouble}</p>`;
    const undone = this.found.filter(({ mainline }) => !mainline);
    if (!undone.length) return nothing;
    const inOrder = undone.toSorted((a, b) => a.baseVersion - b.baseVersion);
    return html`<details class="branches" open>
      <summary>${undone.length === 1 ? "1 undone branch" : `${undone.length} undone branches`}</summary>
      <ul>${inOrder.map((branch) => this.#branch(branch))}</ul>
    </details>`;
  }

  #branch({ baseVersion, versions, differences }: Branch) {
    const sentences = new Map(this.view.events.map(({ version, sentence }) => [version, sentence]));
    return html`<li>
      <button @click=${() => this.#choose(baseVersion)}>After event ${baseVersion}</button>
      <ul>
        ${versions.map(
          (version) => html`<li>
            <button
              aria-current=${version === this.current ? "step" : nothing}
              @click=${() => this.#choose(version)}
            ><span class="number">${version}</span><span>${sentences.get(version) ?? ""}</span></button>
          </li>`,
        )}
      </ul>
      ${
        differences.length
          ? html`<details><summary>Differences from the current position</summary>
              <ul class="plain">${differences.map((each) => html`<li>${each}</li>`)}</ul></details>`
          : nothing
      }
    </li>`;
  }

  #choose(version: number): void {
    this.dispatchEvent(new CustomEvent("event-chosen", { detail: version }));
  }
}

customElements.define("emeth-branches", EmethBranches);
