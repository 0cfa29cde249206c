/** What an action would do, shown in the drawing before it is taken: where pieces would go. */

import type { Event } from "../client/index.ts";
import { bareCopy, byId, centreOf, matrixIn } from "./drawing.ts";
import { passage } from "./motion.ts";

const LAYER = "foreseen";
const LEAVING = "leaving";

/** Show what these events would do; none: show what is so. */
export function foresee(drawing: SVGSVGElement, events: readonly Event[]): void {
  drawing.querySelector(`.${LAYER}`)?.remove();
  for (const each of drawing.querySelectorAll(`.${LEAVING}`)) each.classList.remove(LEAVING);
  const { moved, removed } = passage(events);
  for (const id of removed) byId(drawing, "piece", id)?.classList.add(LEAVING);
  const ends = endsOf(events);
  const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
  layer.setAttribute("class", LAYER);
  layer.setAttribute("aria-hidden", "true");
  for (const [now, was] of moved) {
    const piece = byId(drawing, "piece", was);
    const where = ends.get(now) ?? "";
    const end = byId(drawing, "space", where) ?? byId(drawing, "zone", where);
    if (!piece || !end) continue;
    piece.classList.add(LEAVING);
    layer.append(copyAt(drawing, piece, end, was));
  }
  if (layer.childElementCount) drawing.append(layer);
}

/** Where pieces end, by the id that they have then. */
function endsOf(events: readonly Event[]): Map<string, string> {
  const ends = new Map<string, string>();
  for (const { change } of events.flatMap((event) => event.changes)) {
    if (change.case === "moved") ends.set(change.value.now?.id ?? "", change.value.end);
    // Where pieces exchange their ids, one of them has another id meanwhile.
    const end = change.case === "changed" ? ends.get(change.value.piece) : undefined;
    if (change.case === "changed" && end) ends.set(change.value.now?.id ?? "", end);
  }
  return ends;
}

function copyAt(drawing: SVGSVGElement, piece: SVGGElement, end: SVGGElement, was: string): SVGGElement {
  const [from, to] = [centreOf(drawing, piece), centreOf(drawing, end)];
  const matrix = new DOMMatrix()
    .translate(to.x - from.x, to.y - from.y)
    .multiply(matrixIn(drawing, piece));
  const { a, b, c, d, e, f } = matrix;
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  group.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
  group.dataset["foreseen"] = was;
  group.append(bareCopy(piece));
  return group;
}
