/**
 * `node bench/api.ts`: signed orders over HTTP and over WebSockets, batch cancellations and the depth
 * stream with many subscribers, compared, in alternation, with a server of `node:http` that only parses
 * and answers (api-bare.ts). Orders are answered once they are on disk. The exchange, the bare server,
 * the load and the subscribers are processes of their own; connections stay open, and several requests
 * are in flight on each. Needs the built pages (`npm run build`).
 *
 * After each batch the hash of all traders' open orders must equal that of the orders sent; subscribers
 * must get every update, and the book that they rebuild must equal the answer of `depth`.
 *
 * Rates are by wall-clock time, so other load on the machine lowers them; the main thread's processor
 * time per request shows the cost of the code.
 *
 *   --rounds=5 --orders=20000 --paced-seconds=20 --subscribers=500 --soak-seconds=0
 *   --ways=bare,rest,ws,signedWs (whose rates are measured)
 *   --keep=DIRECTORY (the exchange with its traders, for later runs)
 *   --node-options="--cpu-prof --cpu-prof-dir=/tmp" (options of the exchange's process)
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { createRequire } from "node:module";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { ListenRequest, ListenResult } from "./api-listeners.ts";
import type { LoadRequest, LoadResult } from "./api-load.ts";
import { type Order, orderOf, signedRequest, SYMBOL, type Trader } from "./api-orders.ts";
import {
  Helper,
  METRICS_TOKEN,
  type RunningProcess,
  signUpTraders,
  startBareServer,
  startExchange,
} from "./api-scene.ts";
import { processorTimeOf } from "./processes.ts";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    orders: { type: "string", default: "20000" },
    "paced-seconds": { type: "string", default: "20" },
    subscribers: { type: "string", default: "500" },
    "soak-seconds": { type: "string", default: "0" },
    ways: { type: "string", default: "bare,rest,ws,signedWs" },
    "node-options": { type: "string", default: "" },
    keep: { type: "string" },
  },
});
const rounds = Number(options.rounds);
const orders = Number(options.orders);
const pacedSeconds = Number(options["paced-seconds"]);
const subscribers = Number(options.subscribers);
const soakSeconds = Number(options["soak-seconds"]);
const TRADERS = 64;
const PACED_PER_SECOND = 1_000;
const WARM_UP_ORDERS = 5_000;
/** A connection of HTTP may pipeline eight requests. */
const REST = { over: "rest", connectionsPerTrader: 1, inFlightMax: 2 } as const;
/** A WebSocket may send 100 requests a second, with bursts of 400: a batch has fewer per connection. */
const WS = { over: "ws", connectionsPerTrader: 1, inFlightMax: 2 } as const;
const ORDERS_MAX = 400 * TRADERS;
if (orders > ORDERS_MAX) throw new RangeError(`--orders may be ${ORDERS_MAX} at most`);

type Way = "bare" | "rest" | "ws" | "signedWs";

const WAYS: Readonly<Record<Way, string>> = {
  bare: "bare node:http server",
  rest: "signed orders, REST",
  ws: "orders, WebSocket session",
  signedWs: "signed orders, WebSocket",
};

const print = (line = "") => process.stdout.write(`${line}\n`);
const { version: wsVersion } = createRequire(import.meta.url)("ws/package.json") as {
  version: string;
};
print(`machine   ${cpus()[0]?.model.trim()}, ${cpus().length} cores, node ${process.version}`);
print(`versions  ws ${wsVersion}`);
print(
  `workload  ${rounds} rounds of ${orders} orders each way, of ${TRADERS} traders, with ` +
    `${TRADERS * REST.connectionsPerTrader * REST.inFlightMax} in flight; ${subscribers} subscribers`,
);
print(`load      ${loadavg()[0]?.toFixed(1)} before the start`);

