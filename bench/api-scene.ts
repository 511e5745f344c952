/** The processes of `bench/api.ts`: the exchange with its traders, the bare server, the load. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Trader } from "./api-orders.ts";

const PASSWORD = "correct horse battery";
const ADMINISTRATOR = "admin@example.com";
/** Allows 500 orders a second and 5 000 open orders. */
const PLAN = "market-maker";
export const METRICS_TOKEN = "the-token-of-the-benchmark";

/** Settings that allow a few users on one machine the traffic of many users on many machines. */
const SETTINGS = {
  PORT: "0",
  LOG_LEVEL: "error",
  SIMULATION: "off",
  ADMIN_EMAIL: ADMINISTRATOR,
  AUTH_RATE_LIMIT: "off",
  PRACTICE_FUNDS: "USD:5000000",
  TRADING_API_WEIGHT: "1000000",
  STREAM_MESSAGES_PER_ADDRESS: "100000",
  METRICS_TOKEN,
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../dist/.compiled", import.meta.url)),
};

export interface RunningProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

/** @param nodeOptions options of the exchange's process, such as `--cpu-prof` */
export function startExchange(
  dataDir: string,
  nodeOptions: readonly string[],
): Promise<RunningProcess> {
  const environment = { ...process.env, ...SETTINGS, DATA_DIR: dataDir };
  return start([...nodeOptions, "src/server/main.ts"], environment);
}

export function startBareServer(): Promise<RunningProcess> {
  return start([fileURLToPath(new URL("api-bare.ts", import.meta.url))], process.env);
}

async function start(args: readonly string[], env: NodeJS.ProcessEnv): Promise<RunningProcess> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((opened, failed) => {
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
      const address = / is open at (http:\/\/\S+)/.exec(printed)?.[1];
      if (address !== undefined) opened(address);
    });
    child.once("exit", () => failed(new Error(`a server did not start:\n${printed}`)));
  });
  return {
    child,
    pid: child.pid ?? 0,
    url,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** A process that answers each message with a result. */
export class Helper {
  readonly #child: ChildProcess;

  /** @param options.detached makes the process lead a session of its own, which `putBehind` requires */
  constructor(script: string, options: { readonly detached?: boolean } = {}) {
    this.#child = fork(fileURLToPath(new URL(script, import.meta.url)), options);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the script decides what it answers
  async ask<Result>(message: object | string): Promise<Result> {
    const answered = new Promise<{ result?: Result; error?: string }>((heard, failed) => {
      this.#child.once("message", heard);
      this.#child.once("exit", () => failed(new Error("the process of the load has ended")));
    });
    this.#child.send(message);
    const { error, result } = await answered;
    this.#child.removeAllListeners("exit");
    if (error !== undefined) throw new Error(error);
    return result as Result;
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

/** Signs up users with practice funds, the plan of market makers and two API keys. */
export async function signUpTraders(url: string, count: number): Promise<Trader[]> {
  const administrator = await signUp(url, ADMINISTRATOR);
  const traders: Trader[] = [];
  for (let number = 0; number < count; number++) {
    const { call, userId } = await signUp(url, `trader-${number}@example.com`);
    await call("mutation", "accounts:takePracticeFunds", {});
    await administrator.call("mutation", "plans:assign", { userId, plan: PLAN, reason: "bench" });
    traders.push({ address: `127.1.0.${1 + number}`, ...(await createKeys(call)) });
  }
  return traders;
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what it asked for
type Call = <Value>(kind: "mutation" | "action", path: string, args: object) => Promise<Value>;

interface CreatedKey {
  readonly key: { readonly apiKey: string };
  readonly secret: string | null;
}

async function createKeys(call: Call): Promise<Pick<Trader, "hmac" | "ed25519">> {
  const terms = {
    name: "Bench",
    permissions: ["read", "trade"],
    addressRanges: [],
    expiresAt: null,
  };
  const { key, secret } = await call<CreatedKey>("action", "apiKeys:create", {
    ...terms,
    kind: "hmac",
  });
  const pair = generateKeyPairSync("ed25519", {
    publicKeyEncoding: { format: "pem", type: "spki" },
    privateKeyEncoding: { format: "pem", type: "pkcs8" },
  });
  const session = await call<CreatedKey>("action", "apiKeys:create", {
    ...terms,
    kind: "ed25519",
    publicKey: pair.publicKey,
  });
  return {
    hmac: { apiKey: key.apiKey, secret: secret ?? "" },
    ed25519: { apiKey: session.key.apiKey, privateKey: pair.privateKey },
  };
}

async function signUp(url: string, email: string): Promise<{ userId: string; call: Call }> {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ email, password: PASSWORD, name: "Sam", lastname: "Trader" }),
  });
  if (!answer.ok) throw new Error(`a sign-up answered ${answer.status}: ${await answer.text()}`);
  const { user } = (await answer.json()) as { user: { id: string } };
  const cookie = answer.headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");
  const issued = await fetch(`${url}/api/auth/token`, { headers: { cookie } });
  const { token } = (await issued.json()) as { token: string };
  return {
    userId: user.id,
    async call<Value>(kind: "mutation" | "action", path: string, args: object) {
      const called = await fetch(`${url}/api/${kind}`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ path, args, format: "convex_encoded_json" }),
      });
      const text = await called.text();
      if (!called.ok) throw new Error(`${path} answered ${called.status}: ${text}`);
      return (JSON.parse(text) as { value: Value }).value;
    },
  };
}
