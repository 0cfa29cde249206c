/** Builds the console into the service's folder of files. */

import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";

/**
 * The checks of a match's file, as a module. They are written as scripts, since a replay has them in
 * itself: one page that works from a disk can have no modules.
 */
function matchChecks(): Plugin {
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
        return readFileSync(new URL(`../projections/views/replay/${part}`, import.meta.url), "utf8");
      });
      return `${scripts.join("")}export { ${exported} };`;
    },
  };
}

export default defineConfig({
  plugins: [matchChecks()],
  root: "console",
  base: "./",
  publicDir: false,
  build: {
    outDir: process.env["EMETH_CONSOLE"] ?? "../../services/console",
    emptyOutDir: true,
    target: "es2022",
    // Nothing inline: the page's Content-Security-Policy takes no scripts, styles or data in it.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
});
