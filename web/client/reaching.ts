/** Signs that a service that was not reached may be reached again: worth trying before the time. */

import type { EmethError } from "./errors.ts";

const signs = new EventTarget();
const SIGN = "reached";

/** Some call has had its answer: whoever waits to try again need not wait on. */
export function reached(): void {
  signs.dispatchEvent(new Event(SIGN));
}

/** So long; less, if the signal says so. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return resting(ms, signal, () => {});
}

/** So long; less, if there is a sign meanwhile, or the signal says so. */
export function pauseUntilReached(ms: number, signal?: AbortSignal): Promise<void> {
  return resting(ms, signal, (end, until) => {
    signs.addEventListener(SIGN, end, until);
    // The network is back, or somebody looks at the page again. Node has neither.
    if (typeof document === "undefined") return;
    addEventListener("online", end, until);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && end(), until);
  });
}

function resting(
  ms: number,
  signal: AbortSignal | undefined,
  listen: (end: () => void, until: { signal: AbortSignal }) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const done = new AbortController();
    const end = (): void => {
      clearTimeout(timer);
      done.abort();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const until = { signal: done.signal };
    signal?.addEventListener("abort", end, until);
    if (signal?.aborted) end();
    else listen(end, until);
  });
}

/**
 * Waits before another attempt: less, if it looks as if nobody had been reached and now is; and at least as long
 * as the service asks for.
 */
export function rest(ms: number, why: EmethError | undefined, signal?: AbortSignal): Promise<void> {
  return why?.reason ? pause(Math.max(ms, why.retryMs), signal) : pauseUntilReached(ms, signal);
}
