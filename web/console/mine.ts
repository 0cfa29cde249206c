/**
 * What is this browser's, over all matches: those of the player whose token it holds, and those of the
 * seats whose links it was given; which of them wait for whoever looks at it, and what is new.
 *
 * One page of the browser follows the service and tells the others, so that many pages do not use up
 * the few connections that a browser has to one host. Where pages cannot agree on one, each follows.
 */

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { asEmethError, type Emeth, type Match, MatchSchema, MatchStatus } from "../client/index.ts";
import { knowing, shownOf, watchOwn } from "./codes.ts";
import { forgetPlayer, PLAYER_CHANGED, playerToken, seenUpTo } from "./account.ts";
import { LINK } from "./joining.ts";
import { clockLow, lowIn, News, newsOf, noticed, type Told } from "./news.ts";
import { forget, keep, knownMatches, TOKENS_CHANGED, TOKENS_KEY, tokensOf } from "./tokens.ts";
import { waitingElsewhere } from "./title.ts";

/** As many as one list may name. */
const MOST = 200;
const SHARED = "emeth.mine";
/** Several changes in a moment are taken in together. */
const MOMENT_MS = 50;
/** Browsers cannot wait longer by a timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A match of this browser. */
export interface OwnMatch {
  match: Match;
  /** The seats that are held here. */
  seats: readonly string[];
  /** It waits for whoever looks at this browser: to act, or to answer. */
  isMyTurn: boolean;
}

/** What pages of one browser tell each other. */
type Shared =
  | { match: Uint8Array<ArrayBuffer> }
  | { told: Told }
  | { looking: string; page: string }
  /** A page that was opened just now: what is new? */
  | { hello: true };

/** Fires `change` whenever anything of it is different. */
export class Mine extends EventTarget {
  readonly news: News;
  /** The name of the player; empty without one. */
  name = "";
  /** Everything was asked for at least once. */
  isReady = false;
  readonly #service: Emeth;
  readonly #matches = new Map<string, Match>();
  /** Seats of which it is certain that their tokens here are good: `MATCH SEAT PLAYER`. */
  readonly #certain = new Set<string>();
  /** The tokens of seats that were seen open: whoever takes one has another. */
  readonly #open = new Map<string, string>();
  readonly #channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(SHARED) : undefined;
  readonly #page = String(Math.random());
  /** The matches that pages of this browser show now. */
  readonly #looking = new Map<string, string>();
  readonly #warnings = new Map<string, ReturnType<typeof setTimeout>>();
  #moment: ReturnType<typeof setTimeout> | undefined;
  /** Ends the streams, to begin others. */
  #anew = new AbortController();
  /** Each match that is followed, with the token by which it is. */
  #streamed: readonly string[] = [];
  #leads = false;

  constructor(service: Emeth) {
    super();
    this.#service = service;
    this.news = new News(() => this.#changed());
    this.#channel?.addEventListener("message", ({ data }) => this.#heard(data as Shared));
    addEventListener(TOKENS_CHANGED, this.#learn);
    addEventListener(PLAYER_CHANGED, this.#another);
    addEventListener("storage", ({ key }) => {
      if (key === TOKENS_KEY) this.#learn();
    });
    addEventListener("pagehide", () => this.look(""));
    this.#tell({ hello: true });
    void this.#load().then(() => this.#lead());
  }

  /** All, the latest changed first. */
  get matches(): OwnMatch[] {
    const all = [...this.#matches.values()].flatMap((match): OwnMatch[] => {
      const seats = seatsOf(match);
      const isKnown = match.matchId in this.#roles;
      return isKnown ? [{ match, seats, isMyTurn: waitsFor(match, seats) }] : [];
    });
    return all.sort((one, other) => Number(updated(other.match) - updated(one.match)));
  }

  /** How many others wait than the one that is shown. */
  get waiting(): number {
    const here = this.#looking.get(this.#page) ?? "";
    return this.matches.filter(({ match, isMyTurn }) => isMyTurn && match.matchId !== here).length;
  }

  /** This page shows a match now, or none. */
  look(matchId: string): void {
    this.#looking.set(this.#page, matchId);
    this.#tell({ looking: matchId, page: this.#page });
    if (matchId) this.news.seenOf(matchId);
    this.#changed();
  }

  /** Ask for everything again. */
  refresh(): void {
    this.#learn();
  }

  // --- what there is -----------------------------------------------------------------------------

  get #roles(): Readonly<Record<string, true>> {
    return Object.fromEntries(knownMatches().map((id) => [id, true]));
  }

  #learn = (): void => {
    clearTimeout(this.#moment);
    this.#moment = setTimeout(() => void this.#load(), MOMENT_MS);
  };

  #another = (): void => {
    this.name = "";
    this.news.clear();
    this.#anew.abort();
    this.#learn();
  };

