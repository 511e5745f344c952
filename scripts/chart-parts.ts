/** Selects the parts of the chart library that the pages include: they use few of them. */
import type { Plugin } from "vite";
import { INDICATORS } from "../src/web/features/chart/preferences.ts";

/** The library's unconditional registration of all its indicators and drawing tools. */
const INDICATOR_LIST = /var extensions\$2 = \[([^\]]*)\];/;
const DRAWING_LIST = /var extensions = \[[^\]]*\];/;

/**
 * Removes what the pages never show: a third of the library's own parts, which the bundler has to
 * keep while they are registered. The chart registers our own drawings itself.
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

/** @throws if the library registers its parts in an unknown way */
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
