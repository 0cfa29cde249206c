/** What a game has to play with: what armies are built of, or cards. */

import type { JsonObject } from "@bufbuild/protobuf";
import type { CatalogEntry, Emeth } from "../client/index.ts";

const PAGE = 500;

export interface WholeCatalog {
  entries: readonly CatalogEntry[];
  /** Undefined for a game without armies. */
  armySchema: JsonObject | undefined;
  /** What an army is built for; undefined for a game without any content. */
  occasionSchema: JsonObject | undefined;
}

export const NOTHING: WholeCatalog = { entries: [], armySchema: undefined, occasionSchema: undefined };

/** All of the catalog of a game that has one. */
export async function catalogOf(
  service: Emeth,
  game: string,
  occasion: JsonObject = {},
): Promise<WholeCatalog> {
  let found = NOTHING;
  let pageToken = "";
  do {
    const page = await service.armies.getCatalog({ game, occasion, pageSize: PAGE, pageToken });
    found = {
      entries: [...found.entries, ...page.entries],
      armySchema: found.armySchema ?? page.armySchema,
      occasionSchema: found.occasionSchema ?? page.occasionSchema,
    };
    pageToken = page.nextPageToken;
  } while (pageToken);
  return found;
}

/** The kinds of entries, in the order in which they come. */
export function kindsOf(entries: readonly CatalogEntry[]): string[] {
  return [...new Set(entries.map(({ kind }) => kind))];
}

/** Does an entry have all these words somewhere? */
export function mentions(entry: CatalogEntry, text: string): boolean {
  const { name, kind, size, words, lines, factions, attributes } = entry;
  const all = [name, kind, size, words, ...lines, ...factions, ...Object.values(attributes)];
  return hasWords(all.join(" "), text);
}

/** Are all words of `wanted` in a text, in capitals or not? */
export function hasWords(text: string, wanted: string): boolean {
  const lower = text.toLowerCase();
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
