/** Keeps the receipt that the service gives for each action of this browser's user. */

import type { Interceptor } from "@connectrpc/connect";
import type { Receipt } from "../client/index.ts";
import { type KeptReceipt, keepReceipt } from "./kept.ts";

/** Looks through all answers for receipts. An action does not fail because its receipt was not kept. */
export const keepReceipts: Interceptor = (next) => async (request) => {
  // This browser reads both forms, and the shared one costs the service less.
  if ("groupReceipt" in request.message) request.message.groupReceipt = true;
  const answer = await next(request);
  const receipt = answer.stream ? undefined : receiptIn(answer.message);
  if (receipt?.signature) {
    const { matchId, version, digest, signature, keyName, group } = receipt;
    const kept: KeptReceipt = { matchId, version: version, digest, signature, keyName, at: Date.now() };
    if (group) kept.group = { size: group.size, index: group.index, path: group.path };
    void keepReceipt(kept).catch((failure: unknown) => console.info(String(failure)));
  }
  return answer;
};

/** The receipt of an answer: in what was accepted, or in a consent. */
function receiptIn(message: object): Receipt | undefined {
  const { outcome, consent } = message as {
    outcome?: { case?: string; value?: { receipt?: Receipt } };
    consent?: { receipt?: Receipt };
  };
  return (outcome?.case === "accepted" ? outcome.value?.receipt : undefined) ?? consent?.receipt;
}
