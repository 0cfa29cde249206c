/** What is new in this browser's matches: for a list on the page, and for the browser to show. */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { ageOf, lowMs, milliseconds } from "../board/clock_time.ts";
import { named, seatName } from "../board/words.ts";
import { type Match, MatchStatus, type Notice, NoticeKind, ProposalKind } from "../client/index.ts";
import { markSeen, seenUpTo, wasSeen } from "./account.ts";
import { path, visit } from "./address.ts";

/** So much of it is listed. */
const MOST = 50;

/** Something that happened in a match. */
export interface Told {
  /** Different for each. */
  id: string;
  /** ID of the notice; empty for what the page found out by itself. */
  noticeId: string;
  matchId: string;
  /** Of the match. */
  title: string;
  text: string;
  at: Date;
}

/** What was not seen yet, the latest first. */
export class News {
  all: readonly Told[] = [];
  readonly #changed: () => void;
  #shown: Notification[] = [];

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The first stream of a player's notices begins after the notice with this ID. */
  begin(after: string): void {
    if (seenUpTo() === undefined) markSeen([after], []);
  }

  /** Something happened; `isSeen` if a page shows the match; `shows` where the browser is to be asked. */
  add(told: Told, { isSeen, shows }: { isSeen: boolean; shows: boolean }): void {
    if (this.all.some(({ id }) => id === told.id)) return;
    if (told.noticeId && wasSeen(told.noticeId)) return;
    this.all = [told, ...this.all].slice(0, MOST);
    if (isSeen) this.seenOf(told.matchId);
    else if (shows) this.#show(told);
    this.#changed();
  }

  /** All that is new of a match was seen, or all that is new. */
  seenOf(matchId = ""): void {
    const isOf = (each: Told): boolean => !matchId || each.matchId === matchId;
    const seen = this.all.filter(isOf);
    if (!seen.length) return;
    this.all = this.all.filter((each) => !isOf(each));
    markSeen(noticesOf(seen), noticesOf(this.all));
    for (const shown of this.#shown) if (!matchId || shown.tag === matchId) shown.close();
    this.#changed();
  }

  /** Of another player there is nothing here. */
  clear(): void {
    this.all = [];
  }

  #show({ matchId, title, text }: Told): void {
    if (!canShow() || Notification.permission !== "granted") return;
    const shown = new Notification(title, { body: text, tag: matchId });
    shown.addEventListener("click", () => {
      focus();
      visit(path({ match: matchId }));
      shown.close();
    });
    this.#shown = [...this.#shown, shown].slice(-MOST);
  }
}

/** Can this browser show what is new, beside the page? */
export function canShow(): boolean {
  return "Notification" in globalThis;
}

/** In how many milliseconds the time of a seat will be low, if nothing happens; undefined: not in this turn. */
export function lowIn(match: Match, seat: string): number | undefined {
  const time = match.clocks?.seats.find((each) => each.seat === seat);
  const low = lowMs(match.seatTimeControls[seat] ?? match.timeControl);
  if (!match.clocks || !time?.running || !low || match.result) return undefined;
  const left = milliseconds(time.remainingTime) - low;
  return left > 0 ? left + milliseconds(time.remainingDelay) - ageOf(match.clocks, Date.now()) : undefined;
}

/** That the time of a seat is low: what the service tells players, for who holds a seat by its link. */
export function clockLow(match: Match, seat: string): Told {
  return {
    id: `${match.matchId} ${match.version} low ${seat}`,
    noticeId: "",
    matchId: match.matchId,
    title: match.title || named(match.game),
    text: `${named(seat)} is low on time.`,
    at: new Date(),
  };
}

/** What the service tells a player. */
export function noticed(notice: Notice): Told {
  const { noticeId, matchId, game, title, kind, sentence, seat } = notice;
  const isTurn = kind === NoticeKind.YOUR_TURN;
  return {
    id: noticeId,
    noticeId,
    matchId,
    title: title || named(game),
    text: isTurn ? `It is your turn, as ${named(seat)}.` : sentence,
    at: notice.createTime ? timestampDate(notice.createTime) : new Date(),
  };
}

/** What happened between two states of a match, to whoever holds these seats. */
export function newsOf(before: Match, after: Match, seats: readonly string[]): Told[] {
  const told = (id: string, text: string): Told => ({
    id: `${after.matchId} ${after.version} ${id}`,
    noticeId: "",
    matchId: after.matchId,
    title: after.title || named(after.game),
    text,
    at: after.updateTime ? timestampDate(after.updateTime) : new Date(),
  });
  if (after.result && !before.result) return [told("over", `The match is over: ${after.caption}.`)];
  const found: Told[] = [];
  for (const { name, player } of after.seats) {
    const was = before.seats.find((each) => each.name === name)?.player;
    if (player && !was && !seats.includes(name)) found.push(told(name, `${player} joined.`));
  }
  const { proposal } = after;
  const isAsked = (seat: string) => proposal?.awaitingSeats.includes(seat) && !before.proposal;
  if (proposal && seats.some(isAsked)) found.push(told("request", `${seatName(after, proposal.seat)} ${PROPOSALS[proposal.kind]}.`));
  if (after.status === MatchStatus.PAUSED && before.status !== MatchStatus.PAUSED) {
    found.push(told("dispute", "A player disputed an event. The match waits for the referee."));
  }
  for (const seat of seats) {
    const isAsked = (match: Match): boolean => match.prompts.some((each) => each.seat === seat);
    if (isAsked(after) && !isAsked(before)) found.push(told(`turn ${seat}`, `It is your turn, as ${named(seat)}.`));
  }
  return found;
}

const PROPOSALS: Readonly<Record<ProposalKind, string>> = {
  [ProposalKind.UNSPECIFIED]: "made a proposal",
  [ProposalKind.UNDO]: "requests a takeback",
  [ProposalKind.REDO]: "requests to redo undone actions",
  [ProposalKind.DRAW]: "offers a draw",
  [ProposalKind.REMATCH]: "proposes a rematch",
};

function noticesOf(news: readonly Told[]): string[] {
  return news.flatMap(({ noticeId }) => noticeId || []);
}
