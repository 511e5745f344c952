/** Runs against the installed chart library. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import {
  INITIAL_INDICATORS,
  INDICATOR_NAMES,
} from "../src/web/features/chart/indicators/indicator-names.ts";
import { firstParts, toolsModule } from "./chart-parts.ts";

const LIBRARY = fileURLToPath(new URL("index.esm.js", import.meta.resolve("klinecharts")));

interface Library {
  readonly getSupportedIndicators: () => string[];
  readonly getSupportedOverlays: () => string[];
}

interface Tools {
  readonly indicators: readonly {
    readonly name: string;
    readonly calc: (data: readonly object[], indicator: object) => unknown[];
    readonly calcParams?: readonly number[];
  }[];
  readonly drawings: readonly { readonly name: string }[];
}

afterEach(() => vi.unstubAllGlobals());

async function importSource<Module>(source: string): Promise<Module> {
  const directory = await mkdtemp(join(tmpdir(), "chart-parts-"));
  try {
    const file = join(directory, "module.mjs");
    await writeFile(file, source);
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Module;
  } finally {
    await rm(directory, { recursive: true });
  }
}

test("a first chart knows its first indicators, and no drawing tools", async () => {
  // The library reads it while loading, to detect the platform's keys.
  vi.stubGlobal("window", { navigator: { userAgent: "", platform: "" } });
  const library = await importSource<Library>(firstParts(await readFile(LIBRARY, "utf8")));
  expect(library.getSupportedIndicators().toSorted()).toEqual(INITIAL_INDICATORS.toSorted());
  expect(library.getSupportedOverlays()).toEqual([]);
});

test("the tools have every other indicator, each able to calculate, and the drawing tools", async () => {
  const source = await readFile(LIBRARY, "utf8");
  const { default: tools } = await importSource<{ default: Tools }>(toolsModule(source));
  const { indicators, drawings } = tools;
  const names = indicators.map(({ name }) => name);
  expect([...names, ...INITIAL_INDICATORS].toSorted()).toEqual(INDICATOR_NAMES.toSorted());
  const bars = Array.from({ length: 80 }, (_, index) => ({
    timestamp: index,
    open: 10 + Math.sin(index),
    high: 12 + Math.sin(index),
    low: 8 + Math.sin(index),
    close: 11 + Math.cos(index),
    volume: 5,
    turnover: 50,
  }));
  for (const { name, calc, calcParams = [] } of indicators) {
    const figures = [{ key: "a" }, { key: "b" }, { key: "c" }, { key: "d" }];
    const results = calc(bars, { calcParams, figures });
    expect([name, results.length]).toEqual([name, bars.length]);
  }
  expect(drawings.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["segment", "rayLine", "fibonacciLine", "parallelStraightLine"]),
  );
});

test("the tools are a small part of the library", async () => {
  const source = await readFile(LIBRARY, "utf8");
  expect(toolsModule(source).length).toBeLessThan(source.length / 5);
});

test("a library without the functions that are left out is refused", async () => {
  const source = await readFile(LIBRARY, "utf8");
  const other = source.replace("CrosshairFeatureView.prototype.drawImp", "Other.prototype.draw");
  expect(() => firstParts(other)).toThrow(/klinecharts/);
});

test("a library that registers its parts differently is refused", () => {
  expect(() => firstParts("registerAll(indicators);")).toThrow(/klinecharts/);
});
