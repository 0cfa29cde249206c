/** `<emeth-still>`: a drawing of a match that is only looked at. */

import { css, html, LitElement } from "lit";
import { read } from "../board/drawing.ts";

class EmethStill extends LitElement {
  static override properties = {
    svg: { attribute: false },
    marked: { attribute: false },
    label: {},
  };
  declare svg: string;
  /** Ids of pieces and spaces that stand out. */
  declare marked: readonly string[];
  declare label: string;
  /** The drawing's own styles: the page's policy has none inline. */
  readonly #sheet = new CSSStyleSheet();

  static override styles = css`
    :host { display: block; }
    svg { display: block; width: 100%; height: auto; }
    .picked { filter: drop-shadow(0 0 2px var(--emeth-focus)) drop-shadow(0 0 5px var(--emeth-focus)); }
  `;

  constructor() {
    super();
    this.svg = "";
    this.marked = [];
    this.label = "";
  }

  protected override createRenderRoot() {
    const root = super.createRenderRoot();
    if (root instanceof ShadowRoot) root.adoptedStyleSheets.push(this.#sheet);
    return root;
  }

  override render() {
    if (!this.svg) return html``;
    const { element, css: sheet } = read(this.svg);
    this.#sheet.replaceSync(sheet);
    for (const id of this.marked.map((each) => CSS.escape(each))) {
      element.querySelector(`[data-piece="${id}"], [data-space="${id}"]`)?.classList.add("picked");
    }
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", this.label);
    return html`${element}`;
  }
}

customElements.define("emeth-still", EmethStill);
