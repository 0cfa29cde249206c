/** Joining by what somebody sent: a link, a code with the id of its match, or a player's own token. */

import { Code } from "@connectrpc/connect";
import { html, LitElement, nothing } from "lit";
import { asEmethError, type Emeth } from "../client/index.ts";
import { path, visit } from "./address.ts";
import { told } from "./failures.ts";
import { keep } from "./tokens.ts";

const MATCH_ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
/** As the service makes them. */
const CODE = /^[\w-]{20,200}$/;
const LINK = "link";
const UNKNOWN = "No match with this ID accepts this code. Check both, or ask for a new code.";

class EmethJoinForm extends LitElement {
  static override properties = {
    service: { attribute: false },
    trouble: { state: true },
    busy: { state: true },
  };
  declare service: Emeth;
  declare trouble: string;
  declare busy: boolean;

  constructor() {
    super();
    this.trouble = "";
    this.busy = false;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return html`<form class="join" @submit=${this.#join}>
      <h2>Join with a link or code</h2>
      <div class="row">
        <label for="join-text" class="unseen">A match link, or a match ID and a code</label>
        <input id="join-text" name="text" required autocomplete="off" spellcheck="false"
          placeholder="https://… or MATCH-ID CODE" />
        <button class="main" ?disabled=${this.busy}>Join</button>
      </div>
      ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
    </form>`;
  }

  #join = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const text = ((event.target as HTMLFormElement).elements.namedItem("text") as HTMLInputElement).value.trim();
    this.busy = true;
    try {
      visit(await this.#way(text));
      this.trouble = "";
    } catch (failure) {
      this.trouble = failure instanceof Unreadable ? failure.message : told(failure);
    } finally {
      this.busy = false;
    }
  };

  /** Where what was typed leads to; its codes are kept. */
  async #way(text: string): Promise<string> {
    const [matchId = ""] = MATCH_ID.exec(text) ?? [];
    const hash = text.includes("#") ? text.slice(text.indexOf("#")) : "";
    if (hash) return path({ match: matchId }) + hash;
    if (!matchId) throw new Unreadable("Enter a match link, or a match ID followed by a code.");
    const code = text.replace(matchId, "").trim();
    if (text.includes("://") || !code) return path({ match: matchId });
    if (!CODE.test(code)) throw new Unreadable("A code has at least 20 characters: letters, digits, - and _ only.");
    keep(matchId, { [await this.#role(matchId, code)]: code });
    return path({ match: matchId });
  }

  /** What a code is good for: a seat, the referee's role, or any seat. */
  async #role(matchId: string, code: string): Promise<string> {
    const { matches } = this.service.with(code);
    const { caller: { invitedRole, role } = { invitedRole: "", role: "" } } = await matches
      .getMatch({ matchId })
      .catch((failure: unknown) => {
        // The service does not say which of the two is wrong: strangers learn nothing of private matches.
        const { code: status } = asEmethError(failure);
        const isUnknown = status === Code.NotFound || status === Code.Unauthenticated;
        throw isUnknown ? new Unreadable(UNKNOWN) : failure;
      });
    return invitedRole || (role === "spectator" ? LINK : role);
  }
}

/** What was typed leads nowhere. */
class Unreadable extends Error {}

customElements.define("emeth-join-form", EmethJoinForm);
