/** Which events lead to the present, and which were undone. */

import type { Event } from "../client/index.ts";

/** Where an event sends the line; undefined for those after which it just goes on. */
export function goesTo({ details }: Pick<Event, "details">): number | undefined {
  const to = details["to"];
  return to && /^[0-9]+$/.test(to) ? Number(to) : undefined;
}

/** Kinds of events that send the line somewhere else, if they say where. */
const JUMPS = new Set(["match.LineContinued", "match.VerdictGiven"]);

/** The versions that do not lead to the present. */
export function undone(events: readonly Pick<Event, "version" | "kind" | "details">[]): Set<number> {
  const left = new Set<number>();
  let next = events.at(-1)?.version ?? 0;
  for (const event of events.toReversed()) {
    if (event.version > next) {
      left.add(event.version);
      continue;
    }
    const to = JUMPS.has(event.kind) ? goesTo(event) : undefined;
    next = to ?? event.version - 1;
  }
  return left;
}
