/** The client: all services of a service, with one token, and what a frontend needs beside them. */

import type { Client } from "@connectrpc/connect";
import { asEmethError } from "./errors.ts";
import { rest } from "./reaching.ts";
import { type FollowOptions, Subscription, type TopicTarget } from "./subscription.ts";
import { clientOf, connect, type EmethOptions, requestId } from "./transport.ts";
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
} from "./wire/emeth/v1/matches_pb.js";
import { type MatchEvent, type View, ViewFrom } from "./wire/emeth/v1/match_views_pb.js";
import { type Notice, PlayersService } from "./wire/emeth/v1/players_pb.js";
import type { SubmitActionResponse } from "./wire/emeth/v1/play_pb.js";
import { PlayService } from "./wire/emeth/v1/play_service_pb.js";
import { StatisticsService } from "./wire/emeth/v1/statistics_pb.js";
import type { LobbyEvent, SubscribeResponse } from "./wire/emeth/v1/subscriptions_pb.js";
import { type GetViewRequest, ViewsService } from "./wire/emeth/v1/views_pb.js";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;
const ATTEMPTS = 4;
/** An action is sent again for as long as a service needs to start. */
const SUBMIT_ATTEMPTS = 8;

/** What is shown of a match, and how it is drawn: fields of GetViewRequest. */
export type ViewOptions = Partial<Omit<GetViewRequest, "$typeName" | "$unknown" | "matchId" | "readMask">>;

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
  readonly #subscription: Subscription;

  /** `subscription` is the stream that topics are followed on; one of its own, if left out. */
  constructor(options: EmethOptions, subscription?: Subscription) {
    this.options = options;
    const { token: _, ...anybody } = options;
    this.#subscription = subscription ?? new Subscription(clientOf(ViewsService, connect(anybody)));
    const transport = connect(options);
    this.games = clientOf(GamesService, transport);
    this.matches = clientOf(MatchesService, transport);
    this.play = clientOf(PlayService, transport);
    this.views = clientOf(ViewsService, transport);
    this.history = clientOf(HistoryService, transport);
    this.audit = clientOf(AuditService, transport);
    this.armies = clientOf(ArmiesService, transport);
    this.gateways = clientOf(GatewaysService, transport);
    this.styluses = clientOf(StylusesService, transport);
    this.players = clientOf(PlayersService, transport);
    this.statistics = clientOf(StatisticsService, transport);
    this.analysis = clientOf(AnalysisService, transport);
  }

  /** The same service by another token, and the same stream. */
  with(token: string): Emeth {
    return new Emeth({ ...this.options, token }, this.#subscription);
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
    amounts: readonly number[] = [],
  ): Promise<SubmitActionResponse> {
    const request = {
      requestId: id,
      matchId,
      input: { case: "action", value: notation } as const,
      client: this.options.client ?? "",
      amounts: [...amounts],
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
   * The events of a match as they are recorded, each once. Ends when `signal` says so; throws an EmethError for
   * what no waiting helps against, as a token that is not of the match.
   */
  async *watch(matchId: string, options: WatchOptions = {}): AsyncGenerator<MatchEvent> {
    const { paths = [], latestPaths = [], onConditionalMoves, untilOver = false, after: afterVersion = 0 } = options;
    const { narrow = false, viewFrom = ViewFrom.UNSPECIFIED, markLegal = false } = options;
    const value = {
      matchId,
      afterVersion,
      narrow,
      viewFrom,
      markLegal,
      readMask: { paths },
      latestReadMask: { paths: latestPaths },
      conditionalMoves: !!onConditionalMoves,
      ...(untilOver ? { end: { case: "untilOver", value: true } as const } : {}),
    };
    for await (const { event } of this.follow({ case: "match", value }, options)) {
      if (event.case === "conditionalMoves") onConditionalMoves?.(event.value.conditionalMoves);
      if (event.case === "matchEvent") yield event.value;
    }
  }

  /** What changes in a list of matches: first all of it, then what is new, also after breaks. */
  async *watchLobby(
    filter: string,
    options: FollowOptions = {},
    tokens: string[] = [],
  ): AsyncGenerator<LobbyEvent["event"]> {
    for await (const { event } of this.follow({ case: "lobby", value: { filter, tokens } }, options)) {
      if (event.case === "lobbyEvent") yield event.value.event;
    }
  }

  /**
   * The notices to the player whose token this is, each once, also after breaks: those after a notice's
   * ID (all of them, if it is empty), or else from now on. Yields first the cursor that it begins after.
   */
  async *watchPlayer(afterNoticeId: string | undefined, options: FollowOptions = {}): AsyncGenerator<PlayerNews> {
    const value = afterNoticeId === undefined ? {} : { afterNoticeId };
    for await (const { event, cursor } of this.follow({ case: "player", value }, options)) {
      if (event.case === "topicStarted") yield { case: "cursor", value: cursor };
      if (event.case === "notice") yield event;
    }
  }

  /** The messages of a topic, on the one stream that this client has, and all that are made of it by `with`. */
  follow(target: TopicTarget, options: FollowOptions = {}): AsyncGenerator<SubscribeResponse> {
    return this.#subscription.follow(target, this.options.token, options);
  }
}

/** What a player hears of: a notice, or, first, the cursor of the one before. */
export type PlayerNews = { case: "cursor"; value: string } | { case: "notice"; value: Notice };

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

