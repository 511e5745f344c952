/** Shared by the benchmarks of live pages: a server of their own, users, and a market that moves. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { MARKET } from "./page-queries.ts";
import { PageSocket } from "./page-socket.ts";

const PASSWORD = "correct horse battery";
export const METRICS_TOKEN = "the-token-of-the-benchmark";
const BETWEEN_STEPS_MS = 100;

/**
 * Passwords are hashed cheaply, because a thousand users sign up, and tokens are valid for an hour.
 * Neither affects the measurements.
 */
const CHEAP_PASSWORDS = new URL("../test/support/cheap-passwords.ts", import.meta.url).href;
const COLLECT_ON_SIGNAL = new URL("collect-on-signal.ts", import.meta.url).href;
const SETTINGS = {
  PORT: "0",
  LOG_LEVEL: "error",
  AUTH_RATE_LIMIT: "off",
  PRACTICE_FUNDS: "USD:1000000,BTC:20",
  BACKEND_TOKEN_SECONDS: "3600",
  METRICS_TOKEN,
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../dist/.compiled", import.meta.url)),
};

export interface MeasuredServer {
  readonly pid: number;
  readonly url: string;
  readonly memoryFile: string;
  stop(): Promise<void>;
}

/**
 * @param nodeOptions options of the server's process, such as `--cpu-prof`
 * @param settings further ones of the exchange
 */
export async function startServer(
  dataDir: string,
  nodeOptions: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
): Promise<MeasuredServer> {
  const memoryFile = `${dataDir}/memory.json`;
  const child = spawn(
    process.execPath,
    [
      "--expose-gc",
      "--import",
      CHEAP_PASSWORDS,
      "--import",
      COLLECT_ON_SIGNAL,
      ...nodeOptions,
      "src/server/main.ts",
    ],
    {
      env: {
        ...process.env,
        ...SETTINGS,
        ...settings,
        DATA_DIR: dataDir,
        MEMORY_FILE: memoryFile,
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const url = await new Promise<string>((opened, failed) => {
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
      const found = / is open at (http:\/\/\S+)/.exec(printed)?.[1];
      if (found !== undefined) opened(found);
    });
    child.once("exit", () => failed(new Error(`the server did not start:\n${printed}`)));
  });
  return {
    pid: child.pid ?? 0,
    url,
    memoryFile,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** @returns a backend token of a new user with practice funds */
export async function signUp(url: string, name: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({
      email: `${name}@example.com`,
      password: PASSWORD,
      name: "Sam",
      lastname: "Trader",
    }),
  });
  if (!answer.ok) throw new Error(`a sign-up answered ${answer.status}: ${await answer.text()}`);
  await answer.text();
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");
  const issued = await fetch(`${url}/api/auth/token`, { headers: { cookie } });
  const { token } = (await issued.json()) as { token: string };
  await callMutation(url, "accounts:takePracticeFunds", {}, token);
  return token;
}

/** A new user whose plan allows more than ten orders a second. @returns a backend token */
export async function signUpActive(url: string, name: string): Promise<string> {
  const token = await signUp(url, name);
  await callMutation(url, "plans:choose", { plan: "pro" }, token);
  return token;
}

/** Calls a mutation over HTTP; returns its value. */
export async function callMutation<Value>(
  url: string,
  path: string,
  args: object,
  token: string,
): Promise<Value> {
  const answer = await fetch(`${url}/api/mutation`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ path, args, format: "convex_encoded_json" }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return (JSON.parse(text) as { value: Value }).value;
}

/** Arguments of a limit order far from the market, which rests until it is cancelled. */
export function restingOrder(price: number) {
  const priceText = `${price}.00`;
  return { ...MARKET, side: "buy", type: "limit", price: priceText, quantity: "0.001" } as const;
}

export interface Placed {
  readonly order: { readonly orderId: string };
}

interface Book {
  readonly bids: readonly string[];
}

/**
 * Moves a market in addition to the simulation: every tenth of a second a trade, and an order that is
 * placed on one of the ten best levels and cancelled.
 */
export class TenTimesASecond {
  readonly #sockets: readonly [taker: PageSocket, maker: PageSocket];
  #step = 0;
  #requestId = 0;
  readonly #timer: NodeJS.Timeout;
  /** Requests that may fail because their order has traded. */
  readonly #cancellations = new Set<number>();
  readonly failures: string[] = [];

  private constructor(taker: PageSocket, maker: PageSocket) {
    this.#sockets = [taker, maker];
    for (const socket of this.#sockets) {
      socket.on("failed", (reason) => this.failures.push(reason));
      socket.on("answer", ({ requestId, success, result }) => {
        const mayFail = this.#cancellations.delete(requestId);
        if (!success && !mayFail) this.failures.push(String(result));
      });
    }
    maker.on("answer", ({ success, result }) => {
      const order = success ? (result as Partial<Placed>).order : undefined;
      if (order === undefined) return;
      const cancelling = setTimeout(() => {
        this.#cancellations.add(this.#requestId);
        this.#mutate(maker, "orders:cancel", { orderId: order.orderId });
      }, BETWEEN_STEPS_MS);
      cancelling.unref();
    });
    this.#timer = setInterval(() => this.#trade(), BETWEEN_STEPS_MS);
  }

  static async start(url: string): Promise<TenTimesASecond> {
    const sockets = ["taker", "maker"].map(async (name) => {
      const token = await signUpActive(url, name);
      const socket = new PageSocket({ url, token, queries: [["markets:book", MARKET]] });
      await socket.shown();
      return socket;
    });
    const [taker, maker] = await Promise.all(sockets);
    return new TenTimesASecond(taker, maker);
  }

  stop(): void {
    clearInterval(this.#timer);
    for (const { ws } of this.#sockets) ws.terminate();
  }

  #trade(): void {
    const [taker, maker] = this.#sockets;
    const step = this.#step++;
    const side = step % 2 === 0 ? "buy" : "sell";
    const trade = { ...MARKET, side, type: "market", quantity: "0.001" };
    this.#mutate(taker, "orders:place", trade);
    const price = (maker.answers[0] as Book | undefined)?.bids[2 * (step % 10)];
    if (price === undefined) return;
    const rest = { ...MARKET, side: "buy", type: "limit", price, quantity: "0.002" };
    this.#mutate(maker, "orders:place", rest);
  }

  #mutate(socket: PageSocket, path: string, args: object): void {
    socket.mutate(this.#requestId++, path, args);
  }
}
