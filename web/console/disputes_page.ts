/** The disputes of a match: raising one, and the referee's verdicts, with what they rest on. */

import { timestampDate } from "@bufbuild/protobuf/wkt";
import { html, nothing } from "lit";
import { seatName } from "../board/words.ts";
import {
  type Dispute,
  type Emeth,
  type Event as MatchEvent,
  type Match,
  Permission,
  persistently,
  requestId,
  type Verdict,
  VerdictKind,
} from "../client/index.ts";
import { path } from "./address.ts";
import { Page } from "./page.ts";
import { title } from "./title.ts";
import { ruleLinks } from "./rule_links.ts";
import "./verdict_form.ts";
import { matchLinksTo, roleTabs, type Viewer, viewerOf } from "./viewers.ts";

const PAGE = 500;
/** What was decided, in words. */
const OUTCOMES: Record<VerdictKind, string> = {
  [VerdictKind.UNSPECIFIED]: "",
  [VerdictKind.UPHELD]: "Event upheld",
  [VerdictKind.REVERTED]: "Match reverted",
  [VerdictKind.CORRECTED]: "Position corrected",
};

class EmethDisputesPage extends Page {
  static override properties = {
    ...Page.properties,
    match: { state: true },
    events: { state: true },
    disputes: { state: true },
    permissions: { state: true },
    text: { state: true },
    onlyOpen: { state: true },
    judging: { state: true },
  };
  declare match: Match | undefined;
  declare events: readonly MatchEvent[];
  declare disputes: readonly Dispute[];
  declare permissions: ReadonlySet<Permission>;
  declare text: string;
  declare onlyOpen: boolean;
  /** The dispute that the referee is about to answer. */
  declare judging: number | undefined;
  #viewer: Viewer | undefined;

  constructor() {
    super();
    this.match = undefined;
    this.events = [];
    this.disputes = [];
    this.permissions = new Set();
    this.text = "";
    this.onlyOpen = false;
    this.judging = undefined;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("query") || !this.asked("match")) return;
    const as = this.asked("as");
    // Whoever comes to question an event is a player, others come to see what was decided.
    const better = this.asked("version") ? [] : ["referee"];
    this.#viewer = viewerOf(this.service, this.asked("match"), as, better);
    this.judging = undefined;
    void this.attempt(() => this.#load());
  }

