/** Dragging a piece to a place: the same choice as pointing at the one and then at the other. */

import { bareCopy, matrixIn, placeAt, spotOf } from "./drawing.ts";
import type { MatchView } from "./match_view.ts";
import type { Spot } from "./narrowing.ts";

/** What moves less than this between down and up was pointed at, not dragged. */
export const SLIP_PX = 12;
const SVG = "http://www.w3.org/2000/svg";

interface Drag {
  pointer: number;
  x: number;
  y: number;
  piece: SVGGElement;
  spot: Spot;
  /** What follows the pointer, once it has moved. */
  copy?: SVGGElement;
  matrix?: DOMMatrix;
}

/** The one piece that is dragged in a drawing, if any. */
export class Dragging {
  #drag: Drag | undefined;
  readonly #root: ShadowRoot;

  constructor(root: ShadowRoot) {
    this.#root = root;
  }

  /** A pointer went down: a piece under it that can be chosen may be dragged from now on. */
  press(event: PointerEvent, drawing: SVGSVGElement, view: MatchView): void {
    const piece = placeAt(event.target);
    if (!event.isPrimary || event.button !== 0 || !piece?.classList.contains("may")) return;
    if (piece.dataset["piece"] === undefined || view.busy) return;
    const spot = spotOf(drawing, piece);
    this.#drag = { pointer: event.pointerId, x: event.x, y: event.y, piece, spot };
  }

  move(event: PointerEvent, drawing: SVGSVGElement, view: MatchView): void {
    const drag = this.#drag;
    if (!drag || event.pointerId !== drag.pointer) return;
    const [dx, dy] = [event.x - drag.x, event.y - drag.y];
    if (!drag.copy) {
      if (Math.hypot(dx, dy) <= SLIP_PX || !drag.piece.isConnected) return;
      lift(drag, drawing);
      const { picks } = view;
      // Unless it is part of a choice under way, the piece begins one.
      if (!picks.length || !view.choice.takes(drag.spot)) view.begin(drag.spot);
      else view.point(drag.spot);
    }
    const root = drawing.getScreenCTM();
    const { copy, matrix } = drag;
    if (!copy || !matrix || !root) return;
    const { a, b, c, d, e, f } = new DOMMatrix()
      .translate(dx / root.a, dy / root.d)
      .multiply(matrix);
    copy.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
    if (!copy.isConnected) drawing.append(copy);
  }

  /** A pointer went up. True if that ended a drag: the place below is chosen, or nothing. */
  drop(event: PointerEvent, drawing: SVGSVGElement, view: MatchView): boolean {
    const drag = this.#drag;
    if (!drag?.copy) {
      this.#drag = undefined;
      return false;
    }
    this.cancel();
    const below = placeAt(this.#root.elementFromPoint(event.x, event.y));
    const spot = below && spotOf(drawing, below);
    if (spot && view.choice.takes(spot)) view.point(spot);
    else if (spot?.piece !== drag.spot.piece && !view.preview) view.clear();
    return true;
  }

  /** Leave it, as when the drawing is replaced. */
  cancel(): void {
    this.#drag?.copy?.remove();
    this.#drag?.piece.classList.remove("lifted");
    this.#drag = undefined;
  }
}

function lift(drag: Drag, drawing: SVGSVGElement): void {
  drag.matrix = matrixIn(drawing, drag.piece);
  const copy = document.createElementNS(SVG, "g");
  copy.setAttribute("class", "dragged");
  copy.setAttribute("aria-hidden", "true");
  copy.append(bareCopy(drag.piece));
  drag.copy = copy;
  drawing.parentElement?.setPointerCapture(drag.pointer);
  drag.piece.classList.add("lifted");
}
