/** Proofs: what this browser kept of what the service said, and whether a match is what was played. */

import { html, nothing, type TemplateResult } from "lit";
import { checkMatch } from "match-checks";
import {
  type Emeth,
  ExportFormat,
  type Finding,
  FindingKind,
  type Match,
  Permission,
  type VerifyMatchResponse,
} from "../client/index.ts";
import { path } from "./address.ts";
import { type Checked, checkLog, checkReceipt } from "./log_checks.ts";
import { type KeptReceipt, receiptsOf } from "./kept.ts";
import { exported, saved } from "./match_files.ts";
import { counted, Page } from "./page.ts";
import { title } from "./title.ts";
import { ruleLink } from "./rule_links.ts";
import { roleTabs, type Viewer, viewerOf } from "./viewers.ts";

const SIGNS = { holds: "✓", fails: "✗", open: "–", nothing: "–" } as const;
const WORDS = { holds: "valid", fails: "invalid", open: "not checked", nothing: "nothing to check" } as const;
/** What the service checks of a match, for people. */
const CHECKS: Readonly<Record<FindingKind, string>> = {
  [FindingKind.UNSPECIFIED]: "",
  [FindingKind.CHAIN]: "The hash chain of the events is broken: an event was changed, lost or added.",
  [FindingKind.SIGNATURE]: "A signature does not match.",
  [FindingKind.CHANCE]: "A die or card does not match the seed that was committed to.",
  [FindingKind.FACTS]: "The current rules give other consequences for this action.",
  [FindingKind.RULINGS]: "The current rules give other reasons or figures for this action.",
  [FindingKind.LEGALITY]: "The current rules do not allow this action.",
  [FindingKind.POSITION]: "The recorded position does not follow from the events.",
  [FindingKind.TAPS]: "The recorded stylus taps do not lead to this action.",
  [FindingKind.TIME]: "The recorded clock times are inconsistent.",
};

interface Line extends Checked {
  name: string;
  findings?: readonly { version: number; why: string }[];
}

class EmethProofsPage extends Page {
  static override properties = {
    ...Page.properties,
    match: { state: true },
    mayExport: { state: true },
    log: { state: true },
    receipts: { state: true },
    verified: { state: true },
    file: { state: true },
    progress: { state: true },
  };
  declare match: Match | undefined;
  declare mayExport: boolean;
  /** What was found about the log; undefined before it was asked for. */
  declare log: readonly Checked[] | undefined;
  declare receipts: readonly { receipt: KeptReceipt; checked: Checked | undefined }[];
  declare verified: VerifyMatchResponse | undefined;
  declare file: readonly Line[] | undefined;
  declare progress: string;
  #viewer: Viewer | undefined;

  constructor() {
    super();
    this.match = undefined;
    this.mayExport = false;
    this.log = undefined;
    this.receipts = [];
    this.verified = undefined;
    this.file = undefined;
    this.progress = "";
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("query")) return;
    const match = this.asked("match");
    this.#viewer = viewerOf(this.service, match, this.asked("as"), ["referee"]);
    [this.match, this.log, this.verified, this.file] = [undefined, undefined, undefined, undefined];
    title("Proofs");
    void this.attempt(() => this.#load(match));
  }

