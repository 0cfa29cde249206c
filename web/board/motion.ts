/**
 * From one drawing to the next: pieces slide from where they were to where they are, new ones fade
 * in, those that left fade out, and numbers that changed stand out for a moment.
 */

import type { Event } from "../client/index.ts";
import { bareCopy, byId } from "./drawing.ts";

const SLIDE_MS = 260;
const FADE_MS = 220;
const EASING = "cubic-bezier(.2, .7, .3, 1)";

/** What became of pieces and tracks between two drawings. */
export interface Passage {
  /** The id in the earlier drawing by the id in the later one. */
  moved: Map<string, string>;
  appeared: Set<string>;
  removed: Set<string>;
  counted: Set<string>;
}

/** All that these events did, one after the other. */
export function passage(events: readonly Event[]): Passage {
  const whole: Passage = {
    moved: new Map(),
    appeared: new Set(),
    removed: new Set(),
    counted: new Set(),
  };
  for (const event of events) append(whole, event);
  return whole;
}

/** The same the other way round. */
export function backwards({ moved, appeared, removed, counted }: Passage): Passage {
  const back = new Map([...moved].map(([later, earlier]) => [earlier, later]));
  return { moved: back, appeared: removed, removed: appeared, counted };
}

function append(whole: Passage, event: Event): void {
  // By the id after the event, the id before it.
  const origins = new Map<string, string>();
  const gone = new Set<string>();
  for (const { change } of event.changes) {
    if (change.case === "moved") {
      origins.set(change.value.now?.id ?? "", change.value.piece);
    } else if (change.case === "changed" && change.value.now?.id !== change.value.piece) {
      // Where pieces exchange their ids, one of them has another id meanwhile.
      const { piece, now } = change.value;
      origins.set(now?.id ?? "", origins.get(piece) ?? piece);
      origins.delete(piece);
    } else if (change.case === "appeared") {
      whole.appeared.add(change.value.now?.id ?? "");
    } else if (change.case === "removed") {
      gone.add(change.value.piece);
    } else if (change.case === "counted") {
      whole.counted.add(change.value.track);
    }
  }
  const before = new Map(whole.moved);
  for (const id of origins.values()) whole.moved.delete(id);
  for (const [now, was] of origins) {
    if (whole.appeared.delete(was)) whole.appeared.add(now);
    else whole.moved.set(now, before.get(was) ?? was);
  }
  for (const id of gone) {
    if (whole.appeared.has(id) && !origins.has(id)) whole.appeared.delete(id);
    else whole.removed.add(before.get(id) ?? id);
    if (!origins.has(id)) whole.moved.delete(id);
  }
}

/** Where pieces are, before the drawing is replaced. Those of an action that was shown as done are
 * where it put them. */
export function snapshot(drawing: SVGSVGElement, { removed }: Passage) {
  const boxes = new Map<string, DOMRect>();
  for (const piece of drawing.querySelectorAll<SVGGElement>("[data-piece]")) {
    boxes.set(piece.dataset["piece"] ?? "", piece.getBoundingClientRect());
  }
  const taken = drawing.classList.contains("taken");
  for (const copy of taken ? drawing.querySelectorAll<SVGGElement>("[data-foreseen]") : []) {
    boxes.set(copy.dataset["foreseen"] ?? "", copy.getBoundingClientRect());
  }
  const ghosts = [...(taken ? [] : removed)].flatMap((id) => {
    const piece = byId(drawing, "piece", id);
    const matrix = piece?.getScreenCTM();
    return piece && matrix ? [{ piece, matrix }] : [];
  });
  return { boxes, ghosts };
}

/** Play what happened in the new drawing. */
export function animate(
  drawing: SVGSVGElement,
  { moved, appeared, counted }: Passage,
  { boxes, ghosts }: ReturnType<typeof snapshot>,
): void {
  // All is measured before anything moves: each change would have the page laid out anew.
  const slides = [...drawing.querySelectorAll<SVGGElement>("[data-piece]")].flatMap((piece) => {
    const id = piece.dataset["piece"] ?? "";
    // Those that stayed may lie elsewhere, as the cards of a hand that became smaller.
    const from = appeared.has(id) ? undefined : boxes.get(moved.get(id) ?? id);
    const way = from?.width ? wayFrom(piece, from) : undefined;
    return way ? [{ piece, way, above: moved.has(id) }] : [];
  });
  for (const { piece, way, above } of slides) slide(piece, way, above);
  for (const id of appeared) fade(byId(drawing, "piece", id), [0, 1]);
  for (const id of counted) pulse(byId(drawing, "track", id));
  const root = drawing.getScreenCTM();
  if (!root) return;
  for (const { piece, matrix } of ghosts) {
    const ghost = document.createElementNS("http://www.w3.org/2000/svg", "g");
    const { a, b, c, d, e, f } = DOMMatrix.fromMatrix(root).inverse().multiply(matrix);
    ghost.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
    ghost.setAttribute("aria-hidden", "true");
    ghost.append(bareCopy(piece));
    drawing.append(ghost);
    const done = (): void => ghost.remove();
    fade(ghost, [1, 0])?.finished.then(done, done);
  }
}

/** From where a piece comes, seen from where it is, in its own units; undefined: it stays. */
function wayFrom(piece: SVGGElement, from: DOMRect): [number, number] | undefined {
  const to = piece.getBoundingClientRect();
  const scale = piece.getScreenCTM()?.a || 1;
  const dx = (from.x + from.width / 2 - to.x - to.width / 2) / scale;
  const dy = (from.y + from.height / 2 - to.y - to.height / 2) / scale;
  return Math.hypot(dx, dy) < 0.5 ? undefined : [dx, dy];
}

function slide(piece: SVGGElement, [dx, dy]: [number, number], above: boolean): void {
  // What moves is drawn over what it passes.
  if (above) piece.parentNode?.append(piece);
  piece.animate(
    [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "translate(0, 0)" }],
    { duration: SLIDE_MS, easing: EASING },
  );
}

function fade(element: SVGGElement | null, opacity: [number, number]): Animation | undefined {
  return element?.animate({ opacity }, { duration: FADE_MS, fill: "forwards" });
}

function pulse(element: SVGGElement | null): void {
  element?.animate({ opacity: [1, 0.25, 1] }, { duration: 2 * FADE_MS });
}
