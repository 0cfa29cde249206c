// Digests, signed notes and the tree over the log, as `docs/export.md` and `docs/proofs.md` say.
const HEX = /^[0-9a-f]{64}$/;
const GENESIS = "0".repeat(64);
const utf8 = new TextEncoder();

/** What a check found; its message is for people. */
class Finding extends Error {}

function demand(holds, why) {
  if (!holds) throw new Finding(why);
}

// --- bytes -----------------------------------------------------------------------------------------

function joined(...parts) {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function fromHex(text) {
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}

/** The bytes in base64, of which each has one spelling only. */
function fromBase64(text) {
  let raw;
  try {
    raw = atob(text);
  } catch {
    raw = null;
  }
  demand(raw !== null && btoa(raw) === text, "it has something that is not base64");
  return Uint8Array.from(raw, (sign) => sign.charCodeAt(0));
}

function same(one, other) {
  return toHex(one) === toHex(other);
}

async function sha256(...parts) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));
}

/** The digest of an event: over the digest before it, and its bytes. */
async function linked(previous, body) {
  return toHex(await sha256(fromHex(previous), body));
}

// --- signatures ------------------------------------------------------------------------------------

/** Does this browser know Ed25519? Found out with the first test key of RFC 8032. */
async function knowsEd25519() {
  const known = fromHex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  try {
    await crypto.subtle.importKey("raw", known, "Ed25519", false, ["verify"]);
    return true;
  } catch {
    return false;
  }
}

/** The public key in a line of text. */
async function readKey(text) {
  const [, name, id, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) ?? [];
  demand(name, "it has no public key");
  const raw = fromBase64(encoded);
  demand(raw.length === 33 && raw[0] === 1, "its key is not an Ed25519 key");
  const due = (await sha256(utf8.encode(`${name}\n`), raw)).slice(0, 4);
  demand(toHex(due) === id, `the id of the key ${name} is not ${id}`);
  return { name, id: due, raw: raw.slice(1) };
}

/** The lines of a note that has this many, and below them the one signature of this key. A browser
 * that does not know Ed25519 reads it unchecked: whoever calls says so. */
async function opened(key, note, count, signatures) {
  const end = note.lastIndexOf("\n\n");
  const [text, below] = [note.slice(0, end + 1), note.slice(end + 2)];
  const [, name, encoded] = /^\u2014 (\S+) (\S+)\n$/.exec(below) ?? [];
  const lines = text.split("\n").slice(0, -1);
  demand(end > 0 && name && lines.length === count, "a signed text is not written as it should be");
  const signature = fromBase64(encoded);
  demand(
    name === key.name && same(signature.slice(0, 4), key.id),
    `it is signed with another key than that of ${key.name}`,
  );
  if (signatures) {
    const verifier = await crypto.subtle.importKey("raw", key.raw, "Ed25519", false, ["verify"]);
    const holds = await crypto.subtle.verify(
      "Ed25519", verifier, signature.slice(4), utf8.encode(text),
    );
    demand(holds, `the signature of ${key.name} does not fit what it signs`);
  }
  return lines;
}

/** The log as a checkpoint tells of it: how many events, and the root of the tree. */
async function checkpointOf(key, note, signatures) {
  const [origin, size, root] = await opened(key, note, 3, signatures);
  demand(origin && /^(0|[1-9]\d*)$/.test(size), "the checkpoint is not written as it should be");
  return { origin, size: Number(size), root: fromBase64(root) };
}

// --- the tree --------------------------------------------------------------------------------------

/** Does the path lead from this leaf to the root of the tree? */
async function included(leaf, index, path, { size, root }) {
  const found = await rootFrom(leaf, index, path, size);
  return found !== null && same(found, root);
}

/** The root to which the path leads from this leaf, if it is as long as is due; else null.
 * RFC 9162, section 2.1.3.2. */
async function rootFrom(leaf, index, path, size) {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < size)) return null;
  const half = (number) => Math.floor(number / 2); // `>>` would cut at 32 bits
  let [place, last, node] = [index, size - 1, await sha256([0], leaf)];
  for (const step of path) {
    if (last === 0) return null;
    if (place % 2 || place === last) {
      node = await sha256([1], step, node);
      while (place && place % 2 === 0) [place, last] = [half(place), half(last)];
    } else {
      node = await sha256([1], node, step);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? node : null;
}

/** Where in which log a proof in the form tlog-proof shows that this digest is. */
async function provenPlace(key, proof, digest, signatures) {
  const end = proof.indexOf("\n\n");
  const [form, place, ...path] = proof.slice(0, end).split("\n");
  const [, index] = /^index (\d+)$/.exec(place ?? "") ?? [];
  demand(form === "c2sp.org/tlog-proof@v1" && index, "the proof is not written as it should be");
  const log = await checkpointOf(key, proof.slice(end + 2), signatures);
  demand(
    await included(fromHex(digest), Number(index), path.map(fromBase64), log),
    `the proof does not lead to the log that ${key.name} signed for`,
  );
  return { ...log, index: Number(index) };
}
