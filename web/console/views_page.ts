/** Who sees what: a moment of a match as each viewer sees it, and what is hidden from whom. */

import { html, nothing } from "lit";
import { listed, named } from "../board/words.ts";
import {
  type Emeth,
  type ExplainEventResponse,
  type Match,
  type Scene,
} from "../client/index.ts";
import { knowing } from "./codes.ts";
import { note, path } from "./address.ts";
import { words } from "./options.ts";
import { Page, settled } from "./page.ts";
import { title } from "./title.ts";
import "./still.ts";
import { matchLinksTo, roleTabs, type Viewer, viewerOf } from "./viewers.ts";

const REFEREE = "referee";
const SPECTATOR = "spectator";

/** What one viewer sees. */
interface Seen {
  viewer: string;
  svg: string;
  scene: Scene | undefined;
}

class EmethViewsPage extends Page {
  static override properties = {
    ...Page.properties,
    match: { state: true },
    at: { state: true },
    seen: { state: true },
    found: { state: true },
  };
  declare match: Match | undefined;
  /** The version that is looked at. */
  declare at: number;
  /** First the viewer's own, which has all that is compared with it. */
  declare seen: readonly Seen[];
  declare found: ExplainEventResponse | undefined;
  #viewer: Viewer | undefined;

  constructor() {
    super();
    this.match = undefined;
    this.at = 0;
    this.seen = [];
    this.found = undefined;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("query") || !this.asked("match")) return;
    this.#viewer = viewerOf(this.service, this.asked("match"), this.asked("as"), [REFEREE]);
    void this.attempt(() => this.#load());
  }

