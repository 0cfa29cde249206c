/** What the judge found in a file: the verdict, and each finding with what it means. */

import { html, LitElement, nothing } from "lit";
import { path } from "../console/address.ts";
import type { Finding, Verdict } from "./engine.ts";

/** Findings that are shown before the rest is asked for. */
const FIRST = 20;

class EmethVerdict extends LitElement {
  static override properties = {
    verdict: { attribute: false },
    file: { attribute: false },
    all: { state: true },
  };
  declare verdict: Verdict;
  /** The name of the file. */
  declare file: string;
  declare all: boolean;

  constructor() {
    super();
    this.all = false;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    const { verdict, file } = this;
    const { findings, sound } = verdict;
    const shown = this.all ? findings : findings.slice(0, FIRST);
    return html`<section class="verdict ${sound ? "sound" : "unsound"}" aria-labelledby="verdict">
      <h2 id="verdict" tabindex="-1">${sound ? "Sound" : `Not sound: ${counted(findings.length, "finding")}`}</h2>
      <p class="note">${file}</p>
      ${sound ? this.#sound(verdict) : nothing}
      <ol class="findings">${shown.map((each) => this.#finding(each))}</ol>
      ${
        shown.length < findings.length
          ? html`<button @click=${() => (this.all = true)}>All ${findings.length} findings</button>`
          : nothing
      }
      ${this.#way(verdict)}
    </section>`;
  }

  #sound(verdict: Verdict) {
    const { events, game, unproven_draws: open, taps, lost_taps: lost } = verdict;
    return html`<p>
        ${counted(events, "event")} of a match of ${game}: every action is allowed, and every
        consequence and ruling is the one that the rules give. Nothing was changed since it was signed.
      </p>
      <dl class="facts">
        <dt>Signed by</dt>
        <dd>${verdict.signed_by}<br /><code>${verdict.key}</code></dd>
        ${open ? html`<dt>Draws</dt><dd>${counted(open, "draw")} can be checked when the seed is revealed</dd>` : nothing}
        ${taps ? html`<dt>Taps</dt><dd>${counted(taps, "tap")}, proven to be in the log</dd>` : nothing}
        ${lost ? html`<dt>Lost taps</dt><dd>${counted(lost, "tap")} that actions name are lost</dd>` : nothing}
      </dl>
      <p class="note">
        The judge cannot tell whose key this is: compare it with the one that the service shows
        (<code>emeth checkpoint --key</code>). With a key that you do not know, nobody vouches for what was drawn.
      </p>`;
  }

  #finding(found: Finding) {
    const { version } = found;
    const shown = version > 0 && version <= this.verdict.shown_until;
    const place = version ? `Event ${version}` : "The file";
    return html`<li>
      <h3>
        ${shown ? html`<a href=${path({ match: this.verdict.match_id, at: BigInt(version) })}>${place}</a>` : place},
        ${found.check}
      </h3>
      <p>${found.sentence}</p>
      <p class="note">${found.meaning}</p>
      ${
        found.rule
          ? html`<p class="note"><code>${found.rule}</code> ${found.rule_meaning}
              ${found.rule_source ? html`(${found.rule_source})` : nothing}</p>`
          : nothing
      }
    </li>`;
  }

  #way({ shown_until: until, match_id: match, findings }: Verdict) {
    if (!until) return html`<p class="note">Nothing of the match can be shown.</p>`;
    const whole = findings.every(({ version }) => version <= until);
    return html`<p>
      <a class="button main" href=${path({ match, at: 1n })}>
        ${whole ? "Look at the match" : `Look at the match up to event ${until}`}
      </a>
    </p>`;
  }
}

function counted(number: number, one: string): string {
  return `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;
}

customElements.define("emeth-verdict", EmethVerdict);