  async #load(least = 0): Promise<void> {
    const viewer = this.#viewer;
    if (!viewer) return;
    const matchId = this.asked("match");
    const at = { matchId, atLeastVersion: least };
    const { match, caller } = await viewer.service.matches.getMatch(at);
    const newest = { matchId, atLeastVersion: match?.version ?? 0 };
    const [events, found] = await Promise.all([
      wholeHistory(viewer.service, newest),
      viewer.service.audit.listDisputes({
        ...newest,
        filter: [
          ...(this.onlyOpen ? ["state = OPEN"] : []),
          ...(this.text ? [`text : ${JSON.stringify(this.text)}`] : []),
        ].join(" AND "),
        pageSize: 200,
      }),
    ]);
    this.match = match;
    this.permissions = new Set(caller?.permissions);
    this.events = events;
    this.disputes = found.disputes;
    title(`Disputes: ${match?.title || match?.caption}`);
  }

  override render() {
    const { match } = this;
    const matchId = this.asked("match");
    if (!matchId) return this.framed("Disputes and verdicts", matchLinksTo("disputes"));
    const role = this.#viewer?.role ?? "";
    return this.framed(
      "Disputes and verdicts",
      [
        roleTabs("disputes", matchId, role),
        match ? html`<p>${match.title ? `${match.title}: ` : ""}${match.caption}</p>` : nothing,
        this.permissions.has(Permission.CREATE_DISPUTE) ? this.#raising() : nothing,
        match ? this.#list() : nothing,
      ],
      html`<a class="button" href=${path({ match: matchId, as: role })}>Back to the match</a>`,
    );
  }

  #raising() {
    const asked = this.asked("version");
    return html`<details class="raise" ?open=${asked !== ""}>
      <summary>Dispute an event</summary>
      <form @submit=${this.#raise}>
        <div class="field">
          <label for="event">Event</label>
          <select id="event" name="event" required>
            ${[...this.events].reverse().map(
              ({ version, sentence }) => html`<option value=${version} ?selected=${String(version) === asked}>
                ${version}: ${sentence}</option>`,
            )}
          </select>
        </div>
        <div class="field">
          <label for="reason">Reason</label>
          <textarea id="reason" name="reason" rows="3" maxlength="1000" required></textarea>
        </div>
        <p class="row"><button class="main" ?disabled=${this.busy}>Open dispute</button>
          ${
            this.match?.pauseOnDispute
              ? html`<span class="note">The match pauses until the referee gives a verdict.</span>`
              : nothing
          }</p>
      </form>
    </details>`;
  }

  #raise = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const value = (name: string): string => (form.elements.namedItem(name) as HTMLInputElement).value;
    const request = {
      requestId: requestId(),
      matchId: this.asked("match"),
      version: Number(value("event")),
      reason: value("reason"),
    };
    const { audit } = this.#viewer?.service ?? this.service;
    const raised = await this.attempt(() => persistently(() => audit.createDispute(request)));
    if (!raised) return;
    form.reset();
    await this.attempt(() => this.#load(raised.dispute?.number));
  };

  #list() {
    const search = (event: Event): void => {
      this.text = (event.target as HTMLInputElement).value;
      void this.attempt(() => this.#load());
    };
    const open = (event: Event): void => {
      this.onlyOpen = (event.target as HTMLInputElement).checked;
      void this.attempt(() => this.#load());
    };
    return html`
      <div class="row filters">
        <label class="wide">Search reasons
          <input type="search" maxlength="200" .value=${this.text} @change=${search} /></label>
        <label class="row"><input type="checkbox" ?checked=${this.onlyOpen} @change=${open} /> Open disputes only</label>
      </div>
      <ol class="disputes">${this.disputes.map((dispute) => this.#dispute(dispute))}</ol>
      ${this.disputes.length ? nothing : html`<p class="note">No disputes</p>`}
    `;
  }

  #dispute(dispute: Dispute) {
    const { version, seat, reason, createTime, verdict } = dispute;
    const match = this.asked("match");
    const as = this.#viewer?.role ?? "";
    const event = this.events.find((each) => each.version === version);
    const current = verdict !== undefined && this.asked("verdict") === String(verdict.version);
    return html`<li class=${verdict ? "" : "open"} aria-current=${current ? "true" : nothing}>
      <p class="row">
        <b>${verdict ? OUTCOMES[verdict.kind] : "Open"}</b>
        <span class="note">${seatName(this.match, seat)}${createTime ? `, ${timestampDate(createTime).toLocaleString()}` : ""}</span>
      </p>
      <p><a href=${path({ match, as, at: version })}>Event ${version}</a>: ${event?.sentence ?? ""}</p>
      <blockquote>${reason}</blockquote>
      ${verdict ? this.#verdict(verdict) : this.#answering(dispute)}
    </li>`;
  }

  #verdict({ version, reason, rules, precedentId }: Verdict) {
    const match = this.asked("match");
    return html`<p><b>Referee's verdict:</b> ${reason}</p>
      <p class="note">
        <a href=${path({ match, at: version })}>Event ${version}</a>, cited as
        <code>${precedentId}</code>
        ${rules.length ? html`; based on ${ruleLinks(rules, this.match?.game ?? "", match)}` : nothing}
      </p>`;
  }

  #answering(dispute: Dispute) {
    if (!this.permissions.has(Permission.RESOLVE_DISPUTE)) {
      return html`<p class="note">Waiting for the referee's verdict.</p>`;
    }
    if (this.judging !== dispute.number) {
      return html`<button class="main" @click=${() => (this.judging = dispute.number)}>Resolve dispute</button>`;
    }
    const given = (event: CustomEvent<number>): void => {
      this.judging = undefined;
      void this.attempt(() => this.#load(event.detail));
    };
    return html`<emeth-verdict-form .service=${this.#viewer?.service} .match=${this.match}
      .events=${this.events} .dispute=${dispute} @verdict-given=${given}></emeth-verdict-form>`;
  }
}

async function wholeHistory(
  service: Emeth,
  asked: { matchId: string; atLeastVersion: number },
): Promise<MatchEvent[]> {
  const found: MatchEvent[] = [];
  let pageToken = "";
  do {
    const page = await service.history.listEvents({ ...asked, pageSize: PAGE, pageToken });
    found.push(...page.events);
    pageToken = page.nextPageToken;
  } while (pageToken);
  return found;
}

customElements.define("emeth-disputes-page", EmethDisputesPage);

/** The page for `?page=disputes&match=MATCH&version=EVENT`. */
export function show(service: Emeth, query: URLSearchParams) {
  return html`<emeth-disputes-page .service=${service} .query=${query}></emeth-disputes-page>`;
}
