/**
 * Loaded with `--import` into processes of tests, and so into their threads: what src and test import comes from the
 * bundles of scripts/test-libraries.ts.
 */
import { readdirSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const { TEST_LIBRARIES: directory } = process.env;
if (directory !== undefined) {
  const bundles = new Set(readdirSync(directory, { recursive: true, encoding: "utf8" }));
  const ours = ["../../src/", "../"].map((folder) => new URL(folder, import.meta.url).href);
  registerHooks({
    resolve(specifier, context, next) {
      const file = `${specifier}.js`;
      if (!bundles.has(file) || !ours.some((folder) => context.parentURL?.startsWith(folder)))
        return next(specifier, context);
      return {
        url: pathToFileURL(`${directory}/${file}`).href,
        format: "module",
        shortCircuit: true,
      };
    },
  });
}
