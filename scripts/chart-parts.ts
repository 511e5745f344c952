/** Which parts of the chart library are in the pages: the pages offer few of those that it brings. */
import type { Plugin } from "vite";
import { INDICATORS } from "../src/web/features/chart/preferences.ts";

/** How the library registers, at once and for good, every indicator and every drawing tool it has. */
const INDICATOR_LIST = /var extensions\$2 = \[([^\]]*)\];/;
const DRAWING_LIST = /var extensions = \[[^\]]*\];/;

/**
 * Leaves out what the pages never show: a third of the library's own parts, which the bundler has to keep
 * as long as they are registered. Our own drawings are registered by the chart itself.
 */
export function chartParts(): Plugin {
  return {
    name: "chart-parts",
    apply: "build",
    transform: {
      filter: { id: /\/klinecharts\/dist\/index\.esm\.js$/ },
      handler: (code) => ({ code: withUsedParts(code), map: null }),
    },
  };
}

/** @throws where the library registers its parts in another way than this file knows */
export function withUsedParts(library: string): string {
  const listed = INDICATOR_LIST.exec(library)?.[1];
  if (listed === undefined || !DRAWING_LIST.test(library)) {
    throw new Error("klinecharts registers its parts differently: adapt scripts/chart-parts.ts");
  }
  const offered: readonly string[] = INDICATORS;
  const kept = listed
    .split(",")
    .map((variable) => variable.trim())
    .filter((variable) => offered.includes(indicatorName(library, variable)));
  return library
    .replace(INDICATOR_LIST, () => `var extensions$2 = [${kept.join(", ")}];`)
    .replace(DRAWING_LIST, "var extensions = [];");
}

function indicatorName(library: string, variable: string): string {
  const name = new RegExp(`\\nvar ${variable} = \\{\\s*name: '(\\w+)'`).exec(library)?.[1];
  if (name === undefined) throw new Error(`klinecharts: no indicator ${variable}`);
  return name;
}
