/** `<emeth-drawing>`: the drawing of a match, alive: its pieces move, and can be pointed at. */

import { css, html, LitElement } from "lit";
import {
  ARROWS,
  type Arrow,
  bareCopy,
  description,
  keyOf,
  nearest,
  placeAt,
  read,
  spotOf,
  stops,
  survey,
} from "./drawing.ts";
import { Dragging, SLIP_PX } from "./dragging.ts";
import { foresee } from "./foresight.ts";
import { light } from "./lights.ts";
import { type MatchView, NARROW_PX, type Shown } from "./match_view.ts";
import { animate, backwards, type Passage, passage, snapshot } from "./motion.ts";

/** What has more texts than this is shown closely under the mouse, so many times larger. */
const LETTERED = 2;
const CLOSE = 1.5;
/** What a place has that the keyboard reaches. */
const STOP = ["tabindex", "role", "aria-label", "aria-disabled", "aria-pressed"] as const;
/** The click that a pointer makes comes within this time after it. */
const CLICK_MS = 700;
/** What the service styles a drawing by. */
const NIGHT = "@media(prefers-color-scheme:dark)";

export class EmethDrawing extends LitElement {
  static override properties = { view: { attribute: false }, theme: {} };
  declare view: MatchView | undefined;
  /** `light` or `dark`; anything else: whichever the reader prefers. */
  declare theme: string;

