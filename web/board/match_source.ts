/**
 * What a board asks of wherever its match is kept: a service (service_source.ts), or a referee that
 * runs in the page itself. A MatchView works on any; it asks for nothing else.
 */

import type {
  Action,
  Branch,
  ExplainEventResponse,
  GetSceneResponse,
  ListActionsResponse,
  Permission,
  PendingKind,
  Plan,
  PlanNode,
  PreviewActionResponse,
  SubmitActionResponse,
  WatchedEvent,
} from "../client/index.ts";

/** How a match is followed. */
export interface Watching {
  /** Begin with the event after this version; 0 for the whole match. */
  after: bigint;
  /** Draw for a narrow screen, as a phone's. */
  narrow: boolean;
  /** Draw from across the board, not from the role's own side. */
  turned: boolean;
  /** Ends it. */
  signal: AbortSignal;
  /** Is told when the line is up and when it is lost. One in the page itself is always up. */
  onLine: (up: boolean) => void;
  /** Is told the plan of the role's seat, at first and whenever it has changed, where the source has plans. */
  onPlan: (plan: Plan | undefined) => void;
}

/** Where to go back to: a version of the line, or before the seat's own last action. */
export type BackTo = bigint | "my-last-action";

/** What the seat does if others do this or that. */
export interface Plans {
  leave(nodes: Pick<PlanNode, "parent" | "by" | "on" | "replies">[]): Promise<unknown>;
  cancel(): Promise<unknown>;
}

/** One match, as one role sees it and acts in it. What cannot be done fails with an EmethError. */
export interface MatchSource {
  readonly matchId: string;
  /** A seat, `table`, `spectator` or `referee`. */
  readonly role: string;

  /** What the role may do in this match, whenever it is possible. */
  permissions(): Promise<readonly Permission[]>;
  /**
   * The events in order, for as long as the signal does not end it. An event that is the newest when
   * it comes has `svg`, `match`, and, for a seat that is asked, `actions`; its `changes` lead from the
   * drawing before it.
   */
  watch(how: Watching): AsyncIterable<WatchedEvent>;
  /** The drawing at an earlier version. */
  scene(version: bigint, how: Pick<Watching, "narrow" | "turned">): Promise<GetSceneResponse>;

  /** The page of legal actions that follows the one with this token. */
  actions(pageToken: string): Promise<ListActionsResponse>;
  /** The actions that an action with a `group` stands for. */
  group(group: string): Promise<readonly Action[]>;
  /** What an action would do, with its `changes`. */
  preview(notation: string): Promise<PreviewActionResponse["outcome"]>;
  /** Take an action, if the match is at this version. */
  submit(notation: string, version: bigint): Promise<SubmitActionResponse["outcome"]>;
  /** Send again what this tab sent before the page was loaded anew, if that was not answered. */
  resubmit?(): Promise<SubmitActionResponse["outcome"]> | undefined;

  undo(to: BackTo): Promise<unknown>;
  /** Go on from a version that was undone. */
  redo(version: bigint): Promise<unknown>;
  offerDraw(): Promise<unknown>;
  resign(): Promise<unknown>;
  /** Answer the request that waits. */
  answer(kind: PendingKind, yes: boolean): Promise<unknown>;

  /** Plans of the seat; a source that follows none has none. */
  readonly plans?: Plans;

  /** The present line first, then what was undone; a source without branches shows none. */
  branches?(newest: bigint): Promise<readonly Branch[]>;
  /** All there is to say of an event. */
  explain?(version: bigint): Promise<ExplainEventResponse>;
}
