/**
 * `node bench/pages.ts`: how fast pages load in a browser, and what they cost while they are open. The
 * server is a process of its own with the simulated market; the tests' browser is used.
 *
 * - `start`: from the navigation to /trade until the book shows and the candles are drawn, with
 *   everything in the browser's cache.
 * - `phone`: blocking time and layout shift of each page on a first visit, 390 px wide, the processor
 *   slowed down four times. Blocking time is what main-thread tasks take beyond 50 ms each after the
 *   first paint.
 * - `open`: scripting, long tasks, heap and nodes of /trade in the liveliest market, minute by minute,
 *   while its user trades.
 *
 * Needs the built pages (`npm run build`).
 *
 *   --parts=start,phone --runs=10 --phone-runs=5 --pages=/,/trade --minutes=10 --orders-per-second=5
 */
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { launchChromium } from "../test/support/chromium.ts";
import { beginServerProcess } from "../test/support/running-server.ts";
import { newTrader, type Trader } from "./page-trader.ts";
import { type Minute, firstVisit, openTrade, startTrade } from "./page-visits.ts";

const PAGES: Readonly<Record<string, "visitor" | "trader" | "admin">> = {
  "/": "visitor",
  "/documents": "visitor",
  "/login": "visitor",
  "/signup": "visitor",
  "/dashboard": "trader",
  "/trade": "trader",
  "/portfolio": "trader",
  "/activity": "trader",
  "/statements": "trader",
  "/settings": "trader",
  "/admin": "admin",
  "/admin/markets": "admin",
  "/admin/users": "admin",
  "/admin/audit": "admin",
};
const ADMIN_EMAIL = "admin@example.com";

const { values: options } = parseArgs({
  options: {
    parts: { type: "string", default: "start,phone" },
    runs: { type: "string", default: "10" },
    "phone-runs": { type: "string", default: "5" },
    pages: { type: "string", default: Object.keys(PAGES).join(",") },
    minutes: { type: "string", default: "10" },
    "orders-per-second": { type: "string", default: "5" },
  },
});
const parts = new Set(options.parts.split(","));
const paths = options.pages.split(",").filter((path) => path in PAGES);

const print = (line = "") => process.stdout.write(`${line}\n`);
const load = () => (loadavg()[0] ?? 0).toFixed(1);
const versionOf = (name: string) =>
  (
    JSON.parse(
      readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), "utf8"),
    ) as { version: string }
  ).version;

const server = await beginServerProcess({
  // Tests run slower markets.
  SIMULATION_PACE_PERCENT: "100",
  ADMIN_EMAIL,
  AUTH_RATE_LIMIT: "off",
  LOG_LEVEL: "error",
});
const browser = await launchChromium();
try {
  print(`machine   ${cpus()[0]?.model.trim()}, ${cpus().length} cores, node ${process.version}`);
  print(`versions  chromium ${browser.version()}, playwright ${versionOf("playwright-core")}`);
  print(`load      ${load()} before the start`);
  const admin = await newTrader(server.url, ADMIN_EMAIL);
  const trader = await newTrader(server.url, "trader@example.com");
  await trader.fillAccount();
  if (parts.has("start")) await reportStarts(browser, trader, Number(options.runs));
  if (parts.has("phone")) {
    await reportPhone(browser, { visitor: null, trader, admin }, Number(options["phone-runs"]));
  }
  if (parts.has("open")) await reportOpen(browser, trader);
} finally {
  await browser.close();
  await server.remove();
}

async function reportStarts(opened: Browser, user: Trader, runs: number): Promise<void> {
  print(`\nstart     ${runs} warm starts of /trade, 1440 px, signed in; load ${load()}`);
  const times = await startTrade(opened, server.url, user, runs);
  print(`  book    ${spread(times.map(({ bookMs }) => bookMs))} ms`);
  print(`  chart   ${spread(times.map(({ chartMs }) => chartMs))} ms`);
}

async function reportPhone(
  opened: Browser,
  users: Readonly<Record<"visitor" | "trader" | "admin", Trader | null>>,
  runs: number,
): Promise<void> {
  print(`\nphone     ${runs} first visits, 390 px, processor slowed down 4 times; load ${load()}`);
  for (const path of paths) {
    const visits = [];
    for (let run = 0; run < runs; run += 1) {
      visits.push(await firstVisit(opened, server.url + path, users[PAGES[path] ?? "visitor"]));
    }
    const blocking = spread(visits.map(({ blockingMs }) => blockingMs));
    const shift = Math.max(...visits.map((visit) => visit.shift));
    const scripts = (Math.max(...visits.map(({ scriptBytes }) => scriptBytes)) / 1000).toFixed(0);
    print(
      `  ${path.padEnd(16)} blocking ${blocking} ms   shift ${shift.toFixed(3)}   scripts ${scripts} KB   load ${load()}`,
    );
  }
}

async function reportOpen(opened: Browser, user: Trader): Promise<void> {
  const minutes = Number(options.minutes);
  const place = await user.liveliestMarket();
  const { market } = place;
  const perSecond = Number(options["orders-per-second"]);
  print(
    `\nopen      /trade in ${market} for ${minutes} minutes, 1440 px, ${perSecond} own orders/s placed and cancelled; load ${load()}`,
  );
  const stopTrading = user.keepTrading(place, perSecond);
  const all: Minute[] = [];
  try {
    for await (const minute of openTrade(opened, server.url, user, market, minutes)) {
      all.push(minute);
      print(
        `  minute ${String(all.length).padStart(2)}   scripting ${percent(minute.scripting)}   tasks ${percent(minute.tasks)}   long tasks ${String(minute.longTasksMs.length).padStart(3)}   heap ${(minute.heapBytes / 1e6).toFixed(1)} MB   nodes ${minute.nodes}   load ${load()}`,
      );
    }
  } finally {
    const count = await stopTrading();
    print(`  own orders ${count}`);
  }
  const long = all.flatMap(({ longTasksMs }) => longTasksMs).toSorted((one, other) => one - other);
  print(`  long tasks ${long.length}, longest ${(long.at(-1) ?? 0).toFixed(0)} ms`);
}

/** Median and range, such as "median 455 (410-612)". */
function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const [least, most] = [sorted.at(0) ?? 0, sorted.at(-1) ?? 0];
  return `median ${median.toFixed(0)} (${least.toFixed(0)}-${most.toFixed(0)})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`.padStart(6);
}
