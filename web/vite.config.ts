/** Builds the console into the service's folder of files. */

import { defineConfig } from "vite";
import { matchChecks } from "./vite.match_checks.ts";

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
