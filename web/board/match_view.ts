/**
 * One match as one viewer sees it and acts in it: what elements draw. It follows its source by one
 * stream, holds the choice of an action, and tells who listens of every change. It knows no game.
 */

import {
  type Action,
  asEmethError,
  type ConditionalMoves,
  type EmethError,
  type Event,
  type LegalActions,
  type Match,
  type MatchEvent,
  type Permission,
  type Prompt,
  ProposalDecision,
  type SubmitActionResponse,
  type View,
} from "../client/index.ts";
import { Narrowing, type Pick, type Spot } from "./narrowing.ts";
import type { ServiceSource } from "./service_source.ts";
import { isTurned, keepTurned } from "./turning.ts";

/** The word for seats' tokens that are not a seat's. */
const ONLOOKERS = new Set(["spectator", "referee", ""]);
const MOST_ACTIONS = 2_500;
const NONE: readonly Action[] = [];
/** Drawings of earlier versions that are kept, so that stepping through them does not wait. */
const MOST_KEPT = 120;
/** The verb of giving up, which has a button of its own. */
const RESIGN = "resign";
/** Narrower than this, drawings for phones are asked for. */
export const NARROW_PX = 640;

/** A drawing, with what is asked in it. */
export interface Shown {
  version: number;
  svg: string;
  prompts: readonly Prompt[];
  over: boolean;
  announcements: readonly string[];
}

/** An action that is about to be taken, with what would come of it. */
export interface Preview {
  action: Action;
  outcome?: SubmitActionResponse["outcome"];
  /** It was confirmed: it is shown as done, until the source says so or refuses it. */
  taken?: boolean;
}

export type Line = "opening" | "up" | "lost";

/**
 * Fires `change` whenever anything of it is different, and `ended` with an EmethError if it cannot
 * go on, as when the token is not good any more.
 */
export class MatchView extends EventTarget {
  readonly source: ServiceSource;

  match: Match | undefined;
  events: Event[] = [];
  line: Line = "opening";
  /** What went wrong last, for people. */
  trouble = "";
  /** Why it cannot go on, once it cannot. */
  failure: EmethError | undefined;
  /** An earlier version that is looked at; undefined: the present. */
  at: number | undefined;
  preview: Preview | undefined;
  /** The actions of a group that was opened. */
  opened: { title: string; actions: readonly Action[] } | undefined;
  busy = false;
  /** What the viewer's seat does if others do this or that. */
  conditionalMoves: ConditionalMoves | undefined;
  /** What the viewer may do in this match, whenever it is possible. */
  permissions: ReadonlySet<Permission> = new Set();

  #narrow = globalThis.innerWidth < NARROW_PX;
  #turned: boolean;
  #present: Shown | undefined;
  /** What is shown of the past; what was shown last, while the next is on its way. */
  #past: Shown | undefined;
  readonly #kept = new Map<string, Shown>();
  #looking = false;
  #actions: readonly Action[] = [];
  #actionsVersion = 0;
  /** Are these all that there are? */
  #isListed = true;
  #picks: readonly Pick[] = [];
  /** Ends the stream, to begin another. */
  #anew: AbortController | undefined;
  #closed = false;

  constructor(source: ServiceSource) {
    super();
    this.source = source;
    this.#turned = isTurned(source.matchId);
  }

  get matchId(): string {
    return this.source.matchId;
  }

  /** A seat, `table`, `spectator` or `referee`; empty until it is known. */
  get role(): string {
    return this.source.role;
  }

  /** Follow the match until `close`. */
  async open(): Promise<void> {
    const onLine = (up: boolean): void => this.#onLine(up);
    const onConditionalMoves = (conditionalMoves: ConditionalMoves | undefined): void =>
      this.#set({ conditionalMoves });
    try {
      if (this.role) void this.#learn();
      else this.#set({ permissions: new Set(await this.source.permissions()) });
      void this.#resubmit();
      while (!this.#closed) {
        const { signal } = (this.#anew = new AbortController());
        // The newest event comes once more, with a new drawing.
        const after = this.newest && this.newest - 1;
        const how = { after, narrow: this.#narrow, turned: this.#turned, signal, onLine, onConditionalMoves };
        for await (const news of this.source.watch(how)) this.#happened(news);
        if (!signal.aborted) return;
      }
    } catch (failure) {
      const error = asEmethError(failure);
      this.#set({ line: "lost", trouble: error.rawMessage, failure: error });
      this.dispatchEvent(new CustomEvent("ended", { detail: error }));
    }
  }

  #onLine(up: boolean): void {
    const isBack = up && this.line === "lost";
    this.#set({ line: up ? "up" : "lost" });
    // What nobody could be asked about meanwhile is asked now.
    const { preview } = this;
    if (isBack && preview && !preview.outcome && !preview.taken) void this.choose(preview.action);
  }

  close(): void {
    this.#closed = true;
    this.#anew?.abort();
  }

  async #learn(): Promise<void> {
    const permissions = await this.#attempt(() => this.source.permissions(), []);
    this.#set({ permissions: new Set(permissions) });
  }

