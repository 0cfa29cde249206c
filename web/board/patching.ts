/**
 * A drawing put in the place of an older one of the same match. What is the same in both stays, so
 * that the browser lays out and paints only what is different.
 */

/** What is shown of a drawing, by what was drawn: without lights, focus and all that moves. */
const shownOf = new WeakMap<Element, Element>();

/**
 * What to show for `drawn`: the elements shown for `before` as far as they are the same, and new
 * ones. `drawn` is used up.
 */
export function shownFor(drawn: SVGSVGElement, before?: SVGSVGElement): SVGSVGElement {
  const shown = before && shownOf.get(before);
  if (!shown || !sameOutside(before, drawn)) return made(drawn) as SVGSVGElement;
  patch(shown, before, drawn);
  shownOf.set(drawn, shown);
  return shown as SVGSVGElement;
}

/** Make the children of `shown`, which shows `before`, those of `drawn`. */
function patch(shown: Element, before: Element, drawn: Element): void {
  const old = new Map<string, Element[]>();
  for (const child of before.children) {
    const key = keyOf(child);
    const known = old.get(key);
    if (known) known.push(child);
    else old.set(key, [child]);
  }
  let next = shown.firstChild;
  for (const node of [...drawn.childNodes]) {
    const child = kept(node, old) ?? made(node);
    if (child === next) next = next.nextSibling;
    else shown.insertBefore(child, next);
  }
  while (next) {
    const gone = next;
    next = gone.nextSibling;
    gone.remove();
  }
}

/** The element that is shown already for what is drawn here, or for something so like it that only
 * its children have to change. */
function kept(drawn: Node, old: Map<string, Element[]>): Element | undefined {
  if (!(drawn instanceof Element)) return undefined;
  const like = old.get(keyOf(drawn)) ?? [];
  const same = like.findIndex((each) => each.isEqualNode(drawn));
  const [before] = same >= 0 ? like.splice(same, 1) : like.splice(0, 1);
  const shown = before && shownOf.get(before);
  if (!shown) return undefined;
  if (same >= 0) {
    // Its parts are known by what they were made of.
    drawn.replaceWith(before);
    return shown;
  }
  if (!drawn.childElementCount || !sameOutside(before, drawn)) return undefined;
  patch(shown, before, drawn);
  shownOf.set(drawn, shown);
  return shown;
}

/** What a piece, a space or a zone is found by in the next drawing; others by their place. */
function keyOf(element: Element): string {
  const { piece, space, zone, track } = (element as SVGElement).dataset;
  return [element.tagName, piece, space, zone, track].join(" ");
}

function sameOutside(before: Element, drawn: Element): boolean {
  return before.tagName === drawn.tagName && before.cloneNode().isEqualNode(drawn.cloneNode());
}

/** A copy that can be shown, with its parts known. */
function made(drawn: Node): Node {
  const copy = document.importNode(drawn, true);
  if (drawn instanceof Element && copy instanceof Element) {
    shownOf.set(drawn, copy);
    const parts = copy.querySelectorAll("*");
    drawn.querySelectorAll("*").forEach((each, n) => {
      const part = parts[n];
      if (part) shownOf.set(each, part);
    });
  }
  return copy;
}
