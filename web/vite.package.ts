/** Builds all of a package, `client` or `board`, as one module that needs no others, for pages without a bundler. */

import { defineConfig } from "vite";

const name = process.env["EMETH_PACKAGE"] ?? "board";

export default defineConfig({
  publicDir: false,
  build: {
    lib: { entry: `${name}/index.ts`, formats: ["es"], fileName: () => "browser.js" },
    outDir: process.env["EMETH_DIST"] ?? `${name}/dist`,
    emptyOutDir: true,
    target: "es2022",
    minify: true,
  },
});
