/** The pages beside the lobby and the match. Each is loaded when it is first opened. */

import type { TemplateResult } from "lit";
import type { Emeth } from "../client/index.ts";

/** Draws a page for what the address asks for. */
export type Show = (service: Emeth, query: URLSearchParams) => TemplateResult;

const PAGES: Readonly<Record<string, () => Promise<{ show: Show }>>> = {
  new: () => import("./new_match.ts"),
  rules: () => import("./rules_page.ts"),
  cards: () => import("./cards_page.ts"),
  armies: () => import("./armies_page.ts"),
  disputes: () => import("./disputes_page.ts"),
  proofs: () => import("./proofs_page.ts"),
  views: () => import("./views_page.ts"),
  table: () => import("./table_page.ts"),
  statistics: () => import("./statistics_page.ts"),
};

/** Is there a page of this name? */
export function isPage(name: string): boolean {
  return name in PAGES;
}

/** Loads a page. Fails if there is none of that name, or if it cannot be had now. */
export async function load(page: string): Promise<Show> {
  const found = PAGES[page];
  if (!found) throw new Error(`Page not found: "${page}". Use the start page to find all pages.`);
  return (await found()).show;
}
