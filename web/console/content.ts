/** What a game has to play with: what armies are built of, or cards. */

import type { JsonObject } from "@bufbuild/protobuf";
import type { ContentEntry, Emeth } from "../client/index.ts";

const PAGE = 500;

/** All content of a game that has some, under these constraints. */
export async function contentOf(
  service: Emeth,
  game: string,
  constraints: JsonObject = {},
): Promise<ContentEntry[]> {
  const found: ContentEntry[] = [];
  let pageToken = "";
  do {
    const page = await service.games.listContent({ game, constraints, pageSize: PAGE, pageToken });
    found.push(...page.entries);
    pageToken = page.nextPageToken;
  } while (pageToken);
  return found;
}

/** The kinds of entries, in the order in which they come. */
export function kindsOf(entries: readonly ContentEntry[]): string[] {
  return [...new Set(entries.map(({ kind }) => kind))];
}

/** Does an entry have all these words somewhere? */
export function mentions(entry: ContentEntry, text: string): boolean {
  const { name, kind, size, description, lines, factions, attributes } = entry;
  const all = [name, kind, size, description, ...lines, ...factions, ...Object.values(attributes)];
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