const agent = new Agent({ keepAlive: true });
const dataDir = options.keep ?? (await mkdtemp(join(tmpdir(), "openbell-bench-")));
const load = new Helper("api-load.ts");
const listeners = new Helper("api-listeners.ts");
const running: RunningProcess[] = [];
/** Makes client order ids unique, because a kept exchange remembers those of earlier runs. */
const run = options.keep === undefined ? "" : `-${Date.now().toString(36)}`;
let batches = 0;
try {
  const traders = await tradersIn(dataDir);
  // Started twice: the second start uses the compile cache, as production does.
  const nodeOptions = options["node-options"].split(" ").filter((option) => option !== "");
  const exchange = await startExchange(dataDir, nodeOptions);
  const bare = await startBareServer();
  running.push(exchange, bare);
  const bench = { exchange, bare, traders };
  if (rounds > 0) await measureRates(bench);
  if (pacedSeconds > 0) await measureAnswers(bench);
  if (subscribers > 0) await measureSubscribers(bench);
  if (soakSeconds > 0) await soak(bench);
  print(`load      ${loadavg()[0]?.toFixed(1)} at the end`);
} finally {
  agent.destroy();
  load.stop();
  listeners.stop();
  await Promise.all(running.map((each) => each.stop()));
  if (options.keep === undefined) await rm(dataDir, { recursive: true, force: true });
}

/** The traders of an earlier run in this directory, or new ones. */
async function tradersIn(directory: string): Promise<readonly Trader[]> {
  const file = join(directory, "traders.json");
  if (existsSync(file)) return JSON.parse(await readFile(file, "utf8")) as Trader[];
  const preparing = await startExchange(directory, []);
  running.push(preparing);
  const traders = await signUpTraders(preparing.url, TRADERS);
  await preparing.stop();
  await writeFile(file, JSON.stringify(traders), { mode: 0o600 });
  return traders;
}

interface Bench {
  readonly exchange: RunningProcess;
  readonly bare: RunningProcess;
  readonly traders: readonly Trader[];
}

interface Measured {
  readonly perSecond: number;
  /** Processor time of the server's main thread per request, in microseconds. */
  readonly mainThreadUs: number;
  readonly allThreadsUs: number;
}

/** Alternates between all ways, so that other load on the machine affects all of them. */
async function measureRates(bench: Bench): Promise<void> {
  const ways = options.ways.split(",").filter((way): way is Way => Object.hasOwn(WAYS, way));
  const runs = new Map(ways.map((way) => [way, [] as Measured[]]));
  const cancels: Measured[] = [];
  const hash = createHash("sha256");
  for (const way of ways) await place(bench, way, WARM_UP_ORDERS);
  await cancelAll(bench);
  for (let round = 0; round < rounds; round++) {
    for (const [way, measurements] of runs) {
      const { measured, sent } = await place(bench, way, orders);
      measurements.push(measured);
      hash.update(hashOf(sent));
      if (way !== "bare") cancels.push(await cancelAll(bench, sent));
    }
  }
  print();
  const base = runs.get("bare");
  for (const [way, measurements] of runs) report(WAYS[way], measurements, base);
  report("cancellations, by the batch", cancels, base);
  for (const [way, to] of [
    ["rest", "bare"],
    ["ws", "rest"],
    ["signedWs", "rest"],
  ] as const) {
    const [its, others] = [runs.get(way), runs.get(to)];
    if (its === undefined || others === undefined) continue;
    const ratioOf = (of: (one: Measured) => number) =>
      median(its.map((one, round) => of(one) / of(others[round]))).toFixed(2);
    const [ofRates, ofTimes] = [
      ratioOf(({ perSecond }) => perSecond),
      ratioOf(({ mainThreadUs }) => 1 / mainThreadUs),
    ];
    print(`ratio     ${WAYS[way]} / ${WAYS[to]}: ${ofRates}; by the main thread's time ${ofTimes}`);
  }
  print(`verified  every batch was open as it was sent; hash ${hash.digest("hex").slice(0, 16)}`);
}

function report(name: string, runs: readonly Measured[], base = runs): void {
  const rates = runs.map(({ perSecond }) => perSecond).toSorted((a, b) => a - b);
  const [mainThreadUs, allThreadsUs] = [
    medianOf(runs, (run) => run.mainThreadUs),
    medianOf(runs, (run) => run.allThreadsUs),
  ];
  const middle = median(rates);
  const share = middle / medianOf(base, ({ perSecond }) => perSecond);
  print(
    `${name.padEnd(28)} ${middle.toFixed(0).padStart(6)} /s (${rates[0].toFixed(0)} to ` +
      `${rates.at(-1)?.toFixed(0)}) ${share.toFixed(2)} x; main thread ` +
      `${mainThreadUs.toFixed(1)} us, all threads ${allThreadsUs.toFixed(1)} us each`,
  );
}

