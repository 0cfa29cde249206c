/** What went wrong, in words. */

import { asEmethError } from "../client/index.ts";

/** A failure in words: every field that was wrong, or else what was wrong. */
export function told(failure: unknown): string {
  const error = asEmethError(failure);
  const fields = Object.entries(error.fields).map(([name, why]) => `${name}: ${why}`);
  return fields.join("; ") || error.rawMessage;
}
