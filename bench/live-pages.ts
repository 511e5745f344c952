/**
 * `node bench/live-pages.ts`: pages with their real queries, each of a different signed-in user, and a
 * trader with the official client. Each scenario prints how long orders took to be answered and to be
 * shown, the age of the data on pages, bytes per page, and the processor time of the server beside the
 * time its threads waited for a processor. The waiting time shows how far the machine was shared: with
 * much of it, figures mean little.
 *
 * - `simulated`, `10hz`: the market at the simulation's rate, and with a trade and changes of the book
 *   every tenth of a second.
 * - `storm`: all pages are disconnected at once and reconnect, at 10 Hz.
 * - `flood`: one user sends mutations from 100 connections, as fast as they are answered. Mutations of
 *   another user, sent before the flood and left unanswered, are sent again after it: each must have
 *   been applied once.
 * - `churn`: connections that are opened in bursts and cut at random; prints the memory left after
 *   collection.
 *
 * At the end, pages with increments must show the same as new connections without them. Only a few pages
 * place orders, and they have a process of their own: in the process of all the others, an order's time
 * would be that of reading the messages of a thousand pages. On Linux the server has the first core; the
 * pages run on the second, at lower priority than the trader and the few. Needs the built pages
 * (`npm run build`).
 *
 *   --pages=1000 --ordering=20 --slow=50 --slow-bytes=20000 --dashboard-every=5 --seconds=30 --orders-per-second=10
 *   --open-orders=3 --scenarios=simulated,10hz,storm,flood,churn --churn-per-minute=12000
 *   --whole (answers without increments) --shared (a shared machine: the pages keep their priority)
 *   --node-options="--cpu-prof --cpu-prof-dir=/tmp" (options of the server's process)
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ConvexClient } from "convex/browser";
import { functions } from "#contract/functions.ts";
import { Helper } from "./api-scene.ts";
import type { MemoryLeft } from "./collect-on-signal.ts";
import { commandTimesOf, metricsOf, timesBetween } from "./command-metrics.ts";
import type { LoadRequest, Measured } from "./page-load.ts";
import { MARKET } from "./page-queries.ts";
import {
  callMutation,
  type MeasuredServer,
  restingOrder,
  signUp,
  signUpActive,
  startServer,
  TenTimesASecond,
} from "./page-scene.ts";
import { PageSocket } from "./page-socket.ts";
import { canPin, pinTo, putBehind, usageBetween, usageOf } from "./processes.ts";
import { inWords, timesOf } from "./times.ts";

const { values: options } = parseArgs({
  options: {
    pages: { type: "string", default: "1000" },
    ordering: { type: "string", default: "20" },
    slow: { type: "string", default: "50" },
    "slow-bytes": { type: "string", default: "20000" },
    "dashboard-every": { type: "string", default: "5" },
    seconds: { type: "string", default: "30" },
    "orders-per-second": { type: "string", default: "10" },
    "open-orders": { type: "string", default: "3" },
    scenarios: { type: "string", default: "simulated,10hz,storm,flood,churn" },
    "churn-per-minute": { type: "string", default: "12000" },
    whole: { type: "boolean", default: false },
    shared: { type: "boolean", default: false },
    "node-options": { type: "string", default: "" },
  },
});
const pageCount = Number(options.pages);
const orderingCount = Number(options.ordering);
const seconds = Number(options.seconds);
const ordersPerSecond = Number(options["orders-per-second"]);
const scenarios = options.scenarios.split(",");
const SIGN_UPS_AT_ONCE = 8;
const FLOOD_CONNECTIONS = 100;
const LOST_ANSWERS = 10;
const BETWEEN_ORDERS_MS = 50;
const SETTLED_MS = 3_000;

const print = (line = "") => process.stdout.write(`${line}\n`);
print(`machine   ${cpus()[0]?.model.trim()}, ${cpus().length} cores, node ${process.version}`);
print(`workload  ${JSON.stringify(options)}`);
print(
  canPin
    ? `cores     the server on core 0; the pages on core 1${options.shared ? "" : ", behind the trader"}`
    : "cores     shared by all processes",
);
print(`load      ${loadavg()[0]?.toFixed(1)} before the start`);
// The helpers inherit it.
pinTo(1, process.pid);

const dataDir = await mkdtemp(join(tmpdir(), "openbell-bench-"));
const nodeOptions = options["node-options"].split(" ").filter((option) => option !== "");
const server = await startServer(dataDir, nodeOptions);
pinTo(0, server.pid);
const load = new Helper("page-load.ts", { detached: true });
if (!options.shared) putBehind(load.pid);
const ordering = new Helper("page-load.ts");
const ask = <Result>(asked: LoadRequest) => load.ask<Result>(asked);
let market: TenTimesASecond | undefined;
try {
  const before = await memoryLeft(server);
  const tokens = await signUpUsers();
  const trader = await startTrader();
  const empty = await memoryLeft(server);
  const opened = {
    kind: "open",
    url: server.url,
    slowBytesPerSecond: Number(options["slow-bytes"]),
    dashboardEvery: Number(options["dashboard-every"]),
    takesIncrements: !options.whole,
  } as const;
  await ask({ ...opened, tokens: tokens.slice(orderingCount), slow: Number(options.slow) });
  await ordering.ask({ ...opened, tokens: tokens.slice(0, orderingCount), slow: 0 });
  await delay(SETTLED_MS);
  const open = await memoryLeft(server);
  const each =
    ((open.heapMb + open.externalMb - empty.heapMb - empty.externalMb) * 1024) / pageCount;
  print(
    `memory    ${each.toFixed(1)} KB a connection after collection ` +
      `(heap and buffers ${memory(before)} before users, ${memory(empty)} with them, ${memory(open)} with pages)`,
  );
  if (scenarios.includes("simulated")) await measureFor("simulated", trader);
  if (scenarios.some((name) => name !== "simulated"))
    market = await TenTimesASecond.start(server.url);
  await delay(SETTLED_MS);
  if (scenarios.includes("10hz")) await measureFor("10hz", trader);
  if (scenarios.includes("storm")) await stormAgainst(trader);
  if (scenarios.includes("flood")) await floodAgainst(trader);
  if (scenarios.includes("churn")) await churn();
  const { equal, of } = await ask<{ equal: number; of: number }>({ kind: "check" });
  print(`\nchecked   ${equal} of ${of} pages show what a new connection is shown`);
  await trader.close();
  await ask({ kind: "close" });
  await ordering.ask({ kind: "close" });
} finally {
  market?.stop();
  for (const failure of new Set(market?.failures)) print(`failure   ${failure}`);
  load.stop();
  ordering.stop();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
  print(`load      ${loadavg()[0]?.toFixed(1)} at the end`);
}

async function signUpUsers(): Promise<string[]> {
  const tokens: string[] = [];
  const numbers = Array.from({ length: pageCount }, (_, number) => number).values();
  const signUpInTurn = async () => {
    for (const number of numbers) {
      const token = await signUp(server.url, `page-${number}`);
      tokens[number] = token;
      for (let order = 0; order < Number(options["open-orders"]); order++) {
        await callMutation(server.url, "orders:place", restingOrder(40_000 + order), token);
      }
    }
  };
  await Promise.all(Array.from({ length: SIGN_UPS_AT_ONCE }, signUpInTurn));
  return tokens;
}

interface Trading {
  readonly times: number[];
  readonly failures: string[];
}

/** Places orders far from the market and cancels them, with the official client. */
async function startTrader() {
  const token = await signUpActive(server.url, "trader");
  const client = new ConvexClient(server.url, {
    expectAuth: true,
    skipConvexDeploymentUrlCheck: true,
    logger: false,
  });
  client.setAuth(async () => token);
  client.onUpdate(functions.orders.open, MARKET, () => {});
  const order = restingOrder(40_000);
  return {
    async trade(until: Promise<unknown>): Promise<Trading> {
      const state = { isOver: false };
      const over = () => (state.isOver = true);
      until.then(over, over);
      const [times, failures]: [number[], string[]] = [[], []];
      while (!state.isOver) {
        try {
          const startedMs = performance.now();
          const placed = await client.mutation(functions.orders.place, order);
          times.push(performance.now() - startedMs);
          await client.mutation(functions.orders.cancel, { orderId: placed.order.orderId });
        } catch (error) {
          failures.push(error instanceof Error ? error.message : String(error));
        }
        await delay(BETWEEN_ORDERS_MS);
      }
      return { times, failures };
    },
    close: () => client.close(),
  };
}

