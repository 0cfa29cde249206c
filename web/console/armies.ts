/** The armies that this browser saved. They belong to whoever has the owner's token. */

import { type Emeth, type Army } from "../client/index.ts";

const KEY = "emeth.armies";

/** The owner's token; empty before the first army was saved. */
export function ownerToken(): string {
  try {
    return localStorage.getItem(KEY) ?? unsaved;
  } catch {
    return unsaved;
  }
}

export function keepOwnerToken(token: string): void {
  unsaved = token;
  try {
    localStorage.setItem(KEY, token);
  } catch {
    // It is kept for this page only, where the browser keeps nothing.
  }
}

let unsaved = "";

/** The service, for the owner of this browser's armies. */
export function asOwner(service: Emeth): Emeth {
  const token = ownerToken();
  return token ? service.with(token) : service;
}

/** The saved armies for a game, the latest first. */
export async function ownArmies(service: Emeth, game: string): Promise<readonly Army[]> {
  if (!ownerToken()) return [];
  const { armies } = await asOwner(service).armies.listArmies({ filter: `game = "${game}"`, pageSize: 200 });
  return armies;
}
