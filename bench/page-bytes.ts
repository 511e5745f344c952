/**
 * `node bench/page-bytes.ts`: what the live queries of a page cost in bytes: a signed-in user's trade
 * page and dashboard, beside the simulated market, while the user trades ten times a second. Prints for each
 * query how often a second it was sent and its share of the bytes. Needs the built pages (`npm run build`).
 *
 *   --seconds=20 --orders-per-second=10
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { WebSocket } from "ws";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    "orders-per-second": { type: "string", default: "10" },
  },
});
const seconds = Number(options.seconds);
const ordersPerSecond = Number(options["orders-per-second"]);
const MARKET = { market: "BTC-USD" };
const FRAME: readonly Query[] = [
  ["venue:time", {}],
  ["venue:info", {}],
  ["markets:list", {}],
  ["users:current", {}],
  ["fills:recent", {}],
  ["notices:recent", {}],
];
const PAGES: Readonly<Record<string, readonly Query[]>> = {
  trade: [
    ...FRAME,
    ["markets:tickers", {}],
    ["markets:book", { ...MARKET, levels: 25 }],
    ["markets:trades", MARKET],
    ["markets:latestCandles", { ...MARKET, interval: "1m" }],
    ["markets:state", MARKET],
    ["orders:open", MARKET],
    ["fills:recent", MARKET],
    ["accounts:balances", {}],
  ],
  dashboard: [
    ...FRAME,
    ["markets:tickers", {}],
    ["portfolio:summary", {}],
    ["accounts:balances", {}],
    ["coins:list", {}],
    ["orders:open", {}],
  ],
};

type Query = readonly [path: string, args: object];

interface Sent {
  times: number;
  bytes: number;
}

interface SyncMessage {
  readonly type: string;
  readonly modifications?: readonly { readonly queryId: number }[];
}

const print = (line: string) => process.stdout.write(`${line}\n`);
const dataDir = await mkdtemp(join(tmpdir(), "openbell-bench-"));
const { server, url } = await startServer();
try {
  const token = await signUp();
  await call("mutation", "accounts:takePracticeFunds", {}, token);
  // Resting orders, as a page shows them.
  for (let order = 0; order < 10; order++) await place(token, 50_000 + order);
  for (const [name, queries] of Object.entries(PAGES)) {
    const sent = await listen(queries, token);
    report(name, queries, sent);
  }
} finally {
  server.kill("SIGTERM");
  await new Promise((ended) => server.once("exit", ended));
  await rm(dataDir, { recursive: true, force: true });
}

async function listen(queries: readonly Query[], token: string): Promise<Map<number, Sent>> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/1.48.0/sync`);
  await new Promise((opened) => socket.once("open", opened));
  const sent = new Map<number, Sent>();
  let isCounting = false;
  socket.on("message", (data: Buffer) => {
    const { modifications = [] } = JSON.parse(data.toString("utf8")) as SyncMessage;
    if (!isCounting) return;
    for (const modification of modifications) {
      const { times, bytes } = sent.get(modification.queryId) ?? { times: 0, bytes: 0 };
      const length = Buffer.byteLength(JSON.stringify(modification));
      sent.set(modification.queryId, { times: times + 1, bytes: bytes + length });
    }
    const { bytes, times } = sent.get(-1) ?? { bytes: 0, times: 0 };
    sent.set(-1, { times: times + 1, bytes: bytes + data.length });
  });
  const send = (message: object) => socket.send(JSON.stringify(message));
  send({ type: "Connect", sessionId: crypto.randomUUID(), connectionCount: 0 });
  send({ type: "Authenticate", tokenType: "User", value: token, baseVersion: 0 });
  send({
    type: "ModifyQuerySet",
    baseVersion: 0,
    newVersion: 1,
    modifications: queries.map(([udfPath, args], queryId) => ({
      type: "Add",
      queryId,
      udfPath,
      args: [args],
    })),
  });
  await delay(3_000);
  isCounting = true;
  const untilMs = performance.now() + seconds * 1_000;
  while (performance.now() < untilMs) {
    const pause = delay(1_000 / ordersPerSecond);
    const { order } = await place(token, 50_000);
    await call("mutation", "orders:cancel", { orderId: order.orderId }, token);
    await pause;
  }
  socket.terminate();
  return sent;
}

function report(page: string, queries: readonly Query[], sent: ReadonlyMap<number, Sent>): void {
  const kilobytes = (bytes: number) => (bytes / 1024 / seconds).toFixed(2).padStart(7);
  const line = (name: string, { times, bytes }: Sent) =>
    print(
      `${name.padEnd(24)} ${(times / seconds).toFixed(1).padStart(5)} /s ${kilobytes(bytes)} KB/s`,
    );
  print(`\n${page}`);
  queries.forEach(([path], queryId) => {
    const counted = sent.get(queryId);
    if (counted !== undefined) line(path, counted);
  });
  line("in all (transitions)", sent.get(-1) ?? { times: 0, bytes: 0 });
}

function place(token: string, price: number): Promise<{ order: { orderId: string } }> {
  const order = { ...MARKET, side: "buy", type: "limit", price: `${price}.00`, quantity: "0.001" };
  return call("mutation", "orders:place", order, token);
}

async function call<T>(kind: string, path: string, args: object, token: string): Promise<T> {
  const answer = await fetch(`${url}/api/${kind}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ path, args, format: "convex_encoded_json" }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return (JSON.parse(text) as { value: T }).value;
}

async function startServer(): Promise<{ server: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ["src/server/main.ts"], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = await new Promise<string>((opened, failed) => {
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
      const found = / is open at (http:\/\/\S+)/.exec(printed)?.[1];
      if (found !== undefined) opened(found);
    });
    child.once("exit", () => failed(new Error(`the server did not start:\n${printed}`)));
  });
  return { server: child, url: address };
}

/** @returns a backend token of a new user */
async function signUp(): Promise<string> {
  const user = { email: "trader@example.com", password: "correct horse battery", name: "Sam" };
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ ...user, lastname: "Trader" }),
  });
  if (!answer.ok) throw new Error(`the sign-up answered ${answer.status}: ${await answer.text()}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");
  const issued = await fetch(`${url}/api/auth/token`, { headers: { cookie } });
  return ((await issued.json()) as { token: string }).token;
}
