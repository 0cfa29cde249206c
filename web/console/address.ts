/** What the page's address says. Every state of the page has an address that leads back to it. */

import { keepPlayer } from "./account.ts";
import { keep, rolesOf } from "./tokens.ts";

export interface Address {
  /** The match that is open; empty: the lobby. */
  match: string;
  /** As whom it is looked at; empty: the best role that this browser holds. */
  as: string;
  /** The version that is looked at; undefined: the present. */
  at: number | undefined;
  /** The game of a match that is about to be made. */
  game: string;
  /** A page beside the lobby and the match, as `rules`. */
  page: string;
  /** All that the address asks for: pages have words of their own. */
  query: URLSearchParams;
}

/** The word of a player's own token behind the `#`, which is good in every match of the player. */
const PLAYER = "player";

/**
 * Read the address, and take tokens out of it: `?match=…#white=TOKEN&spectator=TOKEN`, and a player's
 * own, `#player=TOKEN`.
 */
export function readAddress(): Address {
  const query = new URLSearchParams(location.search);
  const match = query.get("match") ?? "";
  const { [PLAYER]: player, ...tokens } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  const page = query.get("page") ?? "";
  let as = query.get("as") ?? "";
  if (player) {
    keepPlayer(player);
    history.replaceState(null, "", `${location.pathname}${location.search}`);
  }
  if (match && Object.keys(tokens).length) {
    keep(match, tokens);
    // Of many tokens the page chooses one by itself.
    const roles = rolesOf(tokens);
    if (!as && roles.length === 1) as = roles[0] ?? "";
    history.replaceState(null, "", path({ match, as, at: version(query), page }));
  }
  return { match, as, at: version(query), game: query.get("new") ?? "", page, query };
}

function version(query: URLSearchParams): number | undefined {
  const at = query.get("at") ?? "";
  return /^[1-9][0-9]{0,8}$/.test(at) ? Number(at) : undefined;
}

/** The path of a state of the page; `more` are words of a page of its own. */
export function path(
  address: Partial<Omit<Address, "query">>,
  more: Readonly<Record<string, string | number | undefined>> = {},
): string {
  const query = new URLSearchParams();
  if (address.page) query.set("page", address.page);
  if (address.game) query.set("new", address.game);
  if (address.match) query.set("match", address.match);
  if (address.as) query.set("as", address.as);
  if (address.at !== undefined) query.set("at", String(address.at));
  for (const [name, value] of Object.entries(more)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return query.size ? `./?${query}` : "./";
}

/** A whole link with tokens, to give to somebody. */
export function link(address: Partial<Omit<Address, "query">>, tokens: Record<string, string>): string {
  const url = new URL(path(address), location.href);
  url.hash = new URLSearchParams(tokens).toString();
  return url.href;
}

/** Go there without loading the page again. */
export function visit(href: string): void {
  history.pushState(null, "", href);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** Keep the address in step with the page. */
export function note(address: Partial<Omit<Address, "query">>, more: Record<string, string> = {}): void {
  const { href } = new URL(path(address, more), location.href);
  if (href !== location.href) history.replaceState(null, "", href);
}

/** Follow links of the page without loading it again: for the clicks in it. */
export function followed(event: MouseEvent): void {
  const anchor = event.target instanceof Element ? event.target.closest("a") : null;
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!anchor || !plain || anchor.origin !== location.origin || anchor.hash || anchor.target) return;
  if (anchor.download) return;
  event.preventDefault();
  visit(anchor.href);
  scrollTo(0, 0);
}
