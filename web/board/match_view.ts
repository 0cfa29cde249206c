/**
 * One match as one viewer sees it and acts in it: what elements draw. It follows the service by one
 * stream, holds the choice of an action, and tells who listens of every change. It knows no game.
 */

import {
  type Action,
  type Ask,
  asEmethError,
  type Emeth,
  type EmethError,
  type Event,
  type GetSceneResponse,
  type Match,
  PendingKind,
  type Permission,
  persistently,
  type PreviewActionResponse,
  requestId,
  SceneFormat,
} from "../client/index.ts";
import { Narrowing, type Pick, type Spot } from "./narrowing.ts";

/** The word for seats' tokens that are not a seat's. */
const ONLOOKERS = new Set(["spectator", "referee", ""]);
const PAGE = 500;
const MOST_ACTIONS = 2_500;
/** The verb of giving up, which has a button of its own. */
const RESIGN = "resign";

/** A drawing, with what is asked in it. */
export interface Shown {
  version: bigint;
  svg: string;
  asks: readonly Ask[];
  over: boolean;
  announcements: readonly string[];
}

/** An action that is about to be taken, with what would come of it. */
export interface Preview {
  action: Action;
  outcome?: PreviewActionResponse["outcome"];
}

export type Line = "opening" | "up" | "lost";

/**
 * Fires `change` whenever anything of it is different, and `ended` with an EmethError if it cannot
 * go on, as when the token is not good any more.
 */
export class MatchView extends EventTarget {
  readonly service: Emeth;
  readonly matchId: string;
  /** A seat, `table`, `spectator` or `referee`. */
  readonly role: string;

  match: Match | undefined;
  events: Event[] = [];
  shown: Shown | undefined;
  line: Line = "opening";
  /** What went wrong last, for people. */
  trouble = "";
  /** An earlier version that is looked at; undefined: the present. */
  at: bigint | undefined;
  preview: Preview | undefined;
  /** The actions of a group that was opened. */
  opened: { title: string; actions: readonly Action[] } | undefined;
  busy = false;
  /** What the viewer may do in this match, whenever it is possible. */
  permissions: ReadonlySet<Permission> = new Set();

  #narrow = false;
  #actions: readonly Action[] = [];
  #actionsVersion = 0n;
  #picks: Pick[] = [];
  #marked: string | undefined;
  #refreshing: Promise<void> | undefined;
  #again = false;
  readonly #stop = new AbortController();

  constructor(service: Emeth, matchId: string, role: string) {
    super();
    this.service = service;
    this.matchId = matchId;
    this.role = role;
  }

  /** Follow the match until `close`. */
  async open(): Promise<void> {
    void this.refresh();
    void this.#learn();
    const options = {
      signal: this.#stop.signal,
      onLine: (up: boolean): void => this.#set({ line: up ? "up" : "lost" }),
    };
    try {
      for await (const { event } of this.service.watch(this.matchId, options)) {
        if (event) this.#happened(event);
        void this.refresh();
      }
    } catch (failure) {
      const error = asEmethError(failure);
      this.#set({ line: "lost", trouble: error.rawMessage });
      this.dispatchEvent(new CustomEvent("ended", { detail: error }));
    }
  }

