/** How a match begins, who may sit where, and who referees: a part of the form for a new match. */

import { html, nothing } from "lit";
import { named } from "../board/words.ts";
import { JoinPolicy, StartPolicy, RefereePolicy, SeatAssignment } from "../client/index.ts";
import { ownName, playerToken } from "./account.ts";
import { ownShare } from "./joining.ts";
import { capital, ORDER_WORDS, REFEREE_WORDS } from "./match_terms.ts";

/** Ways for a match to begin, as the form offers them. */
const WAYS: readonly (readonly [string, string])[] = [
  ["at-once", "Immediately, with a link for each seat"],
  ["invited", "When full, by a code for each seat"],
  ["linked", "When full, by one link for all seats"],
  ["anybody", "When full, open to anybody"],
];
const JOIN_POLICIES: Readonly<Record<string, JoinPolicy>> = {
  invited: JoinPolicy.INVITED,
  linked: JoinPolicy.LINK,
  anybody: JoinPolicy.ANYONE,
};
const ORDERS = [SeatAssignment.CHOSEN, SeatAssignment.IN_ORDER, SeatAssignment.RANDOM];
const REFEREES = [RefereePolicy.CREATOR, RefereePolicy.NONE, RefereePolicy.INVITED, RefereePolicy.OPERATOR];
/** Who makes a match for players who come usually is one of them, and then no referee. */
const OF_PLAYERS = [RefereePolicy.NONE, RefereePolicy.CREATOR, RefereePolicy.INVITED, RefereePolicy.OPERATOR];

/** The fields. `waits` tells if the way that is chosen has the match wait for its players. */
export function beginningFields(seats: readonly string[], waits: boolean) {
  const choice = (name: string, label: string, values: readonly (readonly [string | number, string])[]) =>
    html`<div class="field">
      <label for=${name}>${label}</label>
      <select id=${name} name="${name}:">
        ${values.map(([value, words]) => html`<option value=${value}>${capital(words)}</option>`)}
      </select>
    </div>`;
  return html`<fieldset class="beginning">
    <legend>Players</legend>
    ${choice("begins", "Start", WAYS)}
    ${
      waits
        ? html`${choice("order", "Seat assignment", ORDERS.map((each) => [each, ORDER_WORDS[each]]))}
            ${choice("own", "Your seat", [["", "none, or choose later"], ...seats.map((each) => [each, `as ${named(each)}`] as const)])}
            ${
              playerToken()
                ? nothing
                : html`<div class="field">
                    <label for="player">Your name, if you play</label>
                    <input id="player" name="player:" maxlength="80" autocomplete="nickname" .value=${ownName()} />
                  </div>`
            }`
        : nothing
    }
    ${choice("referee", "Referee", (waits ? OF_PLAYERS : REFEREES).map((each) => [each, REFEREE_WORDS[each]]))}
  </fieldset>`;
}

/** Does the chosen way have the match wait for its players? */
export function waitsForPlayers(form: HTMLFormElement): boolean {
  return read(form, "begins") in JOIN_POLICIES;
}

/** That part of the request. */
export function chosenBeginning(form: HTMLFormElement) {
  const refereePolicy = Number(read(form, "referee")) as RefereePolicy;
  if (!waitsForPlayers(form)) return { refereePolicy };
  const seat = read(form, "own");
  const player = playerToken() ? "" : read(form, "player").trim();
  return {
    refereePolicy,
    startPolicy: StartPolicy.WHEN_FULL,
    joinPolicy: JOIN_POLICIES[read(form, "begins")] ?? JoinPolicy.INVITED,
    seatAssignment: Number(read(form, "order")) as SeatAssignment,
    ...(seat ? { ownSeat: { seat, player, entropy: ownShare() } } : {}),
  };
}

function read(form: HTMLFormElement, name: string): string {
  return (form.elements.namedItem(`${name}:`) as HTMLInputElement | null)?.value ?? "";
}