type Trader = Awaited<ReturnType<typeof startTrader>>;

async function measureFor(name: string, trader: Trader): Promise<void> {
  const from = usageOf(server.pid);
  const before = await commandTimesOf(server.url);
  const measuring = Promise.all([
    ask<Measured>({ kind: "measure", seconds, ordersPerSecond: 0 }),
    ordering.ask<Measured>({ kind: "measure", seconds, ordersPerSecond }),
  ]);
  const { times, failures } = await trader.trade(measuring);
  const to = usageOf(server.pid);
  const [measured, ordered] = await measuring;
  const { pages } = measured;
  print(`\n${name}, ${seconds} s, load ${loadavg()[0]?.toFixed(1)}`);
  for (const [page, { bytes, transitions }] of Object.entries(pages)) {
    print(
      `  ${page.padEnd(10)} ${(bytes / 1024).toFixed(1)} KB/s, ${transitions.toFixed(1)} messages/s`,
    );
  }
  print(`  from the server to pages     ${inWords(measured.delay)}`);
  print(`  age of what is shown         ${inWords(measured.age)}`);
  if (measured.slowAge.count > 0) {
    print(`  the same over slow links     ${inWords(measured.slowDelay)}`);
    print(`                               ${inWords(measured.slowAge)}`);
  }
  print(`  pages' own orders, answered  ${inWords(ordered.answered)}`);
  print(`  and shown                    ${inWords(ordered.shown)}`);
  print(`  the trader's orders          ${inWords(timesOf(times))}; ${failures.length} failed`);
  print(`  in the server, all commands  ${timesBetween(before, await commandTimesOf(server.url))}`);
  print(`  the server: ${usageBetween(from, to)}`);
  for (const failure of [...measured.failures, ...ordered.failures, ...failures].slice(0, 10))
    print(`  failure ${failure}`);
}

