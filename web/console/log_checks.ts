/** Checks of a service's log by what this browser kept of it: nothing here trusts the service. */

import {
  checkpointOf,
  knowsEd25519,
  opened,
  provenPlace,
  readKey,
  rootFrom,
  same,
  sha256,
  toHex,
} from "match-checks";
import { asEmethError, type Emeth } from "../client/index.ts";
import { keepCheckpoint, type KeptReceipt, keptCheckpoints } from "./kept.ts";

/** What one check came to, in words. */
export interface Checked {
  state: "holds" | "fails" | "open";
  text: string;
}

const UNSIGNED = "This browser does not support Ed25519, so signatures are not checked.";
const events = (count: number): string => `${count} ${count === 1 ? "event" : "events"}`;

/** The log as it is signed now, against the last time; what is sound is kept for the next time. */
export async function checkLog(service: Emeth): Promise<Checked[]> {
  const { checkpoint: note, verifierKey } = await service.audit.getCheckpoint({});
  const signatures = await knowsEd25519();
  const key = await readKey(verifierKey);
  const kept = await keptCheckpoints();
  const strange = kept.length > 0 && !kept.some((each) => each.key === verifierKey);
  if (strange) {
    const text = `The service's signing key has changed: now ${verifierKey}, previously ${kept[0]?.key}.`;
    return [{ state: "fails", text }];
  }
  const now = await checkpointOf(key, note, signatures);
  const said = `${key.name} signed a log of ${events(now.size)}.`;
  const found: Checked[] = [
    { state: signatures ? "holds" : "open", text: signatures ? said : `${said} ${UNSIGNED}` },
  ];
  const [before] = kept;
  if (before) {
    const then = await checkpointOf(key, before.note, signatures);
    const when = new Date(before.at).toLocaleString();
    if (!(await extended(service, then, now))) {
      const text = `The log was rewritten: it no longer begins with the ${events(then.size)} checked on ${when}.`;
      return [...found, { state: "fails", text }];
    }
    found.push({ state: "holds", text: `The log still begins with the ${events(then.size)} checked on ${when}.` });
  } else {
    found.push({ state: "open", text: "This browser now remembers this checkpoint. The next check shows whether the log was rewritten." });
  }
  await keepCheckpoint({ key: verifierKey, note, at: Date.now() });
  return found;
}

interface Log {
  size: number;
  root: Uint8Array;
}

async function extended(service: Emeth, then: Log, now: Log): Promise<boolean> {
  if (now.size < then.size) return false;
  if (now.size === then.size) return same(now.root, then.root);
  const { hashes } = await service.audit.getProof({
    proofTarget: { case: "extendedSize", value: String(then.size) },
    logSize: String(now.size),
  });
  return extendsLog(then, now, hashes);
}

/** Is the later log the earlier one with more behind it? RFC 9162, section 2.1.4.2. */
export async function extendsLog(then: Log, now: Log, hashes: readonly Uint8Array[]): Promise<boolean> {
  const { size: old } = then;
  if (old === now.size) return hashes.length === 0 && same(then.root, now.root);
  if (old === 0) return hashes.length === 0 && same(then.root, await sha256());
  const path = Number.isInteger(Math.log2(old)) ? [then.root, ...hashes] : [...hashes];
  const [first, ...rest] = path;
  if (!first) return false;
  const half = (number: number): number => Math.floor(number / 2); // `>>` would cut at 32 bits
  let [place, last] = [old - 1, now.size - 1];
  while (place % 2) [place, last] = [half(place), half(last)];
  let [before, after] = [first, first];
  for (const step of rest) {
    if (last === 0) return false;
    if (place % 2 || place === last) {
      before = await sha256([1], step, before);
      after = await sha256([1], step, after);
      while (place && place % 2 === 0) [place, last] = [half(place), half(last)];
    } else {
      after = await sha256([1], after, step);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && same(before, then.root) && same(after, now.root);
}

/** A receipt: is it signed by the service's key, and is its event in the log that is signed now? */
export async function checkReceipt(
  service: Emeth,
  receipt: KeptReceipt,
  verifierKey: string,
): Promise<Checked> {
  const { matchId, version, digest } = receipt;
  const signatures = await knowsEd25519();
  const key = await readKey(verifierKey);
  try {
    const text = await signedText(receipt);
    const note = `${text}\n\u2014 ${receipt.keyName} ${receipt.signature}\n`;
    await opened(key, note, receipt.group ? 3 : 4, signatures);
  } catch (failure) {
    return { state: "fails", text: `The receipt does not have a valid signature of the service: ${(failure as Error).message}.` };
  }
  try {
    const proofTarget = { case: "event", value: { matchId, version } } as const;
    const { proof } = await service.audit.getProof({ proofTarget });
    const { index, size } = await provenPlace(key, proof, digest, signatures);
    const text = `The log has this as event ${index + 1} of ${size}.`;
    return signatures ? { state: "holds", text } : { state: "open", text: `${text} ${UNSIGNED}` };
  } catch (failure) {
    const { message } = failure as Error;
    if (asEmethError(failure).reason === "CHECKPOINT_PENDING") {
      return { state: "open", text: "The next checkpoint will include this event. Check again in ten seconds." };
    }
    return { state: "fails", text: `The log no longer has this event: ${message}.` };
  }
}

/** What was signed for a receipt: its own text, or the root of the tree of those signed together. */
async function signedText({ matchId, version, digest, group }: KeptReceipt): Promise<string> {
  const text = `emeth receipt\n${matchId}\n${version}\n${digest}\n`;
  if (!group) return text;
  const root = await rootFrom(new TextEncoder().encode(text), group.index, group.path, group.size);
  if (!root) throw new Error("the receipt's Merkle path does not match its index");
  return `emeth receipts\n${group.size}\n${toHex(root)}\n`;
}