/** Places a batch and checks that all of its orders are open. */
async function place(
  { bare, exchange, traders }: Bench,
  way: Way,
  count: number,
  perSecond?: number,
): Promise<{ measured: Measured; result: LoadResult; sent: readonly Order[] }> {
  const server = way === "bare" ? bare : exchange;
  const batch = `${way}${run}-${batches++}`;
  const terms = way === "ws" || way === "signedWs" ? { ...WS, over: way } : REST;
  const asked = { url: server.url, traders, batch, orders: count, perSecond, ...terms };
  const before = processorTimeOf(server.pid);
  const result = await load.ask<LoadResult>(asked satisfies LoadRequest);
  const measured = measuredSince(server, before, result.seconds, count);
  const sent = Array.from({ length: count }, (_, number) => orderOf(batch, number));
  return { measured, result, sent };
}

function measuredSince(
  { pid }: RunningProcess,
  before: ReturnType<typeof processorTimeOf>,
  seconds: number,
  count: number,
): Measured {
  const after = processorTimeOf(pid);
  return {
    perSecond: count / seconds,
    mainThreadUs: ((after.mainThreadSeconds - before.mainThreadSeconds) / count) * 1e6,
    allThreadsUs: ((after.seconds - before.seconds) / count) * 1e6,
  };
}

/**
 * Cancels each trader's open orders with one call, all traders at once.
 * @param sent the orders that must have been open
 */
async function cancelAll({ exchange, traders }: Bench, sent?: readonly Order[]): Promise<Measured> {
  const before = processorTimeOf(exchange.pid);
  const startedMs = performance.now();
  const batches = await Promise.all(
    traders.map(async (trader) => {
      const text = await callAs(exchange, trader, "DELETE", "/api/v3/openOrders");
      return JSON.parse(text) as { origClientOrderId: string; price: string; origQty: string }[];
    }),
  );
  const cancelled = batches.flat().map(({ origClientOrderId, origQty, price }) => ({
    clientOrderId: origClientOrderId,
    price,
    quantity: origQty,
  }));
  const seconds = (performance.now() - startedMs) / 1_000;
  const measured = measuredSince(exchange, before, seconds, cancelled.length);
  if (sent !== undefined && hashOf(cancelled) !== hashOf(sent)) {
    throw new Error(`${cancelled.length} orders were open that are not the ${sent.length} sent`);
  }
  return measured;
}

function hashOf(placed: readonly Order[]): string {
  const lines = placed.map(
    ({ clientOrderId, price, quantity }) => `${clientOrderId} ${Number(price)} ${Number(quantity)}`,
  );
  return createHash("sha256").update(lines.toSorted().join("\n")).digest("hex").slice(0, 16);
}

async function callAs(
  { url }: RunningProcess,
  { address, hmac }: Trader,
  method: string,
  path: string,
): Promise<string> {
  const host = new URL(url).host;
  // Only the target of the request line is used.
  const [, target] = signedRequest(hmac, { method, path, query: `symbol=${SYMBOL}`, host }).split(
    " ",
    2,
  );
  return fetchText(`${url}${target}`, method, { "x-mbx-apikey": hmac.apiKey }, address);
}