  async #learn(): Promise<void> {
    const { matchId } = this;
    try {
      const { permissions } = await persistently(() => this.service.matches.whoAmI({ matchId }));
      this.#set({ permissions: new Set(permissions) });
    } catch (failure) {
      this.#failed(asEmethError(failure));
    }
  }

  #happened(event: Event): void {
    this.events = [...this.events, event];
    // What was pointed at may not be there any more.
    if (event.version > this.#actionsVersion) this.#picks = [];
  }

  close(): void {
    this.#stop.abort();
  }

  // --- what is shown -----------------------------------------------------------------------------

  get newest(): bigint {
    return this.events.at(-1)?.version ?? 0n;
  }

  /** What the rules want called out now. */
  get announcements(): readonly string[] {
    return this.shown?.announcements ?? [];
  }

  /** The events between two versions, by which one drawing became the other. */
  between(earlier: bigint, later: bigint): Event[] {
    return this.events.filter(({ version }) => version > earlier && version <= later);
  }

  set narrow(narrow: boolean) {
    if (narrow === this.#narrow) return;
    this.#narrow = narrow;
    if (this.shown) void this.refresh();
  }

  /** Look at an earlier version, or at the present. */
  look(version: bigint | undefined): void {
    const at = version !== undefined && version >= this.newest ? undefined : version;
    if (at === this.at) return;
    this.#set({ at, preview: undefined, opened: undefined });
    this.#picks = [];
    void this.refresh();
  }

  /** Ask for the drawing, the actions and the match again; one round at a time. */
  refresh(): Promise<void> {
    this.#again = true;
    this.#refreshing ??= this.#rounds().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #rounds(): Promise<void> {
    while (this.#again && !this.#stop.signal.aborted) {
      this.#again = false;
      // Many events that come at once are drawn once.
      await new Promise((resolve) => setTimeout(resolve));
      try {
        await this.#round();
      } catch (failure) {
        this.#failed(asEmethError(failure));
      }
    }
  }

  #failed(error: EmethError): void {
    if (error.passing) return;
    if (this.#picks.length && error.reason === "FIELD_INVALID") {
      // The piece that was pointed at has gone, by an event that is still on its way.
      this.#picks = [];
      this.#again = true;
    } else {
      this.#set({ trouble: error.rawMessage });
    }
  }

  async #round(): Promise<void> {
    const { matchId, newest, at } = this;
    const marked = this.#selected();
    const [match, scene] = await Promise.all([
      this.service.matches.getMatch({ matchId, atLeastVersion: newest }),
      this.service.views.getScene({
        matchId,
        ...(at === undefined ? { atLeastVersion: newest, legal: true } : { version: at }),
        format: SceneFormat.SVG,
        narrow: this.#narrow,
        ...(at === undefined && marked ? { selected: marked } : {}),
      }),
      at === undefined ? this.#listActions(newest) : undefined,
    ]);
    // Another version was asked for meanwhile: the next round draws that.
    if (at !== this.at) return;
    this.#marked = marked;
    this.#set({ match: match.match ?? this.match, shown: shown(scene) });
  }

  // --- what may be done --------------------------------------------------------------------------

  get isPlayer(): boolean {
    return !ONLOOKERS.has(this.role);
  }

  /** What the viewer is asked for; undefined if it is not. */
  get ask(): Ask | undefined {
    if (this.at !== undefined || !this.isPlayer) return undefined;
    return this.shown?.asks.find(({ seat }) => seat === this.role);
  }

  /** The legal actions, and those that the picks leave. */
  get choice(): Narrowing {
    const mine = this.at === undefined && this.ask ? this.#actions : [];
    return new Narrowing(mine, this.#picks);
  }

  get picks(): readonly Pick[] {
    return this.#picks;
  }

  /**
   * Point at something. Where nothing is left to choose, the action is previewed; at the place that
   * was pointed at last, the action that is whole, or else the pick is taken back.
   */
  point(spot: Spot): void {
    if (this.busy || this.opened) return;
    if (this.preview) this.cancel();
    const last = this.#picks.at(-1);
    const { whole } = this.choice;
    if (last && same(last, spot) && !this.choice.takes(spot)) {
      if (whole && this.choice.actions.length > 1) void this.choose(whole);
      else this.#pick(this.#picks.slice(0, -1));
    } else if (this.choice.takes(spot)) {
      this.#pick([...this.#picks, spot]);
    } else if (new Narrowing(this.choiceOfAll).takes(spot)) {
      this.#pick([spot]);
    } else {
      this.#pick([]);
    }
  }

  /** Only actions of one kind. */
  pickVerb(verb: string): void {
    this.#pick([...this.#picks, { verb }]);
  }

  /** Take back the last step of the choice. */
  back(): void {
    if (this.preview) this.cancel();
    else if (this.opened) this.#set({ opened: undefined });
    else this.#pick(this.#picks.slice(0, -1));
  }

  /** Begin the choice anew. */
  clear(): void {
    this.#set({ preview: undefined, opened: undefined });
    this.#pick([]);
  }

  /** Take an action into view: open its group, or ask what would come of it. */
  async choose(action: Action): Promise<void> {
    if (action.group) {
      const { actions } = await this.#attempt(() => this.#group(action.group), { actions: [] });
      if (actions.length) this.#set({ opened: { title: action.sentence, actions } });
      return;
    }
    this.#set({ preview: { action }, trouble: "" });
    const what = { case: "action", value: action.notation } as const;
    const request = { matchId: this.matchId, what, changes: true };
    const found = await this.#attempt(() => this.service.play.previewAction(request), undefined);
    if (this.preview?.action === action && found) {
      this.#set({ preview: { action, outcome: found.outcome } });
    }
  }

  /** Leave the action that is in view. */
  cancel(): void {
    const { preview } = this;
    this.#set({ preview: undefined });
    // An action that the last pick led to alone would be in view again at once.
    if (preview && this.choice.actions.length === 1) this.#pick(this.#picks.slice(0, -1));
  }

  /** Take the action that is in view. */
  async confirm(): Promise<void> {
    const action = this.preview?.action;
    if (!action || this.busy) return;
    const version = this.#actionsVersion;
    await this.command(async () => {
      const { outcome } = await this.service.submit(this.matchId, action.notation, version);
      if (outcome.case === "refused") throw new Error(outcome.value.why);
      this.#picks = [];
      this.#actions = [];
      this.#set({ preview: undefined, opened: undefined });
    });
  }

  // --- beside actions ----------------------------------------------------------------------------

  takeBack(): Promise<void> {
    const backTo = { case: "myLastAction", value: true } as const;
    return this.command(() => this.service.play.undo({ ...this.#signed(), backTo }));
  }

  offerDraw(): Promise<void> {
    return this.command(() => this.service.play.offerDraw(this.#signed()));
  }

  resign(): Promise<void> {
    const client = this.service.options.client ?? "";
    return this.command(() => this.service.play.resign({ ...this.#signed(), client }));
  }

  /** Answer the request that waits: an undo, a redo or a draw. */
  answer(yes: boolean): Promise<void> {
    const isDraw = this.match?.pending?.kind === PendingKind.DRAW;
    return this.command(() =>
      isDraw
        ? this.service.play.answerDraw({ ...this.#signed(), accepted: yes })
        : this.service.play.answerUndo({ ...this.#signed(), granted: yes }),
    );
  }

  /** Make a call that changes the match; what goes wrong is told as `trouble`. */
  async command(call: () => Promise<unknown>): Promise<void> {
    this.#set({ busy: true, trouble: "" });
    await this.#attempt(call, undefined);
    this.#set({ busy: false });
    await this.refresh();
  }

  // --- within ------------------------------------------------------------------------------------

  get choiceOfAll(): readonly Action[] {
    return this.at === undefined && this.ask ? this.#actions : [];
  }

  #signed(): { requestId: string; matchId: string } {
    return { requestId: requestId(), matchId: this.matchId };
  }

  #pick(picks: Pick[]): void {
    this.#picks = picks;
    this.#set({ preview: undefined, opened: undefined });
    const { actions } = this.choice;
    if (picks.length && actions.length === 1 && actions[0]) void this.choose(actions[0]);
    if (this.#selected() !== this.#marked) void this.refresh();
  }

  /** The piece that the service is to mark as selected: the first one that was pointed at. */
  #selected(): string | undefined {
    const [first] = this.#picks;
    return first && "piece" in first ? first.piece : undefined;
  }

  async #listActions(newest: bigint): Promise<void> {
    if (!this.isPlayer || (this.#actions.length && this.#actionsVersion >= newest)) return;
    const found: Action[] = [];
    let pageToken = "";
    let version = 0n;
    do {
      const request = { matchId: this.matchId, pageSize: PAGE, pageToken };
      const page = await persistently(() => this.service.play.listActions(request));
      found.push(...page.actions.filter(({ verb }) => verb !== RESIGN));
      ({ version, nextPageToken: pageToken } = page);
    } while (pageToken && found.length < MOST_ACTIONS);
    if (version !== this.#actionsVersion) {
      this.#picks = [];
      this.preview = undefined;
      this.opened = undefined;
    }
    this.#actions = found;
    this.#actionsVersion = version;
  }

  #group(group: string): Promise<{ actions: Action[] }> {
    return this.service.play.listActions({ matchId: this.matchId, group, pageSize: PAGE });
  }

  async #attempt<T, F>(call: () => Promise<T>, otherwise: F): Promise<T | F> {
    try {
      return await call();
    } catch (failure) {
      const error = failure instanceof Error ? failure : asEmethError(failure);
      this.#set({ trouble: (error as EmethError).rawMessage || error.message });
      return otherwise;
    }
  }

  #set(what: Partial<Mutable>): void {
    Object.assign(this, what);
    this.dispatchEvent(new globalThis.Event("change"));
  }
}

type Mutable = Pick_<
  MatchView,
  "match" | "permissions" | "shown" | "line" | "trouble" | "at" | "preview" | "opened" | "busy"
>;
type Pick_<T, K extends keyof T> = { [P in K]: T[P] };

function shown(scene: GetSceneResponse): Shown {
  return {
    version: scene.version,
    svg: scene.drawing.case === "svg" ? scene.drawing.value : "",
    asks: scene.asks,
    over: scene.result !== undefined,
    announcements: scene.announcements,
  };
}

function same(pick: Pick, spot: Spot): boolean {
  return !("verb" in pick) && pick.piece === spot.piece && pick.space === spot.space;
}
