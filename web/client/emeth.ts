/** The client: all services of a service, with one token, and what a frontend needs beside them. */

import { type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { asEmethError, EmethError, typedErrors } from "./errors.ts";
import { pause, pauseUntilReached, reached } from "./reaching.ts";
import { GatewaysService } from "./wire/emeth/devices/v1/gateways_pb.js";
import { StylusesService } from "./wire/emeth/devices/v1/styluses_pb.js";
import { AnalysisService } from "./wire/emeth/v1/analysis_pb.js";
import { ArmiesService } from "./wire/emeth/v1/armies_pb.js";
import { AuditService } from "./wire/emeth/v1/audit_pb.js";
import type { ConditionalMoves } from "./wire/emeth/v1/conditional_moves_pb.js";
import { GamesService } from "./wire/emeth/v1/games_pb.js";
import { HistoryService } from "./wire/emeth/v1/history_pb.js";
import {
  MatchesService,
  type WatchLobbyResponse,
} from "./wire/emeth/v1/matches_pb.js";
import { PlayersService, type WatchPlayerResponse } from "./wire/emeth/v1/players_pb.js";
import type { SubmitActionResponse } from "./wire/emeth/v1/play_pb.js";
import { PlayService } from "./wire/emeth/v1/play_service_pb.js";
import { StatisticsService } from "./wire/emeth/v1/statistics_pb.js";
import {
  type GetViewRequest,
  type MatchEvent,
  type View,
  ViewFrom,
  ViewsService,
} from "./wire/emeth/v1/views_pb.js";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
/** So long without a failure, a line that was lost is up. */
const UP_AFTER_MS = 1_000;
const ATTEMPTS = 4;
/** An action is sent again for as long as a service needs to start. */
const SUBMIT_ATTEMPTS = 8;

export interface EmethOptions {
  /** Where the service's HTTP port is; in a page that it serves, the page's own origin. */
  baseUrl: string;
  /** Of a role in a match. Public calls need none. */
  token?: string;
  /** The frontend's name and version, which the log keeps with each action. */
  client?: string;
  /** See every request and answer that goes over the network, as to keep receipts. */
  interceptors?: readonly Interceptor[];
}

/** What is shown of a match, and how it is drawn: fields of GetViewRequest. */
export type ViewOptions = Partial<Omit<GetViewRequest, "$typeName" | "$unknown" | "matchId" | "readMask">>;

export interface FollowOptions {
  /** Ends the stream. */
  signal?: AbortSignal;
  /**
   * Is told when the line is up, and when it is lost with what was wrong: when a stream broke and could
   * not be taken up again at once.
   */
  onLine?: (up: boolean, why?: EmethError) => void;
}

export interface WatchOptions extends FollowOptions {
  /** Begin with the event after this version; 0 for the whole match. */
  after?: number;
  /** Fields of MatchEvent that come with each event, as `view.svg`; left out: those that the service has by default. */
  paths?: string[];
  /** The same for the event that is the newest when it comes. */
  latestPaths?: string[];
  /** Draw for a narrow screen, as a phone's. */
  narrow?: boolean;
  /** From which side of the board; the viewer's own if left out. */
  viewFrom?: ViewFrom;
  /** Mark in the drawing of the newest event what the viewer may do. */
  markLegal?: boolean;
  /** Is called with the conditional moves of the viewer's seat, at first and whenever they have changed. */
  onConditionalMoves?: (moves: ConditionalMoves | undefined) => void;
  /** End when the match is over. */
  untilOver?: boolean;
}

/** A service, seen by whoever holds a token. */
export class Emeth {
  readonly options: Readonly<EmethOptions>;
  readonly games: Client<typeof GamesService>;
  readonly matches: Client<typeof MatchesService>;
  readonly play: Client<typeof PlayService>;
  readonly views: Client<typeof ViewsService>;
  readonly history: Client<typeof HistoryService>;
  readonly audit: Client<typeof AuditService>;
  readonly armies: Client<typeof ArmiesService>;
  readonly gateways: Client<typeof GatewaysService>;
  readonly styluses: Client<typeof StylusesService>;
  readonly players: Client<typeof PlayersService>;
  readonly statistics: Client<typeof StatisticsService>;
  readonly analysis: Client<typeof AnalysisService>;

  constructor(options: EmethOptions) {
    this.options = options;
    const transport = network(options);
    this.games = createClient(GamesService, transport);
    this.matches = createClient(MatchesService, transport);
    this.play = createClient(PlayService, transport);
    this.views = createClient(ViewsService, transport);
    this.history = createClient(HistoryService, transport);
    this.audit = createClient(AuditService, transport);
    this.armies = createClient(ArmiesService, transport);
    this.gateways = createClient(GatewaysService, transport);
    this.styluses = createClient(StylusesService, transport);
    this.players = createClient(PlayersService, transport);
    this.statistics = createClient(StatisticsService, transport);
    this.analysis = createClient(AnalysisService, transport);
  }

  /** The same service by another token. */
  with(token: string): Emeth {
    return new Emeth({ ...this.options, token });
  }

  /**
   * Takes an action, in the game's notation. It is sent again, with the same request id, if the
   * answer is lost: it is recorded once, and its first answer comes back. Who keeps the id can have
   * it sent again later, too.
   */
  submit(
    matchId: string,
    notation: string,
    expectedVersion?: number,
    id = requestId(),
  ): Promise<SubmitActionResponse> {
    const request = {
      requestId: id,
      matchId,
      input: { case: "action", value: notation } as const,
      client: this.options.client ?? "",
      ...(expectedVersion === undefined ? {} : { expectedVersion }),
    };
    return persistently(() => this.play.submitAction(request), SUBMIT_ATTEMPTS);
  }

  /** Gets a match as one viewer sees it, with these fields of View. */
  async view(
    matchId: string,
    paths: string[],
    how: ViewOptions = {},
  ): Promise<View> {
    const request = { ...how, matchId, readMask: { paths } };
    const { view } = await persistently(() => this.views.getView(request));
    if (!view) throw new Error("the service sent no view");
    return view;
  }

  /**
   * The events of a match as they are recorded. A line that breaks is taken up again after the last
   * event that came, so that none is missed or told twice. Ends when `signal` says so; throws an
   * EmethError for what no waiting helps against, as a token that is not of the match.
   */
  async *watch(matchId: string, options: WatchOptions = {}): AsyncGenerator<MatchEvent> {
    const { untilOver = false, paths = [], latestPaths = [], onConditionalMoves } = options;
    const { narrow = false, viewFrom = ViewFrom.UNSPECIFIED, markLegal = false } = options;
    const how = { untilOver, narrow, viewFrom, markLegal, readMask: { paths }, latestReadMask: { paths: latestPaths } };
    let afterVersion = options.after ?? 0;
    const stream = follow(
      (call) => {
        const plan = !!onConditionalMoves;
        return this.views.watchMatch({ ...how, matchId, afterVersion, plan }, call);
      },
      options,
      async () => untilOver && (await this.isOver(matchId)),
    );
    for await (const { news } of stream) {
      if (news.case === "plan") onConditionalMoves?.(news.value.plan);
      if (news.case !== "event" || !news.value.event) continue;
      afterVersion = news.value.event.version;
      yield news.value;
    }
  }

  /** What changes in a list of matches: first all of it, then what is new, also after breaks. */
  async *watchLobby(
    filter: string,
    options: FollowOptions = {},
    tokens: string[] = [],
  ): AsyncGenerator<WatchLobbyResponse["news"]> {
    let afterPosition = 0n;
    const stream = follow((call) => this.matches.watchLobby({ filter, afterPosition, tokens }, call), options);
    for await (const { news, position } of stream) {
      afterPosition = position;
      yield news;
    }
  }

  /**
   * The notices to the player whose token this is, each once, also after breaks: those after a cursor
   * or a notice's ID, or else from now on. Yields first the cursor that it begins after.
   */
  async *watchPlayer(
    cursor: string | undefined,
    options: FollowOptions = {},
  ): AsyncGenerator<WatchPlayerResponse["event"]> {
    let seen = cursor;
    const stream = follow((call) => {
      return this.players.watchPlayer(seen === undefined ? {} : { cursor: seen }, call);
    }, options);
    for await (const { event } of stream) {
      if (event.case === "notice") seen = event.value.noticeId;
      if (event.case === "cursor") seen = event.value;
      yield event;
    }
  }

  private async isOver(matchId: string): Promise<boolean> {
    const { match } = await this.matches.getMatch({ matchId });
    return match?.result !== undefined;
  }
}

/** A new request id: a random UUID, also on pages that are not served securely. */
export function requestId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Makes a call again while it fails in a way that passes. Only for calls that may be repeated. */
export async function persistently<T>(
  call: () => Promise<T>,
  attempts = ATTEMPTS,
): Promise<T> {
  let wait = FIRST_WAIT_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (failure) {
      const error = asEmethError(failure);
      if (!error.passing || attempt === attempts) throw error;
      await rest(wait, error);
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
  }
}

/**
 * A stream that is taken up again when it breaks: `open` begins it where it stopped. Ends when
 * `signal` says so, or when it ends by itself and is done; throws an EmethError for what no waiting
 * helps against, as a token that is not good.
 */
async function* follow<T>(
  open: (call: { signal?: AbortSignal }) => AsyncIterable<T>,
  { signal, onLine }: FollowOptions,
  isDone: () => Promise<boolean> = async () => false,
): AsyncGenerator<T> {
  let wait = FIRST_WAIT_MS;
  /** In a row. The first is no news: proxies end streams that show nothing for long. */
  let failures = 0;
  let hasBegun = false;
  while (!signal?.aborted) {
    let why: EmethError | undefined;
    const up = (): void => {
      clearTimeout(still);
      failures = 0;
      onLine?.(true);
    };
    // A stream on which nothing comes is up if it has not failed for a while.
    const still = setTimeout(up, failures ? UP_AFTER_MS : 0);
    try {
      for await (const each of open(signal ? { signal } : {})) {
        wait = FIRST_WAIT_MS;
        hasBegun = true;
        if (failures) up();
        yield each;
      }
      if (await isDone()) return;
    } catch (failure) {
      why = asEmethError(failure);
      if (signal?.aborted) return;
      // A proxy may end a stream with any code. What the service itself says has a reason.
      const isBroken = hasBegun && why.reason === "";
      if (!why.passing && !isBroken) throw why;
    } finally {
      clearTimeout(still);
    }
    failures += 1;
    if (failures > 1) onLine?.(false, why);
    await rest(wait, why, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}

/**
 * Waits before another attempt: less, if it looks as if nobody had been reached and now is; and at least as long
 * as the service asks for.
 */
function rest(ms: number, why: EmethError | undefined, signal?: AbortSignal): Promise<void> {
  return why?.reason ? pause(Math.max(ms, why.retryMs), signal) : pauseUntilReached(ms, signal);
}

/** The Connect protocol, to a service at this address. */
function network({ baseUrl, interceptors = [], token }: EmethOptions): Transport {
  return createConnectTransport({
    baseUrl,
    useBinaryFormat: true,
    interceptors: [typedErrors, telling, identifying, ...interceptors, ...(token ? [bearer(token)] : [])],
  });
}

/** Tells those who wait for the service that it has answered. */
const telling: Interceptor = (next) => async (request) => {
  const response = await next(request);
  // A stream that is open has said nothing yet.
  if (!response.stream) reached();
  return response;
};

/** Random, and the same for all calls of a page. */
const clientSecret = `${requestId()}-${requestId()}`;

/**
 * Sends a secret with each request that has a field for it. The service gives a response with tokens again only to the
 * same caller, and a caller without a token is known by that secret.
 */
const identifying: Interceptor = (next) => (request) => {
  if (!request.stream && "clientSecret" in request.message) request.message.clientSecret ||= clientSecret;
  return next(request);
};

function bearer(token: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}

