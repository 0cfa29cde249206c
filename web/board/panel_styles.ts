/** How the panel looks. A page sets the `--emeth-…` properties to have its own colours. */

import { css } from "lit";

export const panelStyles = css`
  :host {
    display: flex; flex-direction: column;
    --ink: var(--emeth-ink, #201b15);
    --faint: var(--emeth-faint, #5c5245);
    --line: var(--emeth-line, #d9cfbf);
    --card: var(--emeth-card, #fffdf9);
    --accent: var(--emeth-accent, #7d4014);
    --on-accent: var(--emeth-on-accent, #fff);
    --bad: var(--emeth-bad, #b00f1d);
    --focus: var(--emeth-focus, #1b46c8);
    color: var(--ink);
    line-height: 1.4;
  }
  @media (prefers-color-scheme: dark) {
    :host {
      --ink: var(--emeth-ink, #f0ede6);
      --faint: var(--emeth-faint, #b9b4a9);
      --line: var(--emeth-line, #3b4049);
      --card: var(--emeth-card, #20242b);
      --accent: var(--emeth-accent, #f0b27a);
      --on-accent: var(--emeth-on-accent, #1b1206);
      --bad: var(--emeth-bad, #ff9aa0);
      --focus: var(--emeth-focus, #8fb0ff);
    }
  }
  p { margin: 0 0 0.5rem; }
  .turn { font-weight: 650; font-size: 1.08rem; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .announcement { color: var(--bad); font-weight: 650; }
  .trouble { color: var(--bad); }
  .note, .cost { color: var(--faint); font-size: 0.88em; }
  /* As large whatever is in it, so that nothing beside the board jumps. */
  .choice { display: flex; flex-direction: column; height: clamp(11rem, 32vh, 22rem); }
  .listed { flex: 1 1 0; min-height: 25%; overflow-y: auto; scrollbar-gutter: stable; }
  .listed:empty { min-height: 0; }
  /* Below what is listed, and never over it. */
  ::slotted(emeth-conditional-moves) { min-height: 2.4rem; overflow-y: auto; }
  .row, .verbs { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; }
  button {
    font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
    border-radius: 0.45rem; min-height: 2.5rem; padding: 0.3rem 0.8rem; cursor: pointer;
  }
  button:hover { border-color: var(--accent); }
  @media (pointer: coarse) { button { min-height: 2.75rem; } .actions li button { min-height: 3rem; } }
  @media (forced-colors: active) { .main { border: 2px solid ButtonText; } .chosen { outline: 1px solid Highlight; } }
  button:focus-visible, summary:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
  button:disabled { opacity: 0.55; cursor: default; }
  .main {
    min-height: 2.75rem; background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 650;
  }
  .bar { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 0.4rem 1rem; margin-bottom: 0.6rem; }
  .tools { display: contents; }
  .tools summary { display: none; }
  .tools::details-content { display: flex; flex-wrap: wrap; gap: 0.4rem; }
  .tools button { background: none; color: var(--faint); font-size: 0.88em; padding: 0.3rem 0.4rem; min-width: 2.3rem; }
  .tools #sound[aria-pressed="false"] { text-decoration: line-through; }
  .verbs button { min-height: 2.1rem; padding: 0.15rem 0.6rem; font-size: 0.92em; }
  summary { cursor: pointer; margin: 0 0 0.4rem; color: var(--faint); padding: 0.2rem 0; }
  ul { list-style: none; margin: 0 0 0.4rem; padding: 0; }
  .actions ul { overflow: clip; border: 1px solid var(--line); border-radius: 0.45rem; }
  .actions li + li { border-top: 1px solid var(--line); }
  .actions li button {
    display: flex; justify-content: space-between; gap: 1rem; width: 100%; text-align: left;
    border: 0; border-radius: 0;
  }
  .actions li button:hover { background: color-mix(in srgb, var(--accent) 12%, var(--card)); }
  .actions li button:focus-visible { outline-offset: -3px; }
  .whole { font-weight: 650; }
  .cost { white-space: nowrap; }
  .preview, .request {
    border: 1px solid var(--accent); border-radius: 0.6rem; padding: 0.7rem 0.8rem;
    background: var(--card); margin: 0 0 0.5rem;
  }
  .preview p:last-child, .request p:last-child { margin-bottom: 0; }
  .chosen { font-weight: 650; }
  .facts { color: var(--faint); padding: 0; max-height: 8.5rem; overflow-y: auto; }
  .facts li { margin: 0.15rem 0; }
  .decide .main { flex: 1; }
  @media (min-width: 60.01rem) { .word { display: none; } }
  @media (max-width: 60rem) {
    .choice { height: auto; max-height: 32vh; }
    .listed { flex: 0 1 auto; min-height: 0; }
    .facts { max-height: 5rem; }
    .past { display: none; }
    .bar { align-items: center; order: 1; margin: 0.6rem 0 0; }
    .tools summary {
      display: block; list-style: none; margin: 0 0 0 auto; padding: 0.45rem 0.8rem;
      border: 1px solid var(--line); border-radius: 0.45rem;
    }
    .tools::details-content { flex: 1 0 100%; }
    .tools button { font-size: 0.92em; padding: 0.3rem 0.7rem; }
    .tools:not([open])::details-content { display: none; }
    .turn { font-size: 1rem; margin-bottom: 0.3rem; }
  }
`;
