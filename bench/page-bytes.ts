/**
 * `node bench/page-bytes.ts`: how many bytes the live queries of a page take: a signed-in user's trade
 * page and dashboard, while the user places and cancels orders in a market that moves at least ten times
 * a second. The same page is measured three ways at once: with full answers, with increments as pages
 * request them, and with the full answers compressed as permessage-deflate would (window and context
 * kept for each connection), with the processor time of compression. Prints each query's sends per
 * second and share of the bytes. Needs the built pages (`npm run build`).
 *
 *   --seconds=20 --orders-per-second=1 --open-orders=10 --market=10hz (or simulated)
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { constants, createDeflateRaw } from "node:zlib";
import { type PageName, PAGES, type Query } from "./page-queries.ts";
import {
  callMutation,
  type Placed,
  restingOrder,
  signUp,
  startServer,
  TenTimesASecond,
} from "./page-scene.ts";
import { PageSocket } from "./page-socket.ts";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    "orders-per-second": { type: "string", default: "1" },
    "open-orders": { type: "string", default: "10" },
    market: { type: "string", default: "10hz" },
  },
});
const seconds = Number(options.seconds);
const ordersPerSecond = Number(options["orders-per-second"]);
const WARM_UP_MS = 3_000;
const DEFLATE_LEVELS = [1, 6] as const;

const print = (line: string) => process.stdout.write(`${line}\n`);
print(`machine   ${cpus()[0]?.model.trim()}, ${cpus().length} cores, node ${process.version}`);
print(`workload  ${JSON.stringify(options)}`);

const dataDir = await mkdtemp(join(tmpdir(), "openbell-bench-"));
const server = await startServer(dataDir);
try {
  const token = await signUp(server.url, "page");
  for (let order = 0; order < Number(options["open-orders"]); order++) {
    await callMutation(server.url, "orders:place", restingOrder(40_000 + order), token);
  }
  const market = options.market === "10hz" ? await TenTimesASecond.start(server.url) : undefined;
  for (const name of Object.keys(PAGES) as PageName[]) await measure(name, token);
  market?.stop();
  for (const failure of new Set(market?.failures)) print(`failure   ${failure}`);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function measure(name: PageName, token: string): Promise<void> {
  const queries = PAGES[name];
  const { url } = server;
  const sockets = [false, true].map(
    (takesIncrements) => new PageSocket({ url, token, queries, takesIncrements }),
  );
  await Promise.all(sockets.map((socket) => socket.shown()));
  await delay(WARM_UP_MS);
  const [whole, increments] = sockets.map((socket) => {
    const frames: string[] = [];
    socket.on("frame", (frame) => frames.push(frame));
    return frames;
  });
  const untilMs = performance.now() + seconds * 1_000;
  while (performance.now() < untilMs) {
    const pause = delay(1_000 / ordersPerSecond);
    const { order } = await callMutation<Placed>(url, "orders:place", restingOrder(40_500), token);
    await callMutation(url, "orders:cancel", { orderId: order.orderId }, token);
    await pause;
  }
  for (const { ws } of sockets) ws.terminate();
  report(name, queries, whole, increments);
  for (const level of DEFLATE_LEVELS) await reportCompressed(whole, level);
  print(`load      ${loadavg()[0]?.toFixed(1)}`);
}

interface Sent {
  times: number;
  bytes: number;
}

/** Messages and bytes by query id, which is the query's index; -1 for all messages. */
function countOf(frames: readonly string[]): ReadonlyMap<number, Sent> {
  const counts = new Map<number, Sent>();
  const count = (queryId: number, bytes: number) => {
    const known = counts.get(queryId) ?? { times: 0, bytes: 0 };
    counts.set(queryId, { times: known.times + 1, bytes: known.bytes + bytes });
  };
  for (const frame of frames) {
    count(-1, Buffer.byteLength(frame));
    const { modifications = [] } = JSON.parse(frame) as {
      readonly modifications?: readonly { readonly queryId: number }[];
    };
    for (const modification of modifications) {
      count(modification.queryId, Buffer.byteLength(JSON.stringify(modification)));
    }
  }
  return counts;
}

function report(
  page: string,
  queries: readonly Query[],
  whole: readonly string[],
  increments: readonly string[],
): void {
  const [before, after] = [countOf(whole), countOf(increments)];
  const cell = (sent: Sent = { times: 0, bytes: 0 }) =>
    `${(sent.times / seconds).toFixed(1).padStart(5)} /s ${inKilobytes(sent.bytes)} KB/s`;
  print(`\n${page.padEnd(30)} whole answers         increments`);
  for (const [queryId, [path, args]] of queries.entries()) {
    if (!before.has(queryId)) continue;
    const name = `${path}${Object.keys(args).length > 0 ? " {…}" : ""}`;
    print(`${name.padEnd(26)} ${cell(before.get(queryId))}  ${cell(after.get(queryId))}`);
  }
  print(`${"in all, messages".padEnd(26)} ${cell(before.get(-1))}  ${cell(after.get(-1))}`);
}

function inKilobytes(bytes: number): string {
  return (bytes / 1024 / seconds).toFixed(2).padStart(7);
}

/** Compresses all messages in one stream with a shared window, flushed after each message. */
async function reportCompressed(frames: readonly string[], level: number): Promise<void> {
  const deflate = createDeflateRaw({ level });
  let bytes = 0;
  deflate.on("data", (chunk: Buffer) => (bytes += chunk.length));
  const started = process.cpuUsage();
  for (const frame of frames) {
    deflate.write(frame);
    await new Promise<void>((flushed) => deflate.flush(constants.Z_SYNC_FLUSH, flushed));
  }
  const { user, system } = process.cpuUsage(started);
  deflate.destroy();
  const each = ((user + system) / Math.max(1, frames.length)).toFixed(0);
  print(`deflate level ${level}: ${inKilobytes(bytes)} KB/s, ${each} µs of processor a message`);
}
