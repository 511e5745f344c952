/** Runs against the installed chart library. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { INDICATORS } from "../src/web/features/chart/preferences.ts";
import { withUsedParts } from "./chart-parts.ts";

const LIBRARY = fileURLToPath(new URL("index.esm.js", import.meta.resolve("klinecharts")));

interface Library {
  readonly getSupportedIndicators: () => string[];
  readonly getSupportedOverlays: () => string[];
}

afterEach(() => vi.unstubAllGlobals());

test("the chart knows the indicators that the page offers, and no drawing tools of its own", async () => {
  // The library reads it while loading, to detect the platform's keys.
  vi.stubGlobal("window", { navigator: { userAgent: "", platform: "" } });
  const directory = await mkdtemp(join(tmpdir(), "chart-parts-"));
  try {
    const file = join(directory, "klinecharts.mjs");
    await writeFile(file, withUsedParts(await readFile(LIBRARY, "utf8")));
    const library = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Library;
    expect(library.getSupportedIndicators().toSorted()).toEqual([...INDICATORS].toSorted());
    expect(library.getSupportedOverlays()).toEqual([]);
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("a library that registers its parts differently is refused", () => {
  expect(() => withUsedParts("registerAll(indicators);")).toThrow(/klinecharts/);
});