  async #load(): Promise<void> {
    try {
      await this.#loadPlayer();
      const matchIds = knownMatches().slice(-MOST);
      if (matchIds.length) {
        const asked = matchIds.map((matchId) => knowing(this.#service, matchId).matches.getMatch({ matchId }));
        for (const answer of await Promise.allSettled(asked)) {
          if (answer.status === "fulfilled" && answer.value.match) await this.#take(answer.value.match);
        }
      }
      this.isReady = true;
      const ongoing = this.#ongoing;
      if (ongoing.some((id) => !this.#streamed.includes(streamOf(id)))) this.#anew.abort();
    } catch {
      // The streams go on trying, and pages tell what is wrong with calls of their own.
    }
    this.#changed();
  }

  /** The matches in which the player holds seats: the player's token is that of each of them. */
  async #loadPlayer(): Promise<void> {
    const token = playerToken();
    if (!token) return;
    const { players, matches } = this.#service.with(token);
    const request = { filter: "player_id = me", orderBy: "update_time desc", pageSize: MOST };
    try {
      const [{ player }, page] = await Promise.all([
        players.getPlayer({}),
        matches.listMatches(request),
      ]);
      if (token !== playerToken()) return;
      this.name = player?.name ?? "";
      for (const match of page.matches) {
        const kept = tokensOf(match.matchId);
        const seats = match.seats.filter(({ playerId }) => playerId && playerId === player?.playerId);
        const own = seats.map(({ name }) => name).filter((seat) => kept[seat] !== token);
        if (own.length) keep(match.matchId, Object.fromEntries(own.map((seat) => [seat, token])));
        await this.#take(match);
      }
    } catch (failure) {
      const { code } = asEmethError(failure);
      if (code === Code.Unauthenticated) forgetPlayer();
      else throw failure;
    }
  }

  get #ongoing(): string[] {
    const known = knownMatches().slice(-MOST);
    return known.filter((id) => this.#matches.get(id)?.status !== MatchStatus.OVER && this.#matches.get(id)?.status !== MatchStatus.CANCELLED);
  }

  /** A match as it is now. */
  async #take(match: Match): Promise<void> {
    await this.#drop(match);
    const before = this.#matches.get(match.matchId);
    if (before && before.version > match.version) return;
    this.#matches.set(match.matchId, match);
    const seats = seatsOf(match).filter((seat) => tokensOf(match.matchId)[seat] !== playerToken());
    // Of the player's own seats the service tells by itself.
    if (this.#leads && before && seats.length) {
      for (const told of newsOf(before, match, seats)) this.#happened(told, true);
    }
    if (this.#leads) this.#warn(match, seats);
    this.#changed();
  }

  /** Tell of these seats when their time will be low, unless the match moves on before. */
  #warn(match: Match, seats: readonly string[]): void {
    clearTimeout(this.#warnings.get(match.matchId));
    const due = seats.flatMap((seat) => {
      const ms = lowIn(match, seat);
      return ms === undefined ? [] : [{ seat, ms }];
    });
    const [first] = due.sort((one, other) => one.ms - other.ms);
    if (!first || first.ms > LONGEST_TIMER_MS) return;
    const tell = (): void => this.#happened(clockLow(match, first.seat), true);
    this.#warnings.set(match.matchId, setTimeout(tell, Math.max(0, first.ms)));
  }

  /** Drop tokens of seats that somebody else has taken since. */
  async #drop(match: Match): Promise<void> {
    const { matchId } = match;
    for (const { name, player } of match.seats) {
      const token = tokensOf(matchId)[name];
      const which = `${matchId} ${name} ${player}`;
      if (!token || token === playerToken() || this.#certain.has(which)) continue;
      const seat = `${matchId} ${name}`;
      if (!player) this.#open.set(seat, token);
      else if (this.#open.get(seat) === token) forget(matchId, name);
      if (!player || this.#open.has(seat)) continue;
      try {
        const { caller } = await this.#service.with(token).matches.getMatch({ matchId });
        if (caller?.role) this.#certain.add(which);
        else forget(matchId, name);
      } catch (failure) {
        const { code } = asEmethError(failure);
        if (code === Code.PermissionDenied || code === Code.Unauthenticated) forget(matchId, name);
      }
    }
  }

  #changed(): void {
    waitingElsewhere(this.waiting);
    this.dispatchEvent(new Event("change"));
  }

  // --- what happens ------------------------------------------------------------------------------

  /** Follow the service for all pages of this browser, as soon as no other page does. */
  async #lead(): Promise<void> {
    if (!("locks" in navigator)) return this.#follow();
    await navigator.locks.request(SHARED, () => this.#follow());
  }

  async #follow(): Promise<never> {
    this.#leads = true;
    for (;;) {
      const anew = (this.#anew = new AbortController());
      void this.#followMatches(anew.signal);
      void this.#followPlayer(anew.signal);
      await aborted(anew.signal);
    }
  }

  async #followMatches(signal: AbortSignal): Promise<void> {
    const matchIds = this.#ongoing;
    this.#streamed = matchIds.map(streamOf);
    if (!matchIds.length) return;
    const filter = `match_id : "${matchIds}"`;
    try {
      for await (const news of watchOwn(this.#service, filter, matchIds, { signal })) {
        if (news.case !== "match") continue;
        this.#tell({ match: toBinary(MatchSchema, news.value) });
        await this.#take(news.value);
      }
    } catch {
      // A call of the page's own tells what is wrong.
    }
  }

  async #followPlayer(signal: AbortSignal): Promise<void> {
    const token = playerToken();
    if (!token) return;
    try {
      for await (const what of this.#service.with(token).watchPlayer(seenUpTo(), { signal })) {
        if (what.case === "cursor") this.news.begin(what.value);
        if (what.case !== "notice") continue;
        const { matchId, seat, inviteCode } = what.value;
        if (inviteCode) keep(matchId, { [seat || LINK]: inviteCode });
        if (!this.#matches.has(matchId)) this.#learn();
        this.#happened(noticed(what.value), true);
      }
    } catch (failure) {
      if (asEmethError(failure).code === Code.Unauthenticated) forgetPlayer();
    }
  }

  #happened(told: Told, isOwn: boolean): void {
    if (isOwn) this.#tell({ told });
    const isSeen = [...this.#looking.values()].includes(told.matchId);
    this.news.add(told, { isSeen, shows: isOwn });
  }

  #tell(what: Shared): void {
    this.#channel?.postMessage(what);
  }

  #heard(what: Shared): void {
    if ("match" in what) void this.#take(fromBinary(MatchSchema, what.match));
    else if ("told" in what) this.#happened(what.told, false);
    else if ("hello" in what) for (const told of this.#leads ? this.news.all : []) this.#tell({ told });
    else this.#looking.set(what.page, what.looking);
  }
}

let shared: Mine | undefined;

/** Follow what this browser has over all matches, from now on. */
export function beginMine(service: Emeth): void {
  shared = new Mine(service);
}

/** What this browser has over all matches. Throws before `beginMine`. */
export function mine(): Mine {
  if (!shared) throw new Error("beginMine comes first");
  return shared;
}

/** The seats of a match that this browser holds: in one that waits, those that were taken. */
export function seatsOf(match: Match): string[] {
  const tokens = tokensOf(match.matchId);
  const waits = match.status === MatchStatus.WAITING;
  return match.seats
    .filter(({ name, player }) => name in tokens && (player !== "" || !waits))
    .map(({ name }) => name);
}

/** Does a match wait for one of these seats: to act, or to answer? */
export function waitsFor(match: Match, seats: readonly string[]): boolean {
  if (match.result) return false;
  const asked = [...match.prompts.map(({ seat }) => seat), ...(match.proposal?.awaitingSeats ?? [])];
  return asked.some((seat) => seats.includes(seat));
}

/** A match, and the token by which it is followed: another one asks for another stream. */
function streamOf(matchId: string): string {
  return `${matchId} ${shownOf(matchId)}`;
}

function updated({ updateTime }: Match): bigint {
  return updateTime ? updateTime.seconds * 1_000n + BigInt(Math.floor(updateTime.nanos / 1e6)) : 0n;
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