  #drawing: SVGSVGElement | undefined;
  /** What the service drew, of which that is made. */
  #drawn: SVGSVGElement | undefined;
  #css = "";
  #lit: unknown[] = [];
  #shown: Shown | undefined;
  #focused = "";
  #changed = (): void => this.#follow();
  readonly #sheet = new CSSStyleSheet();
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
    svg { display: block; width: 100%; max-height: 100%; user-select: none; }
    svg.tall { max-height: none; }
    svg.boarded { max-height: calc(100% * var(--high)); }
    @media (max-width: 60rem) { svg, svg.boarded { max-height: none; } }
    .lights, .dragged, .foreseen { pointer-events: none; }
    .pick { fill: none; stroke: var(--emeth-picked, light-dark(#1b46c8, #8fb0ff)); stroke-width: 5; }
    .reach {
      fill: var(--emeth-reach, light-dark(#66289c, #d9b3ff)); fill-opacity: 0.14; stroke: var(--emeth-reach, light-dark(#66289c, #d9b3ff));
      stroke-width: 3.5; stroke-dasharray: 9 6; rx: 6;
    }
    .choosing :is([data-piece], [data-space]) :is(.alegal, .blegal, .u:has(+ .blegal)) { opacity: 0; }
    .lifted { opacity: 0.3; }
    .dragged { opacity: 0.9; }
    svg:not(.tall) .may[data-piece] { touch-action: none; }
    [data-piece], [data-space] { outline: none; }
    #place { touch-action: manipulation; }
    .foreseen { opacity: 0.75; }
    .leaving { opacity: 0.35; }
    .taken .foreseen { opacity: 1; }
    .taken .leaving { opacity: 0; }
    .may { cursor: pointer; }
    .may:hover > :is(rect, path, circle, polygon):first-of-type { filter: brightness(1.08); }
    .may:hover { filter: drop-shadow(0 0 2px var(--emeth-accent, #8a4b1d)); }
    .picked[data-piece] { filter: drop-shadow(0 0 4px var(--emeth-picked, light-dark(#1b46c8, #8fb0ff))) drop-shadow(0 0 1px var(--emeth-picked, light-dark(#1b46c8, #8fb0ff))); }
    [data-piece]:focus-visible, [data-space]:focus-visible {
      outline: 3px solid var(--emeth-focus, light-dark(#1b46c8, #8fb0ff)); outline-offset: 1px;
    }
    .next[data-piece] { filter: drop-shadow(0 0 3px var(--emeth-reach, light-dark(#66289c, #d9b3ff))) drop-shadow(0 0 1px var(--emeth-reach, light-dark(#66289c, #d9b3ff))); }
  `;

  override render() {
    return html`<div
      id="place"
      @pointerdown=${this.#press}
      @pointermove=${this.#move}
      @pointerup=${this.#release}
      @pointercancel=${() => this.#dragging?.cancel()}
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
    if (changed.has("theme")) this.#dress();
    if (!changed.has("view")) return;
    const before = changed.get("view") as MatchView | undefined;
    before?.removeEventListener("change", this.#changed);
    this.view?.addEventListener("change", this.#changed);
  }

  override firstUpdated(): void {
    const { renderRoot } = this;
    if (renderRoot instanceof ShadowRoot) {
      renderRoot.adoptedStyleSheets.push(this.#sheet);
      this.#dragging = new Dragging(renderRoot);
    }
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
    this.#dragging?.cancel();
    const steps = old && this.#passage(shown);
    const before = old && steps && snapshot(old, steps);
    const hadFocus = this.shadowRoot?.activeElement != null;
    const { drawn, element, css: sheet } = read(shown.svg, this.#drawn);
    element.setAttribute("role", "group");
    element.setAttribute("aria-roledescription", "board");
    element.setAttribute("aria-label", element.querySelector(":scope > title")?.textContent ?? "");
    // The caption is beside the board, and a title over all of it would follow the mouse.
    element.querySelector(":scope > title")?.remove();
    // All is styled anew when the sheet is.
    if (sheet !== this.#css) {
      this.#css = sheet;
      this.#dress();
    }
    if (element !== old) this.renderRoot.querySelector("#place")?.replaceChildren(element);
    if (element === old) for (const moving of element.getAnimations({ subtree: true })) moving.cancel();
    this.#drawn = drawn;
    this.#drawing = element;
    this.#lit = [];
    // Where pieces stand is looked up before they are on their way.
    survey(element);
    this.#setStops(hadFocus);
    if (steps && before && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      animate(element, steps, before);
    }
  }

  /** Style the drawing by day or by night. */
  #dress(): void {
    const chosen = { light: "not all", dark: "all" }[this.theme];
    this.#sheet.replaceSync(chosen ? this.#css.replaceAll(NIGHT, `@media ${chosen}`) : this.#css);
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

  #light(): void {
    const { view } = this;
    const drawing = this.#drawing;
    if (!drawing || !view) return;
    const outcome = view.preview?.outcome;
    // Much changes that is not seen in the drawing.
    const lit = [view.actions, view.picks, !view.preview, view.preview?.taken, outcome];
    if (this.#lit.length && lit.every((each, n) => each === this.#lit[n])) return;
    this.#lit = lit;
    foresee(drawing, outcome?.case === "accepted" ? outcome.value.events : []);
    light(drawing, view);
  }

  #setStops(hadFocus: boolean): void {
    const drawing = this.#drawing;
    if (!drawing) return;
    const all = stops(drawing);
    // A space on which a piece stands now was one before.
    for (const stop of drawing.querySelectorAll("[tabindex]")) {
      for (const name of STOP) stop.removeAttribute(name);
    }
    for (const stop of all) {
      stop.setAttribute("tabindex", "-1");
      stop.setAttribute("role", "button");
      // What has letters in it is called by its title, and told of by its description, as any drawing
      // is: a label of its own would have to begin with these letters.
      if (!stop.querySelector("text")) stop.setAttribute("aria-label", description(stop));
    }
    const current = all.find((each) => keyOf(each) === this.#focused) ?? all[0];
    current?.setAttribute("tabindex", "0");
    if (hadFocus) current?.focus({ preventScroll: true });
  }

  #dragging: Dragging | undefined;
  #down: PointerEvent | undefined;
  #pointed = Number.NEGATIVE_INFINITY;

  #press = (event: PointerEvent): void => {
    this.#down = event.isPrimary && event.button === 0 ? event : undefined;
    const { view } = this;
    if (view && this.#drawing) this.#dragging?.press(event, this.#drawing, view);
  };

  #move = (event: PointerEvent): void => {
    const { view } = this;
    if (view && this.#drawing) this.#dragging?.move(event, this.#drawing, view);
  };

  /** Not by `click`, which is lost if the drawing is replaced while a finger is down. */
  #release = (event: PointerEvent): void => {
    const down = this.#down;
    this.#down = undefined;
    const { view } = this;
    const dropped = view && this.#drawing && this.#dragging?.drop(event, this.#drawing, view);
    if (dropped) this.#pointed = event.timeStamp;
    if (!down || dropped || Math.hypot(event.x - down.x, event.y - down.y) > SLIP_PX) return;
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

customElements.define("emeth-drawing", EmethDrawing);
