/** What stands out in a drawing: what can be pointed at, what was, and where the choice can lead. */

import { boxOf, places, spotOf } from "./drawing.ts";
import type { MatchView } from "./match_view.ts";
import type { Pick, Spot } from "./narrowing.ts";

const LAYER = "lights";
const SVG = "http://www.w3.org/2000/svg";
/** Frames around what can be chosen next lie within the place, those around what was on its edge. */
const INSET = 5;

/** Show which places can be pointed at, and which were. */
export function light(drawing: SVGSVGElement, { choice, picks, preview }: MatchView): void {
  drawing.querySelector(`.${LAYER}`)?.remove();
  const layer = document.createElementNS(SVG, "g");
  layer.setAttribute("class", LAYER);
  layer.setAttribute("aria-hidden", "true");
  drawing.classList.toggle("choosing", picks.length > 0);
  drawing.classList.toggle("taken", preview?.taken === true);
  for (const place of places(drawing)) {
    const spot = spotOf(drawing, place);
    const picked = picks.some((pick) => stands(pick, spot));
    const may = choice.takes(spot);
    const next = may && picks.length > 0;
    place.classList.toggle("may", may);
    place.classList.toggle("next", next);
    place.classList.toggle("picked", picked);
    if (place.dataset["space"] !== undefined) {
      if (picked) layer.append(frame(drawing, place, "pick", 0));
      else if (next && !preview) layer.append(frame(drawing, place, "reach", INSET));
    }
    if (!place.hasAttribute("role")) continue;
    place.setAttribute("aria-disabled", String(!may && !picked));
    place.setAttribute("aria-pressed", String(picked));
  }
  if (layer.childElementCount) drawing.append(layer);
}

/** A frame on top of everything, around a place. */
function frame(drawing: SVGSVGElement, place: SVGGElement, name: string, inset: number): SVGElement {
  const { x, y, width, height } = boxOf(drawing, place);
  const rect = document.createElementNS(SVG, "rect");
  rect.setAttribute("class", name);
  const box = { x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset };
  for (const [key, value] of Object.entries(box)) {
    rect.setAttribute(key, String(Math.max(value, 0)));
  }
  return rect;
}

/** Was this what was pointed at? */
function stands(pick: Pick, spot: Spot): boolean {
  if ("verb" in pick) return false;
  return pick.piece === undefined ? pick.space === spot.space : pick.piece === spot.piece;
}
