/** `<emeth-still>`: a drawing of a match that is only looked at. */

import { css, html, LitElement } from "lit";
import { read } from "../board/drawing.ts";

class EmethStill extends LitElement {
  static override properties = { svg: { attribute: false }, label: {} };
  declare svg: string;
  declare label: string;
  /** The drawing's own styles: the page's policy has none inline. */
  readonly #sheet = new CSSStyleSheet();

  static override styles = css`
    :host { display: block; }
    svg { display: block; width: 100%; height: auto; }
  `;

  constructor() {
    super();
    this.svg = "";
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
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", this.label);
    return html`${element}`;
  }
}

customElements.define("emeth-still", EmethStill);
