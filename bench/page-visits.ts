/** Measurements in the browser for `bench/pages.ts`. */
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import type { Trader } from "./page-trader.ts";

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SLOWED_DOWN = 4;
/** Wait after a first visit: requests that pages begin later are not part of their start. */
const SETTLED_MS = 5_000;
/** Limit for a page to show the expected content. */
const PATIENCE_MS = 60_000;
const LONG_MS = 50;
/** Wait before the first minute is measured: the start of the page does not count. */
const STARTED_MS = 15_000;
const MINUTE_MS = 60_000;

/** Recorded by the page itself: all times in milliseconds since the navigation. */
interface Measured {
  bookMs: number | null;
  chartMs: number | null;
  /** Start and duration of tasks over 50 ms. */
  readonly longTasks: [number, number][];
  shift: number;
}

declare global {
  interface Window {
    measured: Measured;
  }
}

/** Runs in the page before its own scripts; records the measurements. */
function measure(): void {
  const measured: Measured = { bookMs: null, chartMs: null, longTasks: [], shift: 0 };
  window.measured = measured;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      measured.longTasks.push([startTime, duration]);
    }
  }).observe({ type: "longtask", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { hadRecentInput, value } = entry as unknown as LayoutShift;
      if (!hadRecentInput) measured.shift += value;
    }
  }).observe({ type: "layout-shift", buffered: true });
  const candles = 'section[aria-label^="Candles."]';
  const isBookThere = () => document.querySelector('[data-side="bid"] [data-level="0"]') !== null;
  const isChartThere = () =>
    document.querySelector(`${candles} canvas`) !== null &&
    document.querySelector(`${candles} ~ output`) === null;
  let book = false;
  let chart = false;
  // Content found in one animation frame has been painted by the next one.
  const look = () => {
    if (book) measured.bookMs ??= performance.now();
    if (chart) measured.chartMs ??= performance.now();
    book ||= isBookThere();
    chart ||= isChartThere();
    if (measured.bookMs === null || measured.chartMs === null) requestAnimationFrame(look);
  };
  if (location.pathname === "/trade") requestAnimationFrame(look);
}

interface LayoutShift {
  readonly value: number;
  readonly hadRecentInput: boolean;
}

async function contextFor(
  browser: Browser,
  url: string,
  user: Trader | null,
  viewport: { width: number; height: number },
): Promise<BrowserContext> {
  const isPhone = viewport === PHONE;
  const context = await browser.newContext({ viewport, isMobile: isPhone, hasTouch: isPhone });
  const cookies = user?.cookies ?? [];
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, url })));
  await context.addInitScript(measure);
  return context;
}

export interface Start {
  readonly bookMs: number;
  readonly chartMs: number;
}

/** Opens the trade page repeatedly with all of its files in the browser's cache. */
export async function startTrade(
  browser: Browser,
  url: string,
  user: Trader,
  runs: number,
): Promise<Start[]> {
  const context = await contextFor(browser, url, user, WIDE);
  const starts: Start[] = [];
  // The first two runs fill the caches of browser and server.
  for (let run = -2; run < runs; run += 1) {
    const page = await context.newPage();
    await page.goto(`${url}/trade`, { waitUntil: "commit" });
    await page.waitForFunction(
      () => window.measured.bookMs !== null && window.measured.chartMs !== null,
      undefined,
      { timeout: PATIENCE_MS },
    );
    const { bookMs, chartMs } = await page.evaluate(() => window.measured);
    // The browser caches compiled code only after a page has been used for a while.
    await delay(run < 0 ? SETTLED_MS : 500);
    await page.close();
    if (run >= 0 && bookMs !== null && chartMs !== null) starts.push({ bookMs, chartMs });
  }
  await context.close();
  return starts;
}

export interface Visit {
  readonly blockingMs: number;
  readonly shift: number;
  /** Compressed size. */
  readonly scriptBytes: number;
}

/** A first visit on a slow phone, with nothing in the browser's cache. */
export async function firstVisit(
  browser: Browser,
  address: string,
  user: Trader | null,
): Promise<Visit> {
  const context = await contextFor(browser, new URL(address).origin, user, PHONE);
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    const isScript = (response.headers()["content-type"] ?? "").includes("javascript");
    if (isScript) sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  const devTools = await context.newCDPSession(page);
  await devTools.send("Emulation.setCPUThrottlingRate", { rate: SLOWED_DOWN });
  await page.goto(address, { waitUntil: "load" });
  await delay(SETTLED_MS);
  const { longTasks, shift } = await page.evaluate(() => window.measured);
  const paintMs = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  );
  const blockingMs = longTasks
    .filter(([startMs, durationMs]) => startMs + durationMs > paintMs)
    .reduce((total, [, durationMs]) => total + durationMs - LONG_MS, 0);
  const scriptBytes = (await Promise.all(sizes)).reduce((total, size) => total + size, 0);
  await context.close();
  return { blockingMs, shift, scriptBytes };
}

export interface Minute {
  /** Shares of the minute in which the main thread ran scripts, and any task. */
  readonly scripting: number;
  readonly tasks: number;
  readonly longTasksMs: readonly number[];
  /** Heap after a garbage collection. */
  readonly heapBytes: number;
  readonly nodes: number;
}

/** Measures the open trade page, minute by minute. */
export async function* openTrade(
  browser: Browser,
  url: string,
  user: Trader,
  market: string,
  minutes: number,
): AsyncGenerator<Minute> {
  const context = await contextFor(browser, url, user, WIDE);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  await devTools.send("Performance.enable");
  await page.goto(`${url}/trade?market=${market}`);
  await delay(STARTED_MS);
  await takeLongTasks(page);
  for (let minute = 0; minute < minutes; minute += 1) {
    const before = await metricsOf(devTools);
    await delay(MINUTE_MS);
    const after = await metricsOf(devTools);
    const longTasksMs = await takeLongTasks(page);
    await devTools.send("HeapProfiler.collectGarbage");
    const clean = await metricsOf(devTools);
    const during = after.Timestamp - before.Timestamp;
    yield {
      scripting: (after.ScriptDuration - before.ScriptDuration) / during,
      tasks: (after.TaskDuration - before.TaskDuration) / during,
      longTasksMs,
      heapBytes: clean.JSHeapUsedSize,
      nodes: clean.Nodes,
    };
    // Discards the long task of our own garbage collection.
    await takeLongTasks(page);
  }
  await context.close();
}

async function takeLongTasks(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    window.measured.longTasks.splice(0).map(([, durationMs]) => durationMs),
  );
}

const METRICS = ["Timestamp", "ScriptDuration", "TaskDuration", "JSHeapUsedSize", "Nodes"] as const;
type Metrics = Record<(typeof METRICS)[number], number>;

async function metricsOf(devTools: CDPSession): Promise<Metrics> {
  const { metrics } = await devTools.send("Performance.getMetrics");
  const byName = new Map(metrics.map(({ name, value }) => [name, value]));
  return Object.fromEntries(METRICS.map((name) => [name, byName.get(name) ?? 0])) as Metrics;
}
