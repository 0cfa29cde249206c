/** What projections/views/replay/*.js checks of a match without its rules: see vite.config.ts. */

declare module "match-checks" {
  interface Key {
    name: string;
    id: Uint8Array;
    raw: Uint8Array;
  }

  interface Checkpoint {
    origin: string;
    size: number;
    root: Uint8Array;
  }

  export interface MatchCheck {
    name: string;
    state: "holds" | "fails" | "open" | "nothing";
    text: string;
    findings: readonly { version: number; why: string }[];
  }

  /** All checks of an exported file, in the order in which people want to know. */
  export function checkMatch(
    match: { raw: Uint8Array; proof?: { key: string; text: string } },
    progress?: (done: number, all: number) => void,
  ): Promise<MatchCheck[]>;
  /** The log as a signed checkpoint tells of it. Throws what is wrong, in words. */
  export function checkpointOf(key: Key, note: string, signatures: boolean): Promise<Checkpoint>;
  /** Does this browser know Ed25519? */
  export function knowsEd25519(): Promise<boolean>;
  /** The lines of a note with so many of them, and one signature of this key. */
  export function opened(key: Key, note: string, count: number, signatures: boolean): Promise<string[]>;
  /** The public key in a line of text. */
  export function readKey(text: string): Promise<Key>;
  /** Where in which log a proof shows that this digest is. Throws what is wrong, in words. */
  export function provenPlace(
    key: Key,
    proof: string,
    digest: string,
    signatures: boolean,
  ): Promise<Checkpoint & { index: number }>;
  /** The root of a tree to which the path leads from a leaf, if it is as long as is due. */
  export function rootFrom(
    leaf: Uint8Array,
    index: number,
    path: readonly Uint8Array[],
    size: number,
  ): Promise<Uint8Array | null>;
  export function same(one: Uint8Array, other: Uint8Array): boolean;
  export function sha256(...parts: (Uint8Array | readonly number[])[]): Promise<Uint8Array>;
  export function toHex(bytes: Uint8Array): string;
}
