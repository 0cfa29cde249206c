/** Builds the judge: one script and one style sheet, from which its one file is made too. */

import { defineConfig } from "vite";
import { matchChecks } from "./vite.match_checks.ts";

export default defineConfig({
  plugins: [matchChecks()],
  root: "judge",
  base: "./",
  publicDir: false,
  // A page from a disk may start a classic worker alone, from a script that it has in itself.
  worker: { format: "iife" },
  build: {
    outDir: process.env["EMETH_JUDGE"] ?? "../../build/judge",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 4_000,
    rolldownOptions: {
      output: {
        codeSplitting: false,
        entryFileNames: "assets/judge.js",
        assetFileNames: "assets/judge[extname]",
      },
    },
  },
});
