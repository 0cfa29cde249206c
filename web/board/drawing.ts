/** The service's SVG as live elements: its style sheet, its places, and where the arrow keys lead. */

import type { Spot } from "./narrowing.ts";
import { shownFor } from "./patching.ts";

export const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
} as const satisfies Record<string, readonly [number, number]>;
export type Arrow = keyof typeof ARROWS;

export interface Drawn {
  /** What the service drew. */
  drawn: SVGSVGElement;
  /** What is shown of it. */
  element: SVGSVGElement;
  css: string;
}

/** What a caption takes above a board, in the drawing's own units. */
const CAPTION = 90;
const PLACES = "[data-piece],[data-space]";
const STYLE = /<style>([^]*?)<\/style>/;

/** A drawing as an element, and its styles apart, which a page may not have inline. With what was
 * drawn before, what is the same stays that was made of it then. */
export function read(svg: string, before?: SVGSVGElement): Drawn {
  const css = STYLE.exec(svg)?.[1] ?? "";
  // As HTML: browsers take three times as long for XML.
  const parsed = document.createElement("template");
  parsed.innerHTML = svg.slice(svg.indexOf("<svg")).replace(STYLE, "");
  const drawn = parsed.content.firstElementChild as SVGSVGElement;
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  const element = shownFor(drawn, before);
  // One that is taller than wide would be too small if it had to fit: it scrolls.
  const { width, height } = element.viewBox.baseVal;
  element.classList.toggle("tall", height > width);
  // A board is as large as it can be seen whole, whatever stands below it: it never changes its size.
  const board = Number(element.querySelector<SVGGElement>("#board")?.dataset["height"] ?? 0);
  element.classList.toggle("boarded", board > 0);
  if (board) element.style.setProperty("--high", String(height / (board + CAPTION)));
  return { drawn, element, css };
}

/** Everything in a drawing that can be pointed at. */
export function places(drawing: SVGSVGElement): SVGGElement[] {
  return [...drawing.querySelectorAll<SVGGElement>(PLACES)];
}

export function placeAt(target: EventTarget | null): SVGGElement | null {
  return target instanceof Element ? target.closest<SVGGElement>(PLACES) : null;
}

/** The element of a piece, a space or a zone. */
export function byId(drawing: SVGSVGElement, kind: "piece" | "space" | "zone" | "track", id: string) {
  return drawing.querySelector<SVGGElement>(`[data-${kind}="${CSS.escape(id)}"]`);
}

/** A key that is the same for the same place in the next drawing. */
export function keyOf(place: SVGGElement): string {
  const { piece, space } = place.dataset;
  return piece === undefined ? `space ${space}` : `piece ${piece}`;
}

const spots = new WeakMap<SVGGElement, Spot>();

/** What pointing at a place means: a piece stands for its space too. */
export function spotOf(drawing: SVGSVGElement, place: SVGGElement, root?: DOMMatrix): Spot {
  const known = spots.get(place);
  if (known) return known;
  const { piece, space } = place.dataset;
  if (piece === undefined) return space === undefined ? {} : { space };
  const below = spaceBelow(drawing, place, root);
  return below === undefined ? { piece } : { piece, space: below };
}

/** Find out where all pieces of a new drawing stand; it must be shown, and nothing move. */
export function survey(drawing: SVGSVGElement): void {
  spaces.delete(drawing);
  const all = places(drawing);
  for (const place of all) spots.delete(place);
  const root = rootOf(drawing);
  if (!drawing.getBoundingClientRect().width) return;
  for (const place of all) spots.set(place, spotOf(drawing, place, root));
}

/** What a screen reader says of a place. */
export function description(place: SVGGElement): string {
  const title = place.querySelector(":scope > title")?.textContent ?? "";
  const more = place.querySelector(":scope > desc")?.textContent ?? "";
  return more || title;
}

/** Places that the keyboard reaches: pieces, and the spaces on which none stands. */
export function stops(drawing: SVGSVGElement): SVGGElement[] {
  const all = places(drawing);
  const taken = new Set(
    all.filter((each) => each.dataset["piece"]).map((each) => spotOf(drawing, each).space),
  );
  return all.filter(
    ({ dataset: { piece, space } }) => piece !== undefined || !taken.has(space ?? ""),
  );
}

