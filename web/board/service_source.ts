/** A match that a service keeps. */

import { create } from "@bufbuild/protobuf";
import {
  type Action,
  type Branch,
  type Emeth,
  type ExplainEventResponse,
  type GetSceneResponse,
  type ListActionsResponse,
  PendingKind,
  type Permission,
  persistently,
  PlanNodeSchema,
  type PreviewActionResponse,
  requestId,
  SceneFormat,
  type SubmitActionResponse,
  Unanswered,
  ViewFrom,
  type WatchedEvent,
} from "../client/index.ts";
import type { BackTo, MatchSource, Plans, Watching } from "./match_source.ts";

const PAGE = 500;
const MOST_BRANCHES = 200;

/** An action that was sent. */
interface Sent {
  notation: string;
  version: string;
  id: string;
}

export class ServiceSource implements MatchSource {
  readonly service: Emeth;
  readonly matchId: string;
  readonly role: string;

  /** `service` has the token of the role. */
  constructor(service: Emeth, matchId: string, role: string) {
    this.service = service;
    this.matchId = matchId;
    this.role = role;
  }

  async permissions(): Promise<readonly Permission[]> {
    const { matchId } = this;
    return (await persistently(() => this.service.matches.whoAmI({ matchId }))).permissions;
  }

  watch({ turned, ...how }: Watching): AsyncIterable<WatchedEvent> {
    const drawn = { format: SceneFormat.SVG, viewFrom: sideOf(turned) };
    return this.service.watch(this.matchId, { ...how, ...drawn, present: true });
  }

  scene(version: bigint, { narrow, turned }: Pick<Watching, "narrow" | "turned">): Promise<GetSceneResponse> {
    const drawn = { format: SceneFormat.SVG, viewFrom: sideOf(turned), narrow };
    const request = { matchId: this.matchId, version, ...drawn };
    return persistently(() => this.service.views.getScene(request));
  }

  actions(pageToken: string): Promise<ListActionsResponse> {
    const request = { matchId: this.matchId, pageSize: PAGE, pageToken };
    return persistently(() => this.service.play.listActions(request));
  }

  async group(group: string): Promise<readonly Action[]> {
    const request = { matchId: this.matchId, group, pageSize: PAGE };
    return (await this.service.play.listActions(request)).actions;
  }

  async preview(notation: string): Promise<PreviewActionResponse["outcome"]> {
    const what = { case: "action", value: notation } as const;
    const request = { matchId: this.matchId, what, changes: true };
    return (await persistently(() => this.service.play.previewAction(request))).outcome;
  }

  submit(notation: string, version: bigint): Promise<SubmitActionResponse["outcome"]> {
    return this.#send({ notation, version: String(version), id: requestId() });
  }

  resubmit(): Promise<SubmitActionResponse["outcome"]> | undefined {
    const kept = this.#unanswered.text;
    return kept === undefined ? undefined : this.#send(JSON.parse(kept) as Sent);
  }

  /** Until it is answered, a page that is loaded again knows of it. */
  async #send(sent: Sent): Promise<SubmitActionResponse["outcome"]> {
    const { notation, version, id } = sent;
    this.#unanswered.text = JSON.stringify(sent);
    const answer = this.service.submit(this.matchId, notation, BigInt(version), id);
    return (await answer.finally(() => (this.#unanswered.text = undefined))).outcome;
  }

  get #unanswered(): Unanswered {
    return new Unanswered(`${this.matchId} ${this.role}`);
  }

  undo(to: BackTo): Promise<unknown> {
    const backTo =
      to === "my-last-action"
        ? ({ case: "myLastAction", value: true } as const)
        : ({ case: "version", value: to } as const);
    return this.service.play.undo({ ...this.#signed(), backTo });
  }

  redo(version: bigint): Promise<unknown> {
    return this.service.play.redo({ ...this.#signed(), version });
  }

  offerDraw(): Promise<unknown> {
    return this.service.play.offerDraw(this.#signed());
  }

  resign(): Promise<unknown> {
    const client = this.service.options.client ?? "";
    return this.service.play.resign({ ...this.#signed(), client });
  }

  answer(kind: PendingKind, yes: boolean): Promise<unknown> {
    return kind === PendingKind.DRAW
      ? this.service.play.answerDraw({ ...this.#signed(), accepted: yes })
      : this.service.play.answerUndo({ ...this.#signed(), granted: yes });
  }

  async branches(newest: bigint): Promise<readonly Branch[]> {
    const { matchId } = this;
    const request = { matchId, atLeastVersion: newest, pageSize: MOST_BRANCHES };
    return (await persistently(() => this.service.history.listBranches(request))).branches;
  }

  explain(version: bigint): Promise<ExplainEventResponse> {
    const request = { matchId: this.matchId, version };
    return persistently(() => this.service.audit.explainEvent(request));
  }

  get plans(): Plans {
    const { service } = this;
    const signed = () => this.#signed();
    return {
      leave: (nodes) => {
        const planned = nodes.map((node) => create(PlanNodeSchema, node));
        return service.plans.setPlan({ ...signed(), nodes: planned });
      },
      cancel: () => service.plans.cancelPlan(signed()),
    };
  }

  #signed(): { requestId: string; matchId: string } {
    return { requestId: requestId(), matchId: this.matchId };
  }
}

function sideOf(turned: boolean): ViewFrom {
  return turned ? ViewFrom.OPPOSITE : ViewFrom.UNSPECIFIED;
}
