/** `<emeth-drawing>`: the drawing of a match, alive: its pieces move, and can be pointed at. */

import { css, html, LitElement } from "lit";
import {
  ARROWS,
  type Arrow,
  bareCopy,
  boxOf,
  description,
  keyOf,
  nearest,
  placeAt,
  places,
  read,
  spotOf,
  stops,
} from "./drawing.ts";
import { foresee } from "./foresight.ts";
import { type MatchView, NARROW_PX, type Shown } from "./match_view.ts";
import { animate, backwards, type Passage, passage, snapshot } from "./motion.ts";
import type { Pick } from "./narrowing.ts";

/** What has more texts than this is shown closely under the mouse, so many times larger. */
const LETTERED = 2;
const CLOSE = 1.5;
/** A finger may slip so far between down and up. */
const SLIP_PX = 12;
/** The click that a pointer makes comes within this time after it. */
const CLICK_MS = 700;

export class EmethDrawing extends LitElement {
  static override properties = { view: { attribute: false } };
  declare view: MatchView | undefined;

  #drawing: SVGSVGElement | undefined;
  #shown: Shown | undefined;
  #focused = "";
  #changed = (): void => this.#follow();
  #sheet = new CSSStyleSheet();
  #size = new ResizeObserver(([entry]) => {
    const width = entry?.contentRect.width ?? 0;
    if (this.view && width) this.view.narrow = width < NARROW_PX;
  });

  static override styles = css`
    :host { display: block; position: relative; min-width: 0; min-height: 0; }
    .told {
      position: absolute; left: 0; bottom: 0; margin: 0; padding: 0.35rem 0.7rem; max-width: 100%;
      box-sizing: border-box; pointer-events: none; border-radius: 0.45rem; font-size: 0.92rem;
      color: var(--emeth-ink, CanvasText); background: var(--emeth-card, Canvas);
      border: 1px solid var(--emeth-line, #8886);
    }
    @media (max-width: 60rem) { .told { display: none; } }
    .told.right { left: auto; right: 0; }
    .told svg { width: auto; max-width: 100%; margin-top: 0.3rem; }
    .told[hidden] { display: none; }
    #place { height: 100%; overflow-y: auto; }
    svg { display: block; width: 100%; max-height: 100%; }
    svg.tall { max-height: none; }
    @media (max-width: 60rem) { svg { max-height: none; } }
    .pick { fill: none; stroke: #1b46c8; stroke-width: 5; pointer-events: none; }
    [data-piece], [data-space] { outline: none; }
    #place { touch-action: manipulation; }
    .foreseen { opacity: 0.75; pointer-events: none; }
    .leaving { opacity: 0.35; }
    .may { cursor: pointer; }
    .may:hover > :is(rect, path, circle, polygon):first-of-type { filter: brightness(1.08); }
    .may:hover { filter: drop-shadow(0 0 2px var(--emeth-accent, #8a4b1d)); }
    .picked[data-piece] { filter: drop-shadow(0 0 4px #1b46c8) drop-shadow(0 0 1px #1b46c8); }
    [data-piece]:focus-visible, [data-space]:focus-visible {
      outline: 3px solid var(--emeth-focus, #1b46c8); outline-offset: 1px;
    }
    .next[data-piece] { filter: drop-shadow(0 0 3px #66289c) drop-shadow(0 0 1px #66289c); }
    @media (prefers-color-scheme: dark) {
      .pick { stroke: #8fb0ff; }
      .next[data-piece] { filter: drop-shadow(0 0 4px #d9b3ff) drop-shadow(0 0 1px #d9b3ff); }
      .picked[data-piece] { filter: drop-shadow(0 0 5px #8fb0ff) drop-shadow(0 0 1px #8fb0ff); }
      [data-piece]:focus-visible, [data-space]:focus-visible {
        outline-color: var(--emeth-focus, #8fb0ff);
      }
    }
  `;

  override render() {
    return html`<div
      id="place"
      @pointerdown=${this.#press}
      @pointerup=${this.#release}
      @click=${this.#click}
      @keydown=${this.#key}
      @focusin=${this.#focus}
      @focusout=${() => this.#tell(null)}
      @pointerover=${this.#over}
      @pointerleave=${() => this.#tell(null)}
    ></div>
    <p class="told" aria-hidden="true" hidden></p>`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#size.observe(this);
    this.view?.addEventListener("change", this.#changed);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size.disconnect();
    this.view?.removeEventListener("change", this.#changed);
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("view")) return;
    const before = changed.get("view") as MatchView | undefined;
    before?.removeEventListener("change", this.#changed);
    this.view?.addEventListener("change", this.#changed);
  }

  override firstUpdated(): void {
    const { renderRoot } = this;
    if (renderRoot instanceof ShadowRoot) renderRoot.adoptedStyleSheets.push(this.#sheet);
    this.#follow();
  }

  #follow(): void {
    const shown = this.view?.shown;
    if (!this.hasUpdated || !shown) return;
    if (shown !== this.#shown && shown.svg !== this.#shown?.svg) this.#draw(shown);
    this.#shown = shown;
    this.#light();
  }

  /** Put the new drawing in the old one's place. */
  #draw(shown: Shown): void {
    const old = this.#drawing;
    const steps = old && this.#passage(shown);
    const before = old && steps && snapshot(old, steps);
    const hadFocus = this.shadowRoot?.activeElement != null;
    const { element, css: sheet } = read(shown.svg);
    element.setAttribute("role", "group");
    element.setAttribute("aria-roledescription", "board");
    element.setAttribute("aria-label", element.querySelector(":scope > title")?.textContent ?? "");
    // The caption is beside the board, and a title over all of it would follow the mouse.
    element.querySelector(":scope > title")?.remove();
    this.#sheet.replaceSync(sheet);
    this.renderRoot.querySelector("#place")?.replaceChildren(element);
    this.#drawing = element;
    this.#setStops(hadFocus);
    if (steps && before && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      animate(element, steps, before);
    }
  }

  #passage(shown: Shown): Passage | undefined {
    const was = this.#shown?.version;
    if (was === undefined || was === shown.version || !this.view) return undefined;
    if (was < shown.version) return passage(this.view.between(was, shown.version));
    return backwards(passage(this.view.between(shown.version, was)));
  }

  /** Put the focus on the place that had it last. */
  focusPlace(): void {
    const place = this.#drawing?.querySelector<SVGGElement>('[tabindex="0"]');
    place?.focus({ preventScroll: true });
  }

  // --- pointing ------------------------------------------------------------------------------

  /** Show which places can be pointed at, and which were. */
  #light(): void {
    const { view } = this;
    const drawing = this.#drawing;
    if (!drawing || !view) return;
    const { choice, picks, preview } = view;
    foresee(drawing, preview?.outcome?.case === "accepted" ? preview.outcome.value.events : []);
    for (const each of drawing.querySelectorAll(".pick")) each.remove();
    for (const place of places(drawing)) {
      const spot = spotOf(drawing, place);
      const picked = picks.some((pick) => stands(pick, spot));
      const may = choice.takes(spot);
      place.classList.toggle("may", may);
      place.classList.toggle("next", may && picks.length > 0);
      place.classList.toggle("picked", picked);
      if (picked && place.dataset["space"] !== undefined) drawing.append(frame(drawing, place));
      if (!place.hasAttribute("role")) continue;
      place.setAttribute("aria-disabled", String(!may && !picked));
      place.setAttribute("aria-pressed", String(picked));
    }
  }

  #setStops(hadFocus: boolean): void {
    const drawing = this.#drawing;
    if (!drawing) return;
    const all = stops(drawing);
    for (const stop of all) {
      stop.setAttribute("tabindex", "-1");
      stop.setAttribute("role", "button");
      stop.setAttribute("aria-label", description(stop));
    }
    const current = all.find((each) => keyOf(each) === this.#focused) ?? all[0];
    current?.setAttribute("tabindex", "0");
    if (hadFocus) current?.focus({ preventScroll: true });
  }

  #down: PointerEvent | undefined;
  #pointed = Number.NEGATIVE_INFINITY;

  #press = (event: PointerEvent): void => {
    this.#down = event.isPrimary && event.button === 0 ? event : undefined;
  };

  /** Not by `click`, which is lost if the drawing is replaced while a finger is down. */
  #release = (event: PointerEvent): void => {
    const down = this.#down;
    this.#down = undefined;
    if (!down || Math.hypot(event.x - down.x, event.y - down.y) > SLIP_PX) return;
    this.#pointed = event.timeStamp;
    this.#pointAt(this.shadowRoot?.elementFromPoint(event.x, event.y) ?? null);
  };

  /** Clicks that no pointer made, as a screen reader's. */
  #click = (event: MouseEvent): void => {
    if (event.timeStamp - this.#pointed > CLICK_MS) this.#pointAt(event.target);
  };

  #pointAt(target: EventTarget | null): void {
    const drawing = this.#drawing;
    if (!drawing) return;
    const place = placeAt(target);
    if (place) this.view?.point(spotOf(drawing, place));
    else if (this.view?.picks.length) this.view.clear();
  }

  /** Say in letters that can be read what is under the mouse or has the focus. */
  #tell(place: SVGGElement | null): void {
    const told = this.renderRoot.querySelector<HTMLElement>(".told");
    if (!told) return;
    told.hidden = !place;
    told.textContent = place ? description(place) : "";
    const drawing = this.#drawing;
    if (!place || !drawing) return;
    // On the other side, so that nothing hides what it tells of.
    const { left, width } = this.getBoundingClientRect();
    told.classList.toggle("right", place.getBoundingClientRect().left < left + width / 2);
    if (place.querySelectorAll("text").length > LETTERED) {
      told.append(closeUp(drawing, place));
    }
  }

  #over = (event: PointerEvent): void => {
    if (event.pointerType === "mouse") this.#tell(placeAt(event.target));
  };

  #focus = (event: FocusEvent): void => {
    const place = placeAt(event.target);
    this.#tell(place);
    const drawing = this.#drawing;
    if (!place || !drawing) return;
    this.#focused = keyOf(place);
    for (const each of drawing.querySelectorAll('[tabindex="0"]')) {
      each.setAttribute("tabindex", "-1");
    }
    place.setAttribute("tabindex", "0");
  };

  #key = (event: KeyboardEvent): void => {
    const place = placeAt(event.target);
    const drawing = this.#drawing;
    if (!place || !drawing || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      this.view?.point(spotOf(drawing, place));
    } else if (event.key === "Escape") {
      this.view?.back();
    } else if (event.key in ARROWS) {
      nearest(place, stops(drawing), event.key as Arrow)?.focus();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

/** A card at a size at which it can be read. */
function closeUp(drawing: SVGSVGElement, place: SVGGElement): SVGSVGElement {
  const { x, y, width, height } = place.getBBox();
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const name of ["class", "font-family", "font-size"]) {
    svg.setAttribute(name, drawing.getAttribute(name) ?? "");
  }
  svg.setAttribute("viewBox", [x - 4, y - 4, width + 8, height + 8].join(" "));
  svg.style.width = `${width * CLOSE}px`;
  svg.append(bareCopy(place));
  return svg;
}

/** A frame on top of everything, around a place. */
function frame(drawing: SVGSVGElement, place: SVGGElement): SVGRectElement {
  const { x, y, width, height } = boxOf(drawing, place);
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  rect.setAttribute("class", "pick");
  for (const [name, value] of Object.entries({ x, y, width, height })) {
    rect.setAttribute(name, String(value));
  }
  return rect;
}

/** Was this what was pointed at? */
function stands(pick: Pick, spot: { piece?: string; space?: string }): boolean {
  if ("verb" in pick) return false;
  return pick.piece === undefined ? pick.space === spot.space : pick.piece === spot.piece;
}

customElements.define("emeth-drawing", EmethDrawing);