async function stormAgainst(trader: Trader): Promise<void> {
  const from = usageOf(server.pid);
  const storm = ask<{ fastMs: number; slowMs: number; failed: number }>({ kind: "storm" });
  const { times, failures } = await trader.trade(storm);
  const { fastMs, slowMs, failed } = await storm;
  print(
    `\nstorm of ${pageCount} reconnects: all shown after ${(fastMs / 1_000).toFixed(1)} s, ` +
      `over slow links after ${(slowMs / 1_000).toFixed(1)} s; ${failed} failed`,
  );
  print(`  the trader's orders          ${inWords(timesOf(times))}; ${failures.length} failed`);
  print(`  the server: ${usageBetween(from, usageOf(server.pid))}`);
}

/**
 * Floods the server between two attempts of another user's mutations, whose first answers are never
 * received.
 */
async function floodAgainst(trader: Trader): Promise<void> {
  const { url } = server;
  const [victim, flooder] = [await signUp(url, "victim"), await signUp(url, "flooder")];
  const sessionId = crypto.randomUUID();
  const queries = [["orders:open", MARKET]] as const;
  const begin = async () => {
    const socket = new PageSocket({ url, token: victim, queries, sessionId });
    await socket.shown();
    return socket;
  };
  const placeAll = (socket: PageSocket) => {
    for (let requestId = 0; requestId < LOST_ANSWERS; requestId++) {
      socket.mutate(requestId, "orders:place", restingOrder(30_000 + requestId));
    }
  };
  const countOf = (socket: PageSocket) => (socket.answers[0] as readonly unknown[]).length;
  const first = await begin();
  placeAll(first);
  await first.until("transition", () => countOf(first) === LOST_ANSWERS);
  first.ws.terminate();

  const from = usageOf(server.pid);
  await ask({ kind: "flood", token: flooder, connections: FLOOD_CONNECTIONS });
  const { times, failures } = await trader.trade(delay(seconds * 1_000));
  const to = usageOf(server.pid);
  const { answers } = await ask<{ answers: number }>({ kind: "endFlood" });
  print(
    `\nflood from ${FLOOD_CONNECTIONS} connections, ${(answers / seconds).toFixed(0)} answers/s`,
  );
  print(`  the trader's orders          ${inWords(timesOf(times))}; ${failures.length} failed`);
  print(`  the server: ${usageBetween(from, to)}`);

  const second = await begin();
  const answered: boolean[] = [];
  second.on("answer", ({ requestId, success }) => (answered[requestId] = success));
  placeAll(second);
  await second.until("answer", () => answered.length === LOST_ANSWERS);
  await delay(SETTLED_MS);
  print(
    `  ${LOST_ANSWERS} requests sent again: ${answered.filter(Boolean).length} answered, ` +
      `${countOf(second)} orders`,
  );
  second.ws.terminate();
}

async function churn(): Promise<void> {
  await delay(SETTLED_MS);
  const [before, entriesBefore] = [await memoryLeft(server), await entriesOf(server)];
  const perMinute = Number(options["churn-per-minute"]);
  const { opened } = await ask<{ opened: number }>({ kind: "churn", seconds, perMinute });
  await delay(2 * SETTLED_MS);
  const [after, entriesAfter] = [await memoryLeft(server), await entriesOf(server)];
  print(`\nchurn of ${opened} connections in ${seconds} s, left after collection`);
  print(`  heap and buffers ${memory(before)} before, ${memory(after)} after`);
  print(
    `  resident         ${before.residentMb.toFixed(0)} MB before, ${after.residentMb.toFixed(0)} MB after`,
  );
  print(`  handles          ${before.handles} before, ${after.handles} after`);
  for (const [name, value] of entriesBefore) {
    print(`  ${name.padEnd(30)} ${value} before, ${entriesAfter.get(name)} after`);
  }
}

async function memoryLeft({ pid, memoryFile }: MeasuredServer): Promise<MemoryLeft> {
  // Objects with finalizers are freed by the second collection.
  for (let times = 0; times < 2; times++) {
    rmSync(memoryFile, { force: true });
    process.kill(pid, "SIGUSR2");
    while (!existsSync(memoryFile)) await delay(50);
  }
  return JSON.parse(readFileSync(memoryFile, "utf8")) as MemoryLeft;
}

function memory({ heapMb, externalMb }: MemoryLeft): string {
  return `${(heapMb + externalMb).toFixed(1)} MB`;
}

/** The metrics of what the reactive backend keeps in memory. */
async function entriesOf(of: MeasuredServer): Promise<Map<string, string>> {
  const text = await metricsOf(of.url);
  const found = text.matchAll(/^(openbell_reactive_\w+) (\S+)$/gm);
  return new Map(Array.from(found, ([, name = "", value = ""]) => [name, value]));
}
