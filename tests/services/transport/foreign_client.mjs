// A client of the tree over the log that is none of ours: `@sigstore/verify`, which checks what goes into the public
// logs of Sigstore, judges signature and inclusion. Here is only what C2SP's tlog-tiles leaves to a client: which
// hashes of which tiles make a proof.
//
//     node foreign_client.mjs ADDRESS VERIFIER_KEY DIGEST...
//
// Of each digest, in hexadecimal, it prints a line of JSON: its place, the path, and what the verifier says of the
// proof as it is and spoiled in each way that there is (null: it holds).

import { createHash, createPublicKey } from "node:crypto";
import { createRequire } from "node:module";

const require = createRequire(`${process.cwd()}/package.json`);
const { verifyTLogInclusion } = require("@sigstore/verify/dist/tlog/index.js");
const { VerificationError } = require("@sigstore/verify");

const [address, key, ...digests] = process.argv.slice(2);

async function get(path) {
  const found = await fetch(`${address}/tlog/${path}`);
  if (!found.ok) throw new Error(`${path}: ${found.status}`);
  return Buffer.from(await found.arrayBuffer());
}

/** The key of a log, as a signed note's verifier key tells it, in the verifier's own form. */
function authority(line) {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(line);
  const x = Buffer.from(encoded, "base64").subarray(1).toString("base64url");
  return {
    logID: Buffer.from(id, "hex"),
    baseURL: name,
    publicKey: createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } }),
    validFor: { start: new Date(0), end: new Date() },
  };
}

const WIDTH = 256;
const checkpoint = (await get("checkpoint")).toString();
const size = Number(checkpoint.split("\n")[1]);
const kept = new Map();

/** All of a tile that a tree of this size has. */
async function tile(level, index) {
  const hashes = level === "entries" ? size : Math.floor(size / WIDTH ** level);
  const width = Math.min(WIDTH, hashes - index * WIDTH);
  const path = `tile/${level}/${String(index).padStart(3, "0")}${width < WIDTH ? `.p/${width}` : ""}`;
  if (!kept.has(path)) kept.set(path, await get(path));
  return kept.get(path);
}

const join = (left, right) =>
  createHash("sha256").update(Buffer.from([1])).update(left).update(right).digest();

/** A node that is whole: of the highest tile below it. */
async function node(height, index) {
  if (height % 8) return join(await node(height - 1, 2 * index), await node(height - 1, 2 * index + 1));
  const hashes = await tile(height / 8, Math.floor(index / WIDTH));
  return hashes.subarray((index % WIDTH) * 32, (index % WIDTH) * 32 + 32);
}

/** RFC 6962, section 2.1: where so many leaves are split. */
const middle = (leaves) => 2 ** Math.ceil(Math.log2(leaves) - 1);

async function root(first, leaves) {
  const height = Math.log2(leaves);
  if (Number.isInteger(height)) return node(height, first / leaves);
  const left = middle(leaves);
  return join(await root(first, left), await root(first + left, leaves - left));
}

async function proof(index, first = 0, leaves = size) {
  if (leaves === 1) return [];
  const left = middle(leaves);
  return index < first + left
    ? [...(await proof(index, first, left)), await root(first + left, leaves - left)]
    : [...(await proof(index, first + left, leaves - left)), await root(first, left)];
}

/** Where a leaf is, by the bundles of entries: each is its length in two bytes, and itself. */
async function place(leaf) {
  for (let first = 0; first < size; first += WIDTH) {
    const bundle = await tile("entries", first / WIDTH);
    for (let at = 0, index = first; at < bundle.length; at += 2 + bundle.readUInt16BE(at), index++)
      if (bundle.subarray(at + 2, at + 2 + bundle.readUInt16BE(at)).equals(leaf)) return index;
  }
  throw new Error(`no entry is ${leaf.toString("hex")}`);
}

/** What the verifier says: null if all holds. */
function judge(leaf, index, hashes, note, log) {
  const inclusionProof = { logIndex: String(index), hashes, checkpoint: { envelope: note } };
  try {
    verifyTLogInclusion({ canonicalizedBody: leaf, logId: { keyId: log.logID }, inclusionProof }, [log]);
    return null;
  } catch (error) {
    if (error instanceof VerificationError) return error.message;
    throw error;
  }
}

function flipped(bytes) {
  const other = Buffer.from(bytes);
  other[other.length - 1] ^= 1;
  return other;
}

const log = authority(key);
const [origin, , hash, , signed] = checkpoint.split("\n");
const [, name, encoded] = signed.split(" ");
const forged = flipped(Buffer.from(encoded, "base64")).toString("base64");
const x = flipped(Buffer.from(log.publicKey.export({ format: "jwk" }).x, "base64url")).toString("base64url");
const stranger = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });

for (const digest of digests) {
  const leaf = Buffer.from(digest, "hex");
  const index = await place(leaf);
  const path = await proof(index);
  const judged = {
    "as it is": judge(leaf, index, path, checkpoint, log),
    "another signature": judge(leaf, index, path, checkpoint.replace(encoded, forged), log),
    "another name": judge(leaf, index, path, checkpoint.replace(` ${name} `, " other.example "), log),
    "another origin": judge(leaf, index, path, checkpoint.replace(origin, "other.example"), log),
    "another size": judge(leaf, index, path, checkpoint.replace(`\n${size}\n`, `\n${size + 1}\n`), log),
    "another root": judge(
      ...[leaf, index, path, checkpoint.replace(hash, flipped(Buffer.from(hash, "base64")).toString("base64")), log],
    ),
    "another key": judge(leaf, index, path, checkpoint, { ...log, publicKey: stranger }),
    "another leaf": judge(flipped(leaf), index, path, checkpoint, log),
    "another place": judge(leaf, index ^ 1, path, checkpoint, log),
    "another hash": judge(leaf, index, path.with(0, flipped(path[0])), checkpoint, log),
    "a hash less": judge(leaf, index, path.slice(1), checkpoint, log),
  };
  console.log(JSON.stringify({ index, path: path.map((each) => each.toString("hex")), judged }));
}
