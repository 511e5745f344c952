/**
 * `node bench/under-attack.ts`: how long an honest trader waits for an answer, and how much memory the
 * server takes, while 250 sockets from one address attack it: sockets that never read, candle reads,
 * bodies and frames of 1 MB for a function that does not exist, stalled bodies, and a user's flood of
 * orders. The server, the attacker and the trader are separate processes; the trader uses the official
 * client. Times are from sending an order to its answer. Needs the built pages (`npm run build`).
 *
 * On Linux the server has the first core to itself; the attacker runs on the second, at lower priority
 * than the trader, because a real attacker would not compete with the trader for a processor.
 *
 * Further kinds of attack: asksForFiles, forgesTokens, sendsBytes.
 *
 *   --seconds=300 --kinds=neverReads,readsCandles,sendsLargeFrames,sendsLargeBodies,stalls,floodsOrders
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ConvexClient } from "convex/browser";
import { makeFunctionReference } from "convex/server";
import { canPin, pinTo, processorTimeOf, putBehind } from "./processes.ts";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "300" },
    kinds: {
      type: "string",
      default: "neverReads,readsCandles,sendsLargeFrames,sendsLargeBodies,stalls,floodsOrders",
    },
  },
});
const seconds = Number(options.seconds);
const QUIET_SECONDS = Math.min(30, seconds);
const BETWEEN_ORDERS_MS = 100;
const PASSWORD = "correct horse battery";
const PLACE = makeFunctionReference<"mutation">("orders:place");
const CANCEL = makeFunctionReference<"mutation">("orders:cancel");

const print = (line = "") => process.stdout.write(`${line}\n`);
const { version: convexVersion } = createRequire(import.meta.url)("convex/package.json") as {
  version: string;
};
print(`machine   ${cpus()[0]?.model.trim()}, ${cpus().length} cores, node ${process.version}`);
print(`versions  convex ${convexVersion}`);
print(`workload  ${options.kinds}`);
print(
  canPin
    ? "cores     the server on core 0; the attacker on core 1, behind the trader"
    : "cores     shared by all processes",
);
print(`load      ${loadavg()[0]?.toFixed(1)} before the start`);
pinTo(1, process.pid);

const dataDir = await mkdtemp(join(tmpdir(), "openbell-bench-"));
const { server, url } = await startServer();
try {
  const trader = await signUp("trader@example.com");
  const flooder = await signUp("flooder@example.com");
  const client = new ConvexClient(url, { expectAuth: true });
  client.setAuth(() => tokenOf(trader));
  await client.mutation(makeFunctionReference<"mutation">("accounts:takePracticeFunds"), {});
  await trade(client, 5);

  report("quiet", QUIET_SECONDS, await trade(client, QUIET_SECONDS));
  const attacker = startAttacker(await tokenOf(flooder));
  const timeAtStart = processorTimes(attacker.pid);
  const attacked = await trade(client, seconds);
  report("attacked", seconds, attacked);
  reportProcessors(timeAtStart, processorTimes(attacker.pid));
  print(`attacker  ${await attacker.stop()}`);
  report("after", QUIET_SECONDS, await trade(client, QUIET_SECONDS));
  await client.close();
} finally {
  server.kill("SIGTERM");
  await new Promise((ended) => server.once("exit", ended));
  await rm(dataDir, { recursive: true, force: true });
}

interface Trading {
  /** From sending to the answer, for placing and cancelling, in milliseconds. */
  readonly times: number[];
  readonly failures: string[];
  readonly memoryMbMax: number;
}

/** Places a limit order far from the market and cancels it, repeatedly. */
async function trade(client: ConvexClient, forSeconds: number): Promise<Trading> {
  const times: number[] = [];
  const failures: string[] = [];
  let memoryMbMax = 0;
  const timed = async <T>(what: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    const answer = await what();
    times.push(performance.now() - startedMs);
    return answer;
  };
  const order = {
    market: "BTC-USD",
    side: "buy",
    type: "limit",
    price: "60000.00",
    quantity: "0.001",
  };
  const untilMs = performance.now() + forSeconds * 1000;
  while (performance.now() < untilMs) {
    try {
      const placed = (await timed(() => client.mutation(PLACE, order))) as {
        order: { orderId: string };
      };
      const { orderId } = placed.order;
      await timed(() => client.mutation(CANCEL, { orderId }));
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
    memoryMbMax = Math.max(memoryMbMax, await memoryMb());
    await delay(BETWEEN_ORDERS_MS);
  }
  return { times, failures, memoryMbMax };
}

function report(name: string, forSeconds: number, { times, failures, memoryMbMax }: Trading): void {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) =>
    (
      sorted.at(Math.min(sorted.length - 1, Math.floor(sorted.length * share))) ?? Number.NaN
    ).toFixed(1);
  print(
    `${name.padEnd(9)} ${forSeconds} s, ${sorted.length} answers: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, ` +
      `longest ${at(1)} ms; ${failures.length} failed; memory at most ${memoryMbMax} MB`,
  );
  for (const failure of new Set(failures)) print(`          ${failure.split("\n", 1)[0]}`);
}

function processorTimes(attackerPid: number) {
  return {
    atMs: performance.now(),
    server: processorTimeOf(server.pid ?? 0),
    attacker: processorTimeOf(attackerPid),
    trader: processorTimeOf(process.pid),
  };
}

type ProcessorTimes = ReturnType<typeof processorTimes>;

/** Prints processor times in percent of one core. */
function reportProcessors(from: ProcessorTimes, to: ProcessorTimes): void {
  const percent = (of: (times: ProcessorTimes) => number) =>
    `${((100_000 * (of(to) - of(from))) / (to.atMs - from.atMs)).toFixed(0)} %`;
  print(
    `processor server's event loop ${percent(({ server: its }) => its.mainThreadSeconds)}, ` +
      `its other threads ${percent(({ server: its }) => its.seconds - its.mainThreadSeconds)}, ` +
      `attacker ${percent(({ attacker }) => attacker.seconds)}, ` +
      `trader ${percent(({ trader }) => trader.seconds)} of a core`,
  );
}

/** The server's resident memory, including the engine's thread. */
async function memoryMb(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

function startAttacker(token: string) {
  const script = fileURLToPath(new URL("attacker.ts", import.meta.url));
  const attacker = spawn(process.execPath, [script, url, token, options.kinds], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const { pid } = attacker;
  if (pid === undefined) throw new Error("the attacker did not start");
  putBehind(pid);
  pinTo(1, pid);
  let printed = "";
  attacker.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString("utf8")));
  return {
    pid,
    async stop(): Promise<string> {
      const ended = new Promise((done) => attacker.once("exit", done));
      attacker.stdin.end();
      await ended;
      return printed.trim();
    },
  };
}

async function startServer(): Promise<{ server: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ["src/server/main.ts"], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  pinTo(0, child.pid ?? 0);
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

/** @returns the cookies of the new session */
async function signUp(email: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ email, password: PASSWORD, name: "Sam", lastname: "Trader" }),
  });
  if (!answer.ok) throw new Error(`a sign-up answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");
}

async function tokenOf(cookie: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/token`, { headers: { cookie } });
  if (!answer.ok) throw new Error(`the token answered ${answer.status}`);
  return ((await answer.json()) as { token: string }).token;
}
