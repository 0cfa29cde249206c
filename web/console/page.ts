/** What the pages beside the match have in common: their frame, and how they tell what went wrong. */

import { html, LitElement, nothing, type TemplateResult } from "lit";
import { ref } from "lit/directives/ref.js";
import { asEmethError, type Emeth } from "../client/index.ts";
import { told } from "./failures.ts";
import "./home_link.ts";
import { mine } from "./mine.ts";
import "./pages.css";
import { serviceLine } from "./service_line.ts";

/** A page for what the address asks for. */
export abstract class Page extends LitElement {
  static override properties = {
    service: { attribute: false },
    query: { attribute: false },
    trouble: { state: true },
    busy: { state: true },
  };
  declare service: Emeth;
  declare query: URLSearchParams;
  /** What went wrong last, for people. */
  declare trouble: string;
  declare busy: boolean;
  /** What went wrong last is that nobody answered. */
  #isUnreached = false;

  constructor() {
    super();
    this.trouble = "";
    this.busy = false;
  }

  /** The page's style sheet is for all of it. */
  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    mine().look("");
    serviceLine.addEventListener("change", this.#line);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    serviceLine.removeEventListener("change", this.#line);
  }

  #line = (): void => {
    if (this.#isUnreached && !serviceLine.isLost) this.trouble = "";
  };

  /** A word of the address; empty if it is not there. */
  protected asked(name: string): string {
    return this.query.get(name) ?? "";
  }

  /** Make calls; what goes wrong is told on the page. */
  protected async attempt<T>(call: () => Promise<T>): Promise<T | undefined> {
    this.busy = true;
    try {
      const answer = await call();
      this.trouble = "";
      return answer;
    } catch (failure) {
      this.trouble = told(failure);
      this.#isUnreached = asEmethError(failure).unreached;
      return undefined;
    } finally {
      this.busy = false;
    }
  }

  /** The frame of the page: its head, what went wrong, and what it has. */
  protected framed(title: string, content: unknown, links: unknown = nothing): TemplateResult {
    return html`
      <header class="page-head">
        <emeth-home-link></emeth-home-link>
        <h1>${title}</h1>
        ${links}
      </header>
      <main class="page">
        ${this.trouble ? html`<p class="trouble" role="alert">${this.trouble}</p>` : nothing}
        ${content}
      </main>
    `;
  }
}

/** One of several, as links side by side. */
export function tabs(
  title: string,
  entries: readonly { name: string; href: string; current: boolean }[],
): TemplateResult {
  return html`<nav class="tabs" aria-label=${title} ${ref((tabs) => showCurrent(tabs))}>
    ${entries.map(
      ({ name, href, current }) =>
        html`<a href=${href} aria-current=${current ? "page" : nothing}>${name}</a>`,
    )}
  </nav>`;
}

const seen = new WeakMap<Element, string>();

/** Where there is no room for all tabs, the one of this page is scrolled to, once. */
function showCurrent(tabs?: Element): void {
  requestAnimationFrame(() => {
    const current = tabs?.querySelector<HTMLAnchorElement>("[aria-current]");
    if (!tabs || !current || seen.get(tabs) === current.href) return;
    seen.set(tabs, current.href);
    tabs.scrollLeft = current.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;
  });
}

/** How many there are: 1 rule, 2 rules. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Calls `what` a moment after the last of several calls. */
export function settled(what: () => void, ms = 200): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(what, ms);
  };
}
