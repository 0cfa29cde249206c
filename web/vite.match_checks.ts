/** A plugin for builds of pages that check matches themselves. */

import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/**
 * The checks of a match's file, as a module. They are written as scripts, since a replay has them in
 * itself: one page that works from a disk can have no modules.
 */
export function matchChecks(): Plugin {
  const name = "match-checks";
  const parts = ["proof.js", "chance.js", "check.js"];
  const exported = [
    ...["checkMatch", "checkpointOf", "knowsEd25519", "opened"],
    ...["provenPlace", "readKey", "rootFrom", "same", "sha256", "toHex"],
  ].join();
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const scripts = parts.map((part) => {
        return readFileSync(new URL(`../projections/replay/${part}`, import.meta.url), "utf8");
      });
      return `${scripts.join("")}export { ${exported} };`;
    },
  };
}