  async #load(matchId: string): Promise<void> {
    const found = await receiptsOf(matchId).catch(() => []);
    this.receipts = found.map((receipt) => ({ receipt, checked: undefined }));
    const viewer = this.#viewer;
    if (!matchId || !viewer) return;
    const { match, caller } = await viewer.service.matches.getMatch({ matchId });
    this.match = match;
    this.mayExport = caller?.permissions.includes(Permission.EXPORT) ?? false;
    title(`Proofs: ${match?.title || match?.caption}`);
  }

  override render() {
    const { match } = this;
    const id = this.asked("match");
    const as = this.#viewer?.role ?? "";
    return this.framed(
      "Proofs and files",
      [
        id ? roleTabs("proofs", id, as) : nothing,
        match ? html`<p>${match.title ? `${match.title}: ` : ""}${match.caption}</p>` : nothing,
        globalThis.crypto?.subtle ? this.#kept() : this.#insecure(),
        match ? this.#judged(match) : nothing,
        match ? this.#files() : nothing,
      ],
      id ? html`<a class="button" href=${path({ match: id, as })}>Back to the match</a>` : nothing,
    );
  }

  #insecure() {
    return html`<p class="note">Browsers compute digests on secure pages only: open this one by https, or on
      the machine of the service, to check what it keeps.</p>`;
  }

  /** The log of the service, and the receipts for what was done here. */
  #kept() {
    const check = (): void => void this.attempt(() => this.#checkKept());
    const { receipts } = this;
    return html`<section class="proof" aria-label="Receipts in this browser">
      <h2>Receipts in this browser</h2>
      <p>The service signs for what it records. This browser keeps its word: the receipt of each thing that
        was done here, and how long the log was. So the service cannot change the past unnoticed.</p>
      <p class="row">
        <button class="main" ?disabled=${this.busy} @click=${check}>Verify log</button>
        <span class="note">${counted(receipts.length, "receipt")} stored${this.match ? " for this match" : ""}</span>
      </p>
      ${this.log ? html`<ul class="checks">${this.log.map((each) => line("Log", each))}</ul>` : nothing}
      ${
        receipts.length
          ? html`<ul class="checks">${receipts.slice(-100).map(({ receipt, checked }) => this.#receipt(receipt, checked))}</ul>`
          : nothing
      }
    </section>`;
  }

  #receipt({ matchId, version, digest, at }: KeptReceipt, checked: Checked | undefined) {
    const name = html`<a href=${path({ match: matchId, at: version })}>Event ${version}</a>`;
    const text = `${new Date(at).toLocaleString()}, ${digest.slice(0, 12)}…`;
    return line(name, checked ?? { state: "open", text: "" }, html`<span class="note">${text}</span>`);
  }

  async #checkKept(): Promise<void> {
    this.log = await checkLog(this.service);
    const { verifierKey } = await this.service.audit.getCheckpoint({});
    for (const each of this.receipts.slice(-100)) {
      const checked = await checkReceipt(this.service, each.receipt, verifierKey);
      this.receipts = this.receipts.map((other) =>
        other.receipt === each.receipt ? { ...other, checked } : other,
      );
    }
  }

  /** The match, by the service's own rules. */
  #judged({ matchId, game }: Match) {
    const { verified } = this;
    const verify = (): void => {
      void this.attempt(async () => {
        this.verified = await this.#viewer?.service.audit.verifyMatch({ matchId });
      });
    };
    return html`<section class="proof" aria-label="Verification by the rules">
      <h2>Verification by the rules</h2>
      <p>The service reads the match from its log, checks that nothing was changed, and judges every action
        by the rules once more.</p>
      <p><button class="main" ?disabled=${this.busy} @click=${verify}>Verify match</button></p>
      ${
        verified
          ? html`<ul class="checks">
              ${line(
                verified.sound ? "Valid" : counted(verified.findings.length, "finding"),
                { state: verified.sound ? "holds" : "fails", text: `${verified.eventCount} events were verified.` },
              )}
              ${verified.findings.map((each) => this.#finding(each, game))}
            </ul>`
          : nothing
      }
    </section>`;
  }

  #finding({ matchId: match, version, kind, sentence, rule }: Finding, game: string) {
    const name = html`<a href=${path({ match, at: version })}>Event ${version}</a>`;
    return line(name, { state: "fails", text: sentence }, html`<span class="note">${CHECKS[kind]}
      ${rule ? ruleLink(rule, game, match) : nothing}</span>`);
  }

  /** The match as files, and its own file checked here. */
  #files() {
    const { file, match } = this;
    const service = this.#viewer?.service ?? this.service;
    const id = match?.matchId ?? "";
    const save = (words: string, format: ExportFormat) => {
      const write = (): void => void this.attempt(async () => saved(await exported(service, id, format)));
      return html`<button ?disabled=${this.busy} @click=${write}>${words}</button>`;
    };
    return html`<section class="proof" aria-label="Match file">
      <h2>Match file</h2>
      <p>The file of a match has all of its events with their digests and the service's signature, so that
        anybody can check it without the service.</p>
      ${this.mayExport ? nothing : html`<p class="note">This game has hidden information, so only the referee can download its match file.</p>`}
      <p class="row">
        ${
          this.mayExport
            ? html`<button class="main" ?disabled=${this.busy} @click=${() => void this.#checkFile(service, id)}>Verify match file</button>
                ${save("Download match file", ExportFormat.MATCH_FILE)}`
            : nothing
        }
        ${save("Download replay page", ExportFormat.REPLAY_PAGE)}
        ${save("Download transcript", ExportFormat.TRANSCRIPT)}
        ${save("Download score sheet", ExportFormat.SCORE)}
      </p>
      <p class="note" role="status">${this.progress}</p>
      ${
        file
          ? html`<ul class="checks">${file.map((each) =>
              line(each.name, each, each.findings?.map(({ version, why }) =>
                html`<p class="trouble"><a href=${path({ match: id, at: version || 1 })}>Event ${version}</a>: ${why}</p>`)),
            )}</ul>
            <p class="note">This check does not apply the rules of the game. <b>Verify match</b> does.</p>`
          : nothing
      }
    </section>`;
  }

  async #checkFile(service: Emeth, matchId: string): Promise<void> {
    await this.attempt(async () => {
      const { content } = await exported(service, matchId, ExportFormat.MATCH_FILE);
      const raw = new Uint8Array(await content.arrayBuffer());
      const found = await checkMatch({ raw }, (done, all) => {
        this.progress = `Event ${done} of ${all}`;
      });
      this.file = found.map(({ name, state, text, findings }) => ({
        name,
        text: findings.length ? "" : text,
        findings,
        state: state === "nothing" ? "open" : state,
      }));
      this.progress = "";
    });
  }
}

function line(name: unknown, { state, text }: Checked, more: unknown = nothing): TemplateResult {
  return html`<li class=${state}>
    <span class="sign" role="img" aria-label=${WORDS[state]}>${SIGNS[state]}</span>
    <div><b>${name}</b> ${text} ${more}</div>
  </li>`;
}

customElements.define("emeth-proofs-page", EmethProofsPage);

/** The page for `?page=proofs&match=MATCH`, or without a match for all that is kept. */
export function show(service: Emeth, query: URLSearchParams) {
  return html`<emeth-proofs-page .service=${service} .query=${query}></emeth-proofs-page>`;
}
