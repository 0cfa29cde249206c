/** One match as one role sees it: the calls of the service that a board makes. */

import { create } from "@bufbuild/protobuf";
import {
  type Action,
  type Branch,
  type ConditionalMove,
  ConditionalMoveSchema,
  type ConditionalMoves,
  type Emeth,
  type ExplainEventResponse,
  type ListActionsResponse,
  type MatchEvent,
  type Permission,
  persistently,
  type Proposal,
  ProposalDecision,
  requestId,
  type SubmitActionResponse,
  Unanswered,
  UndoScope,
  type View,
  ViewFrom,
} from "../client/index.ts";

const PAGE = 500;
/** What a drawing is shown with. */
const SHOWN = ["svg", "prompts", "result", "announcements"];
/** What comes with each event. */
const EVENT = ["event"];
/** What comes with the newest one. */
const NEWEST = ["event", "view.match", "view.actions", ...SHOWN.map((field) => `view.${field}`)];
const MOST_BRANCHES = 200;

/** How a match is followed. */
export interface Watching {
  /** Begin with the event after this version; 0 for the whole match. */
  after: number;
  /** Draw for a narrow screen, such as a phone's. */
  narrow: boolean;
  /** Draw from across the board, not from the role's own side. */
  turned: boolean;
  /** Ends the stream. */
  signal: AbortSignal;
  /** Is called when the connection is up and when it is lost. */
  onLine: (up: boolean) => void;
  /** Is called with the conditional moves of the role's seat, at first and whenever they have changed. */
  onConditionalMoves: (moves: ConditionalMoves | undefined) => void;
}

/** Where to go back to: a version of the line, or before the seat's own last action. */
export type BackTo = number | "my-last-action";

/** An action that was sent. */
interface Sent {
  notation: string;
  version: number;
  id: string;
}

/** Calls that fail throw an EmethError. */
export class ServiceSource {
  readonly service: Emeth;
  readonly matchId: string;
  /** A seat, `table`, `spectator` or `referee`; empty until the service has been asked. */
  role: string;

  /** `service` has the token of the role, or none for a public match. A role that is left out is the token's. */
  constructor(service: Emeth, matchId: string, role = "") {
    this.service = service;
    this.matchId = matchId;
    this.role = role;
  }

  /** What the role may do in this match, whenever it is possible. Learns the role, where it is not known. */
  async permissions(): Promise<readonly Permission[]> {
    const { matchId } = this;
    const { caller } = await persistently(() => this.service.matches.getMatch({ matchId }));
    this.role ||= caller?.role ?? "";
    return caller?.permissions ?? [];
  }

  /**
   * The events in order, until the signal ends the stream. An event that is the newest when it comes
   * has `svg`, `match`, and, for a seat that is asked, `actions`; its `changes` lead from the drawing
   * before it.
   */
  watch({ turned, ...how }: Watching): AsyncIterable<MatchEvent> {
    const view = { viewFrom: sideOf(turned), markLegal: true, paths: EVENT, latestPaths: NEWEST };
    return this.service.watch(this.matchId, { ...how, ...view });
  }

  /** The drawing at an earlier version. */
  scene(version: number, { narrow, turned }: Pick<Watching, "narrow" | "turned">): Promise<View> {
    const pointInTime = { case: "version", value: version } as const;
    return this.service.view(this.matchId, SHOWN, { pointInTime, viewFrom: sideOf(turned), narrow });
  }

  /** The page of legal actions that follows the one with this token. */
  actions(pageToken: string): Promise<ListActionsResponse> {
    const request = { matchId: this.matchId, pageSize: PAGE, pageToken };
    return persistently(() => this.service.play.listActions(request));
  }

  /** The actions that an action with a `group` stands for. */
  async group(group: string): Promise<readonly Action[]> {
    const request = { matchId: this.matchId, group, pageSize: PAGE };
    return (await this.service.play.listActions(request)).actions;
  }

  /** What an action would do, with its `changes`. */
  async preview(notation: string): Promise<SubmitActionResponse["outcome"]> {
    const input = { case: "action", value: notation } as const;
    const request = { ...this.#signed(), input, validateOnly: true, includeChanges: true };
    return (await persistently(() => this.service.play.submitAction(request))).outcome;
  }

  /** Take an action, if the match is at this version. */
  submit(notation: string, version: number): Promise<SubmitActionResponse["outcome"]> {
    return this.#send({ notation, version, id: requestId() });
  }

  /** Send again what this tab sent before the page was reloaded, if that was not answered. */
  resubmit(): Promise<SubmitActionResponse["outcome"]> | undefined {
    const kept = this.#unanswered.text;
    return kept === undefined ? undefined : this.#send(JSON.parse(kept) as Sent);
  }

  /** Until it is answered, a page that is loaded again knows of it. */
  async #send(sent: Sent): Promise<SubmitActionResponse["outcome"]> {
    const { notation, version, id } = sent;
    this.#unanswered.text = JSON.stringify(sent);
    const answer = this.service.submit(this.matchId, notation, version, id);
    return (await answer.finally(() => (this.#unanswered.text = undefined))).outcome;
  }

  get #unanswered(): Unanswered {
    return new Unanswered(`${this.matchId} ${this.role}`);
  }

  undo(to: BackTo): Promise<unknown> {
    const target =
      to === "my-last-action"
        ? ({ case: "scope", value: UndoScope.LAST_ACTION } as const)
        : ({ case: "version", value: to } as const);
    const kind = { case: "undo", value: { target } } as const;
    return this.service.play.createProposal({ ...this.#signed(), kind });
  }

  /** Go on from a version that was undone. */
  redo(version: number): Promise<unknown> {
    const kind = { case: "redo", value: { version } } as const;
    return this.service.play.createProposal({ ...this.#signed(), kind });
  }

  offerDraw(): Promise<unknown> {
    const kind = { case: "draw", value: {} } as const;
    return this.service.play.createProposal({ ...this.#signed(), kind });
  }

  resign(): Promise<unknown> {
    const client = this.service.options.client ?? "";
    const input = { case: "resignation", value: true } as const;
    return this.service.play.submitAction({ ...this.#signed(), client, input });
  }

  /** Accept, reject or withdraw a proposal. */
  respond({ proposalId }: Proposal, decision: ProposalDecision): Promise<unknown> {
    return this.service.play.respondToProposal({ ...this.#signed(), proposalId, decision });
  }

  /** The present line first, then what was undone. */
  async branches(newest: number): Promise<readonly Branch[]> {
    const { matchId } = this;
    const request = { matchId, atLeastVersion: newest, pageSize: MOST_BRANCHES };
    return (await persistently(() => this.service.history.listBranches(request))).branches;
  }

  /** All there is to say of an event. */
  explain(version: number): Promise<ExplainEventResponse> {
    const request = { matchId: this.matchId, version };
    return persistently(() => this.service.audit.explainEvent(request));
  }

  /** Set the conditional moves of the seat. */
  setConditionalMoves(
    set: Pick<ConditionalMove, "parent" | "triggerSeat" | "triggerAction" | "responses">[],
  ): Promise<unknown> {
    const moves = set.map((move) => create(ConditionalMoveSchema, move));
    return this.service.play.setConditionalMoves({ ...this.#signed(), moves });
  }

  deleteConditionalMoves(): Promise<unknown> {
    return this.service.play.deleteConditionalMoves(this.#signed());
  }

  #signed(): { requestId: string; matchId: string } {
    return { requestId: requestId(), matchId: this.matchId };
  }
}

function sideOf(turned: boolean): ViewFrom {
  return turned ? ViewFrom.OPPOSITE : ViewFrom.UNSPECIFIED;
}
