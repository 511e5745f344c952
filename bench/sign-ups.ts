/**
 * `node bench/sign-ups.ts`: how long other requests wait while 15 users sign up at once, on SQLite and,
 * with DATABASE_URL_TEST, on PostgreSQL. The real server runs in its own process; a request's total time
 * is measured at its client. Needs the built pages (`npm run build`).
 *
 *   --rounds=5 --sign-ups=15
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Client } from "pg";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    "sign-ups": { type: "string", default: "15" },
  },
});
const rounds = Number(options.rounds);
const signUpCount = Number(options["sign-ups"]);
const PASSWORD = "correct horse battery";
/** The other requests: one that reads, one that writes. */
const OTHERS = ["/get-session", "/one-time-token/generate"] as const;

const print = (line = "") => process.stdout.write(`${line}\n`);
print(`machine   ${cpus()[0]?.model.trim()}, ${cpus().length} cores, node ${process.version}`);
print(`rounds    ${rounds} of ${signUpCount} sign-ups at once, one other person`);

await measure("SQLite", undefined);
const postgresUrl = process.env.DATABASE_URL_TEST;
if (postgresUrl === undefined) print("PostgreSQL is left out: DATABASE_URL_TEST is not set");
else await onPostgres(postgresUrl);

async function onPostgres(databaseUrl: string): Promise<void> {
  const schema = `bench_${randomBytes(6).toString("hex")}`;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`create schema ${schema}`);
  try {
    const inSchema = encodeURIComponent(`-c search_path=${schema}`);
    await measure("PostgreSQL", `${databaseUrl}?options=${inSchema}`);
  } finally {
    await client.query(`drop schema ${schema} cascade`);
    await client.end();
  }
}

async function measure(name: string, databaseUrl: string | undefined): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "openbell-bench-"));
  const { server, url } = await startServer(dataDir, databaseUrl);
  try {
    const cookie = await signUp(url, "other@example.com");
    const alone = await othersTimes(url, cookie, pause(500));
    const during: Times = new Map();
    const signUpTimes: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const signUps = Promise.all(
        Array.from({ length: signUpCount }, async (_, each) => {
          const startedAt = performance.now();
          await signUp(url, `user-${round}-${each}@example.com`);
          signUpTimes.push(performance.now() - startedAt);
        }),
      );
      for (const [path, times] of await othersTimes(url, cookie, signUps)) {
        during.set(path, [...(during.get(path) ?? []), ...times]);
      }
    }
    print();
    print(`${name}: a sign-up took ${summary(signUpTimes)}`);
    for (const path of OTHERS) {
      print(`  ${path.padEnd(26)} alone   ${summary(alone.get(path) ?? [])}`);
      print(`  ${"".padEnd(26)} during  ${summary(during.get(path) ?? [])}`);
    }
  } finally {
    server.kill("SIGTERM");
    await new Promise((ended) => server.once("exit", ended));
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Times = Map<string, number[]>;

/** Sends one request after another, until `until` has settled. */
async function othersTimes(url: string, cookie: string, until: Promise<unknown>): Promise<Times> {
  const state = { isOver: false };
  void until.finally(() => {
    state.isOver = true;
  });
  const times: Times = new Map(OTHERS.map((path) => [path, []]));
  while (!state.isOver) {
    for (const path of OTHERS) {
      const startedAt = performance.now();
      const answer = await fetch(`${url}/api/auth${path}`, { headers: { cookie } });
      await answer.text();
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      times.get(path)?.push(performance.now() - startedAt);
    }
  }
  await until;
  return times;
}

async function startServer(dataDir: string, databaseUrl: string | undefined) {
  const server: ChildProcess = spawn(process.execPath, ["src/server/main.ts"], {
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? "",
      PORT: "0",
      SIMULATION: "off",
      AUTH_RATE_LIMIT: "off",
      LOG_LEVEL: "error",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((opened, failed) => {
    let printed = "";
    server.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString("utf8");
      const address = / is open at (http:\/\/\S+)/.exec(printed)?.[1];
      if (address !== undefined) opened(address);
    });
    server.once("exit", () => failed(new Error(`the server did not start:\n${printed}`)));
  });
  return { server, url };
}

/** @returns the cookies of the new session */
async function signUp(url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ email, password: PASSWORD, name: "Someone" }),
  });
  if (!answer.ok) throw new Error(`a sign-up answered ${answer.status}: ${await answer.text()}`);
  await answer.text();
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");
}

function summary(times: readonly number[]): string {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => {
    const found = sorted.at(Math.min(sorted.length - 1, Math.floor(sorted.length * share)));
    return `${(found ?? Number.NaN).toFixed(1)} ms`;
  };
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}, of ${sorted.length}`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
