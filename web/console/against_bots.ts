/** A match against bots by one click: they take every seat but one's own. */

import { html, nothing } from "lit";
import type { BotLevel } from "../client/index.ts";

/** The level that was chosen last in this browser. */
const KEY = "emeth.level";
const AGAINST = "against:";
const LEVEL = "level:";

/** The button that begins so, with how well they play; nothing where the service has no bots. */
export function againstBots(levels: readonly BotLevel[], busy: boolean) {
  if (!levels.length) return nothing;
  const last = lastLevel();
  return html`<button name=${AGAINST} ?disabled=${busy}>Play the computer</button>
    <select name=${LEVEL} aria-label="Computer level">
      ${levels.map(
        ({ name, description }) => html`<option value=${name} title=${description} ?selected=${name === last}>${name}</option>`,
      )}
    </select>`;
}

/** The seats of bots with their levels: as chosen by seat, or all but one if that button was pressed. */
export function botsOf(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
  seats: readonly string[],
  chosen: Readonly<Record<string, string>>,
): Record<string, string> {
  if (submitter?.getAttribute("name") !== AGAINST) return chosen;
  const level = (form.elements.namedItem(LEVEL) as HTMLSelectElement).value;
  keepLevel(level);
  const others = seats.filter((seat) => !chosen[seat]).slice(1);
  return { ...chosen, ...Object.fromEntries(others.map((seat) => [seat, level])) };
}

function lastLevel(): string {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function keepLevel(level: string): void {
  try {
    localStorage.setItem(KEY, level);
  } catch {
    // A browser that keeps nothing is asked again.
  }
}