  async #load(): Promise<void> {
    const { match } = await knowing(this.service, this.asked("match")).matches.getMatch({ matchId: this.asked("match") });
    this.match = match;
    title(`Who sees what: ${match?.title || match?.caption}`);
    const newest = match?.version ?? 1;
    this.at = Math.min(Number(this.asked("at")) || newest, newest);
    await this.#look();
  }

  /** The referee sees as anybody; others see what a spectator does beside what they see. */
  get #viewers(): string[] {
    const role = this.#viewer?.role ?? SPECTATOR;
    const seats = this.match?.seats.map(({ name }) => name) ?? [];
    return role === REFEREE ? [REFEREE, ...seats, SPECTATOR] : [...new Set([role, SPECTATOR])];
  }

  async #look(): Promise<void> {
    const { at } = this;
    const viewer = this.#viewer;
    const matchId = this.asked("match");
    if (!viewer) return;
    const [found, ...seen] = await Promise.all([
      viewer.service.audit.explainEvent({ matchId, version: at }),
      ...this.#viewers.map((each) => see(viewer, matchId, at, each)),
    ]);
    if (at !== this.at) return;
    this.found = found;
    this.seen = seen;
    note({ page: "views", match: matchId, as: this.asked("as") }, { at: String(at) });
  }

  #soon = settled(() => void this.attempt(() => this.#look()), 80);

  #go(to: number): void {
    this.at = Math.max(1, Math.min(to, this.match?.version ?? 1));
    this.#soon();
  }

  override render() {
    const match = this.asked("match");
    if (!match) return this.framed("Who sees what", matchLinksTo("views"));
    const as = this.#viewer?.role ?? "";
    return this.framed(
      "Who sees what",
      [
        roleTabs("views", match, as),
        this.match ? this.#moment(this.match) : nothing,
        this.found ? this.#facts(this.found) : nothing,
        html`<div class="views">${this.seen.map((each) => this.#view(each))}</div>`,
      ],
      html`<a class="button" href=${path({ match, as, at: this.at || 1 })}>Back to the match</a>`,
    );
  }

  #moment({ version, caption, title }: Match) {
    const slide = (event: Event): void => this.#go(Number((event.target as HTMLInputElement).value));
    const step = (by: number, words: string, sign: string) =>
      html`<button aria-label=${words} @click=${() => this.#go(this.at + by)}>${sign}</button>`;
    return html`<p>${title ? `${title}: ` : ""}${caption}</p>
      <div class="row moment">
        ${step(-1, "Previous event", "◀")}
        <input type="range" min="1" max=${version} .value=${String(this.at)} @input=${slide}
          aria-label="Event" aria-valuetext="Event ${this.at}" />
        ${step(1, "Next event", "▶")}
        <span class="note" role="status">Event ${this.at} of ${version}</span>
      </div>`;
  }

  /** Consequences from the event, and who knows of it. */
  #facts({ event, factViewers }: ExplainEventResponse) {
    // What is the rules' bookkeeping has no sentence.
    const facts = (event?.facts ?? []).flatMap(({ sentence }, number) => (sentence ? [{ sentence, number }] : []));
    const told = new Map(factViewers.map((each) => [each.factIndex, new Set(each.viewers)]));
    const columns = factViewers.length ? this.#viewers : [];
    return html`<section aria-label="Event">
      <p><b>${event?.sentence ?? ""}</b></p>
      ${
        facts.length
          ? html`<div class="scrolled" tabindex="0" role="group" aria-label="Consequences"><table>
              <thead><tr><th scope="col">Consequences</th>
                ${columns.map((each) => html`<th scope="col">${named(each)}</th>`)}</tr></thead>
              <tbody>${facts.map(
                ({ sentence, number }) => html`<tr><th scope="row">${sentence}</th>
                  ${columns.map((each) =>
                    told.get(number)?.has(each)
                      ? html`<td aria-label="visible">●</td>`
                      : html`<td class="note" aria-label="hidden">–</td>`,
                  )}</tr>`,
              )}</tbody>
            </table></div>`
          : nothing
      }
    </section>`;
  }

  #view({ viewer, svg, scene }: Seen) {
    const [own] = this.seen;
    const hidden = own?.scene && scene && own.viewer !== viewer ? hiddenFrom(own.scene, scene) : [];
    const isOwn = own?.viewer === viewer;
    const title = isOwn && viewer !== REFEREE ? `${named(viewer)}, you` : named(viewer);
    return html`<figure>
      <h2>${title}</h2>
      <emeth-still .svg=${svg} label="Board as ${named(viewer)} sees it"></emeth-still>
      ${
        isOwn
          ? nothing
          : hidden.length
            ? html`<p class="note">Hidden from ${named(viewer)}:</p>
                <ul class="lines">${hidden.map((line) => html`<li>${line}</li>`)}</ul>`
            : html`<p class="note">Sees the same position.</p>`
      }
    </figure>`;
  }
}

async function see({ role, service }: Viewer, matchId: string, version: number, who: string): Promise<Seen> {
  const pointInTime = { case: "version", value: version } as const;
  const how = { pointInTime, viewer: who === role ? "" : who };
  const { svg, scene } = await service.view(matchId, ["svg", "scene"], how);
  return { viewer: who, svg, scene };
}

/** What one scene tells and another does not: pieces where they lie, and what is known of the rest. */
export function hiddenFrom(whole: Scene, part: Scene): string[] {
  const known = new Map(part.pieces.map((piece) => [piece.id, piece.description]));
  const zones = new Map(whole.zones.map(({ id, name }) => [id, name]));
  const missing = new Map<string, string[]>();
  for (const { id, name, where, description } of whole.pieces) {
    if (known.get(id) === description) continue;
    const place = zones.get(where) ?? words(where);
    missing.set(place, [...(missing.get(place) ?? []), name || words(id)]);
  }
  const lines = [...missing].map(([place, names]) => `${place}: ${listed(names)}`);
  const others = new Map(part.zones.map((zone) => [zone.id, zone.description]));
  for (const { id, name, description } of whole.zones) {
    if (others.get(id) !== description && !missing.has(name)) lines.push(`${name}: ${description}`);
  }
  return lines;
}

customElements.define("emeth-views-page", EmethViewsPage);

/** The page for `?page=views&match=MATCH&at=EVENT`. */
export function show(service: Emeth, query: URLSearchParams) {
  return html`<emeth-views-page .service=${service} .query=${query}></emeth-views-page>`;
}
