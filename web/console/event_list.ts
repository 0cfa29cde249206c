/** Events, as sentences: the newest in view, or the one that is looked at. */

import { html, LitElement, nothing } from "lit";
import { undone } from "../board/lines.ts";
import type { Event } from "../client/index.ts";

class EmethEventList extends LitElement {
  static override properties = {
    events: { attribute: false },
    current: { attribute: false },
    version: { attribute: false },
  };
  declare events: readonly Event[];
  declare current: number | undefined;
  declare version: number | undefined;

  constructor() {
    super();
    this.events = [];
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  /** What the panel above takes is taken from the list: the newest stays in view. */
  #size = new ResizeObserver(() => this.#scroll());

  override firstUpdated(): void {
    this.#size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size.disconnect();
  }

  override updated(changed: Map<string, unknown>): void {
    if (changed.has("events") || changed.has("current")) this.#scroll();
  }

  #scroll(): void {
    const list = this.querySelector("ol");
    const item = list?.querySelector<HTMLElement>("[aria-current]") ?? list?.lastElementChild;
    // The list alone is scrolled: the page never jumps.
    if (list && item instanceof HTMLElement) {
      const above = item.offsetTop;
      const below = above + item.offsetHeight - list.clientHeight;
      if (above < list.scrollTop) list.scrollTop = above;
      else if (below > list.scrollTop) list.scrollTop = below;
    }
  }

  override render() {
    const left = undone(this.events);
    return html`<ol class="events" aria-label="Events" tabindex="-1">
      ${this.events.map((event) => this.#row(event, left.has(event.version)))}
    </ol>`;
  }

  #row({ version, seat, sentence }: Event, isUndone: boolean) {
    const current = version === this.current;
    const later = this.version !== undefined && version > this.version;
    const kinds = [...(later ? ["later"] : []), ...(isUndone ? ["undone"] : [])].join(" ");
    return html`<li class=${kinds} aria-current=${current ? "step" : nothing}>
      <button @click=${() => this.#choose(version)}>
        <span class="number">${version}</span><span data-seat=${seat}>${sentence}${
          isUndone ? html` <span class="note">(undone)</span>` : nothing
        }</span>
      </button>
    </li>`;
  }

  #choose(version: number): void {
    this.dispatchEvent(new CustomEvent("event-chosen", { detail: version }));
  }
}

customElements.define("emeth-event-list", EmethEventList);