/** Rejects with an error unless the status is 200. */
function fetchText(
  url: string,
  method: string,
  headers: Record<string, string>,
  localAddress: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent, localAddress }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("end", () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${method} ${url} answered ${response.statusCode}: ${text}`));
      });
    });
    call.once("error", reject).end();
  });
}

/** Measures answers at a fixed rate, from when an order is due, so that queueing counts. */
async function measureAnswers(bench: Bench): Promise<void> {
  print();
  for (const way of ["bare", "rest", "ws"] as const) {
    const count = PACED_PER_SECOND * pacedSeconds;
    const { measured, result, sent } = await place(bench, way, count, PACED_PER_SECOND);
    if (way !== "bare") await cancelAll(bench, sent);
    const at = (share: number) =>
      `${result.milliseconds[Math.min(count - 1, Math.floor(count * share))].toFixed(2)} ms`;
    print(
      `${WAYS[way].padEnd(28)} at ${PACED_PER_SECOND} /s: p50 ${at(0.5)}, p99 ${at(0.99)}, ` +
        `longest ${at(1)}; main thread ${(measured.mainThreadUs * PACED_PER_SECOND * 1e-4).toFixed(1)} % of a core`,
    );
  }
}

/** Measures the cost of subscribers while orders change the book, as the difference to a run without them. */
async function measureSubscribers(bench: Bench): Promise<void> {
  const { exchange } = bench;
  const seconds = Math.max(5, pacedSeconds);
  const trade = async () => {
    const { measured, result, sent } = await place(
      bench,
      "rest",
      PACED_PER_SECOND * seconds,
      PACED_PER_SECOND,
    );
    const coreShareOf = (us: number) => (us * sent.length) / 1e6 / result.seconds;
    return {
      sent,
      mainThread: coreShareOf(measured.mainThreadUs),
      allThreads: coreShareOf(measured.allThreadsUs),
    };
  };
  const without = await trade();
  await cancelAll(bench, without.sent);
  await listeners.ask({ url: exchange.url, connections: subscribers } satisfies ListenRequest);
  const withThem = await trade();
  // The last changes are sent with the next tick.
  await delay(500);
  const heard = await listeners.ask<ListenResult>("stop");
  await verifyBook(exchange, heard);
  await cancelAll(bench, withThem.sent);
  const again = await trade();
  await cancelAll(bench, again.sent);
  const costOf = (of: (run: typeof without) => number) =>
    `${(100 * (of(withThem) - (of(without) + of(again)) / 2)).toFixed(1)} %`;
  print();
  print(
    `${subscribers} subscribers of depth at 100 ms, ${PACED_PER_SECOND} orders/s: main thread ` +
      `${costOf((run) => run.mainThread)}, all threads ${costOf((run) => run.allThreads)} of a core more than ` +
      `without (main thread ${(100 * without.mainThread).toFixed(1)} % and ${(100 * again.mainThread).toFixed(1)} %); ` +
      `${(heard.messages / seconds).toFixed(0)} messages and ${(heard.bytes / seconds / 1e6).toFixed(1)} MB a second`,
  );
}

type Levels = readonly (readonly [string, string])[];

async function verifyBook({ url }: RunningProcess, { levels }: ListenResult): Promise<void> {
  const address = `${url}/api/v3/depth?symbol=${SYMBOL}&limit=5000`;
  const text = await fetchText(address, "GET", {}, "127.1.0.1");
  const { asks, bids } = JSON.parse(text) as { bids: Levels; asks: Levels };
  const differs = (heard: Levels, book: Levels) => {
    const quantities = new Map(book);
    return heard.some(
      ([price, quantity]) => Number(quantities.get(price) ?? 0) !== Number(quantity),
    );
  };
  if (levels.b.length === 0 || differs(levels.b, bids) || differs(levels.a, asks)) {
    throw new Error("the book of the subscribers is another one than that of the call");
  }
}

/** Places and cancels orders while subscribers connect and disconnect; prints the exchange's memory. */
async function soak(bench: Bench): Promise<void> {
  const { exchange } = bench;
  print();
  const startedMs = performance.now();
  let reportedMs = startedMs;
  let heapMb = Infinity;
  while (performance.now() - startedMs < soakSeconds * 1_000) {
    await listeners.ask({ url: exchange.url, connections: subscribers } satisfies ListenRequest);
    const { sent } = await place(bench, "rest", PACED_PER_SECOND * 4, PACED_PER_SECOND);
    await listeners.ask("stop");
    await cancelAll(bench, sent);
    // Between two collections the heap also contains garbage: its minimum approximates what is retained.
    heapMb = Math.min(heapMb, await heapMbOf(exchange));
    if (performance.now() - reportedMs < 60_000) continue;
    const minute = Math.round((performance.now() - startedMs) / 60_000);
    const memoryMb = await residentMbOf(exchange);
    print(
      `minute ${String(minute).padStart(3)}  heap ${heapMb} MB at least, resident ${memoryMb} MB`,
    );
    reportedMs = performance.now();
    heapMb = Infinity;
  }
}

async function heapMbOf({ url }: RunningProcess): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await fetchText(`${url}/metrics`, "GET", headers, "127.1.0.1");
  const bytes = /^nodejs_heap_size_used_bytes (\S+)/m.exec(text)?.[1];
  return Math.round(Number(bytes) / 1e6);
}

async function residentMbOf({ pid }: RunningProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

function medianOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return median(items.map(of));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