/** The nearest of these places in a direction: straight ahead counts more than aside. */
export function nearest(
  from: SVGGElement,
  among: readonly SVGGElement[],
  arrow: Arrow,
): SVGGElement | undefined {
  const [dx, dy] = ARROWS[arrow];
  const [x, y] = middle(from);
  let found: SVGGElement | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const each of among) {
    const [there, below] = middle(each);
    const ahead = (there - x) * dx + (below - y) * dy;
    const aside = Math.abs((there - x) * dy) + Math.abs((below - y) * dx);
    const cost = ahead + 3 * aside;
    if (each !== from && ahead > 1 && cost < least) {
      least = cost;
      found = each;
    }
  }
  return found;
}

function middle(element: Element): [number, number] {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

interface Ground {
  space: string;
  box: DOMRect;
}

const spaces = new WeakMap<SVGSVGElement, Ground[]>();

function spaceBelow(
  drawing: SVGSVGElement,
  piece: SVGGElement,
  root = rootOf(drawing),
): string | undefined {
  const known = boxesOfSpaces(drawing, root);
  if (!known.length) return undefined;
  const at = centreOf(drawing, piece, root);
  return known.find(({ box }) => contains(box, at))?.space;
}

/** Spaces with their boxes, in the drawing's own units, so that they stay true when it is resized. */
function boxesOfSpaces(drawing: SVGSVGElement, root: DOMMatrix): Ground[] {
  const known = spaces.get(drawing);
  if (known) return known;
  const found = [...drawing.querySelectorAll<SVGGElement>("[data-space]")].map((place) => ({
    space: place.dataset["space"] ?? "",
    box: boxOf(drawing, place, root),
  }));
  spaces.set(drawing, found);
  return found;
}

/** Where a place lies, in the drawing's own units. */
export function boxOf(drawing: SVGSVGElement, place: SVGGElement, root?: DOMMatrix): DOMRect {
  const ground = place.querySelector<SVGGraphicsElement>("rect,path,polygon") ?? place;
  const { x, y, width, height } = ground.getBBox();
  const matrix = matrixIn(drawing, ground, root);
  const [from, to] = [new DOMPoint(x, y), new DOMPoint(x + width, y + height)];
  const [a, b] = [from.matrixTransform(matrix), to.matrixTransform(matrix)];
  return new DOMRect(a.x, a.y, b.x - a.x, b.y - a.y);
}

/** The middle of a place, in the drawing's own units. */
export function centreOf(drawing: SVGSVGElement, piece: SVGGElement, root?: DOMMatrix): DOMPoint {
  const { x, y, width, height } = piece.getBBox();
  return new DOMPoint(x + width / 2, y + height / 2).matrixTransform(
    matrixIn(drawing, piece, root),
  );
}

/** What leads from an element's own units to the drawing's. `root` is `rootOf` the drawing, for who
 * asks for many: each time it is asked for costs. */
export function matrixIn(
  drawing: SVGSVGElement,
  element: SVGGraphicsElement,
  root = rootOf(drawing),
): DOMMatrix {
  const own = element.getScreenCTM();
  return own ? root.multiply(own) : new DOMMatrix();
}

/** What leads from the screen to the drawing's own units. */
export function rootOf(drawing: SVGSVGElement): DOMMatrix {
  const root = drawing.getScreenCTM();
  return root ? DOMMatrix.fromMatrix(root).inverse() : new DOMMatrix();
}

function contains(box: DOMRect, { x, y }: DOMPoint): boolean {
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/** A copy that nobody points at, and that no id leads to. */
export function bareCopy(piece: SVGGElement): SVGGElement {
  const copy = piece.cloneNode(true) as SVGGElement;
  for (const each of [copy, ...copy.querySelectorAll("[id]")]) each.removeAttribute("id");
  for (const name of ["data-piece", "tabindex", "role", "aria-label", "class"]) {
    copy.removeAttribute(name);
  }
  return copy;
}