  #happened({ event, view }: MatchEvent): void {
    if (!event) return;
    if (event.version > this.newest) this.events = [...this.events, event];
    // Those before the newest come without the rest.
    if (!view?.match) return;
    const { match, actions } = view;
    this.match = match;
    this.#present = { version: event.version, ...shown(view) };
    if (event.version !== this.#actionsVersion) {
      this.#picks = [];
      this.preview = undefined;
      this.opened = undefined;
      this.#actions = [];
      this.#isListed = !actions;
    }
    this.#actionsVersion = event.version;
    if (actions && !this.#actions.length) void this.#list(actions);
    this.#set({});
  }

  // --- what is shown -----------------------------------------------------------------------------

  get newest(): number {
    return this.events.at(-1)?.version ?? 0;
  }

  /** The drawing: of now, or of the version that is looked at as soon as it is there. */
  get shown(): Shown | undefined {
    return this.at === undefined ? this.#present : (this.#past ?? this.#present);
  }

  /** What the rules want called out now. */
  get announcements(): readonly string[] {
    return this.shown?.announcements ?? [];
  }

  /** The events between two versions, by which one drawing became the other. */
  between(earlier: number, later: number): Event[] {
    return this.events.filter(({ version }) => version > earlier && version <= later);
  }

  set narrow(narrow: boolean) {
    if (narrow === this.#narrow) return;
    this.#narrow = narrow;
    this.#anew?.abort();
    void this.#lookBack();
  }

  /** Is the board seen from across, and not from the viewer's own side? */
  get turned(): boolean {
    return this.#turned;
  }

  /** Turn the board half round, and remember it for this match. */
  set turned(turned: boolean) {
    if (turned === this.#turned) return;
    this.#turned = turned;
    keepTurned(this.matchId, turned);
    this.#set({});
    this.#anew?.abort();
    void this.#lookBack();
  }

  /** Look at an earlier version, or at the present. */
  look(version: number | undefined): void {
    const at = version !== undefined && version >= this.newest ? undefined : version;
    if (at === this.at) return;
    if (this.at === undefined) this.#past = this.#present;
    this.#picks = [];
    this.#set({ at, preview: undefined, opened: undefined });
    void this.#lookBack();
  }

  /** Have the drawing of the version that is looked at; one is asked for at a time. */
  async #lookBack(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.at !== undefined && !this.#closed) {
        const { at } = this;
        const [narrow, turned] = [this.#narrow, this.#turned];
        const past = await this.#drawn(at, narrow, turned);
        const wanted = this.at as number | undefined;
        if (wanted === undefined) break;
        // Whoever steps quickly sees the steps, as far as they come.
        this.#past = past;
        this.#set({});
        if (wanted === at && narrow === this.#narrow && turned === this.#turned) break;
      }
    } catch (failure) {
      this.#set({ trouble: asEmethError(failure).rawMessage });
    } finally {
      this.#looking = false;
    }
  }

  async #drawn(version: number, narrow: boolean, turned: boolean): Promise<Shown> {
    const key = `${version} ${narrow} ${turned}`;
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const found = { version, ...shown(await this.source.scene(version, { narrow, turned })) };
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, found);
    return found;
  }

  // --- what may be done --------------------------------------------------------------------------

  get isPlayer(): boolean {
    return !ONLOOKERS.has(this.role);
  }

  /** What the viewer is asked for; undefined if it is not. */
  get prompt(): Prompt | undefined {
    if (this.at !== undefined || !this.isPlayer) return undefined;
    return this.#present?.prompts.find(({ seat }) => seat === this.role);
  }

  /** The legal actions, and those that the picks leave. */
  get choice(): Narrowing {
    return new Narrowing(this.actions, this.#picks);
  }

  /** The actions that can be chosen from now; the same list until there are others. */
  get actions(): readonly Action[] {
    return this.prompt && !this.preview?.taken ? this.#actions : NONE;
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
    } else {
      this.begin(spot);
    }
  }

  /** Point at something as the first step of a choice; what was chosen before is left. */
  begin(spot: Spot): void {
    if (this.busy || this.opened) return;
    this.#pick(new Narrowing(this.actions).takes(spot) ? [spot] : []);
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
    if (!this.busy) this.#pick([]);
  }

  /** Take an action into view: open its group, or ask what would come of it. */
  async choose(action: Action): Promise<void> {
    if (action.group) {
      const actions = await this.#attempt(() => this.source.group(action.group), []);
      if (actions.length) this.#set({ opened: { title: action.sentence, actions } });
      return;
    }
    this.#set({ preview: { action }, trouble: "" });
    const outcome = await this.#attempt(async () => {
      try {
        return await this.source.preview(action.notation);
      } catch (failure) {
        if (this.line === "lost" && asEmethError(failure).passing) return undefined;
        throw failure;
      }
    }, undefined);
    if (this.preview?.action === action && outcome) {
      this.#set({ preview: { ...this.preview, outcome } });
    }
  }

  /** Leave the action that is in view. */
  cancel(): void {
    const { preview } = this;
    if (this.busy) return;
    this.#set({ preview: undefined });
    // An action that the last pick led to alone would be in view again at once.
    if (preview && this.choice.actions.length === 1) this.#pick(this.#picks.slice(0, -1));
  }

  /** Take the action that is in view. It is shown as done at once, and put back if it is not. */
  async confirm(): Promise<void> {
    const { preview } = this;
    if (!preview || this.busy) return;
    const version = this.#actionsVersion;
    this.#set({ preview: { ...preview, taken: true } });
    const done = await this.command(async () => {
      const outcome = await this.source.submit(preview.action.notation, version);
      if (outcome.case === "refused") throw new Error(outcome.value.why);
    });
    // What was accepted goes when the stream brings it.
    if (!done && this.preview?.action === preview.action) {
      this.#picks = [];
      this.#set({ preview: undefined, opened: undefined });
    }
  }

  /** Take what `draw` says of what chance may show, for as long as the viewer is asked for the like. */
  async drawAll(draw: (actions: readonly Action[]) => Action | undefined): Promise<void> {
    const verb = this.#actions[0]?.verb;
    await this.command(async () => {
      while (!this.#closed && this.prompt?.chance && this.#actions[0]?.verb === verb) {
        const [version, action] = [this.#actionsVersion, draw(this.#actions)];
        if (!action) return;
        const outcome = await this.source.submit(action.notation, version);
        if (outcome.case === "refused") throw new Error(outcome.value.why);
        // The next is asked for by the stream, with all that it may be.
        while (!this.#closed && !(this.#actionsVersion > version && this.#isListed)) await this.#change();
      }
    });
  }

  /** Until anything of it is different. */
  #change(): Promise<void> {
    return new Promise((resolve) => this.addEventListener("change", () => resolve(), { once: true }));
  }

  /** Send what a reload cut off. */
  async #resubmit(): Promise<void> {
    const answer = this.source.resubmit();
    if (!answer) return;
    await this.command(async () => {
      const outcome = await answer;
      if (outcome.case === "refused") throw new Error(outcome.value.why);
    });
  }

  // --- beside actions ----------------------------------------------------------------------------

  /** Accept, reject or withdraw the proposal that waits. */
  respond(decision: ProposalDecision): Promise<boolean> {
    const proposal = this.match?.proposal;
    return this.command(async () => proposal && this.source.respond(proposal, decision));
  }

  /** Make a call that changes the match; what goes wrong is told as `trouble`. Did it go well? */
  async command(call: () => Promise<unknown>): Promise<boolean> {
    this.#set({ busy: true, trouble: "" });
    const done = await this.#attempt(async () => {
      await call();
      return true;
    }, false);
    this.#set({ busy: false });
    return done;
  }

  // --- within ------------------------------------------------------------------------------------

  #pick(picks: readonly Pick[]): void {
    this.#picks = picks;
    this.#set({ preview: undefined, opened: undefined });
    const { actions } = this.choice;
    if (picks.length && actions.length === 1 && actions[0]) void this.choose(actions[0]);
  }

  /** Take the first page of legal actions, and ask for the others. */
  async #list({ version, actions, nextPageToken }: LegalActions): Promise<void> {
    let found = chosenFrom(actions);
    this.#actions = found;
    this.#isListed = !nextPageToken;
    try {
      while (nextPageToken && found.length < MOST_ACTIONS) {
        const page = await this.source.actions(nextPageToken);
        if (version !== this.#actionsVersion) return;
        nextPageToken = page.nextPageToken;
        this.#actions = found = [...found, ...chosenFrom(page.actions)];
        this.#isListed = !nextPageToken;
        this.#set({});
      }
    } catch (failure) {
      // A match that has moved on brings its own.
      if (version === this.#actionsVersion) this.#set({ trouble: told(failure) });
    }
  }

  async #attempt<T, F>(call: () => Promise<T>, otherwise: F): Promise<T | F> {
    try {
      return await call();
    } catch (failure) {
      this.#set({ trouble: told(failure) });
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
  "permissions" | "conditionalMoves" | "line" | "trouble" | "failure" | "at" | "preview" | "opened" | "busy"
>;
type Pick_<T, K extends keyof T> = { [P in K]: T[P] };

/** Giving up is no choice among others. */
function chosenFrom(actions: readonly Action[]): Action[] {
  return actions.filter(({ verb }) => verb !== RESIGN);
}

/** What went wrong, for people. */
function told(failure: unknown): string {
  const error = failure instanceof Error ? failure : asEmethError(failure);
  return (error as EmethError).rawMessage || error.message;
}

function shown({ svg, prompts, result, announcements }: View): Omit<Shown, "version"> {
  return { svg, prompts, over: result !== undefined, announcements };
}

function same(pick: Pick, spot: Spot): boolean {
  return !("verb" in pick) && pick.piece === spot.piece && pick.space === spot.space;
}
