/**
 * The real server as a separate process on a free loopback port, with its own data directory: a copy of
 * one that a server has prepared, because continuing is faster than a first start.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { QUICK_START } from "./quick-start.ts";
import { copyPrepared } from "./prepared-directory.ts";

export interface RunningServer {
  readonly url: string;
  readonly dataDir: string;
  readonly pid: number | undefined;
  /** All output of the process so far. */
  output(): string;
  /** Stops the process gracefully; its data directory remains. */
  stop(): Promise<void>;
  /** Kills the process as a power cut would: nothing is flushed or closed. */
  kill(): Promise<void>;
  /** Freezes or continues the process. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  /** Restarts it on the same data directory and port. */
  restart(): Promise<void>;
  /** Stops the process and removes the data directory. */
  remove(): Promise<void>;
}

const CHEAP_PASSWORDS = new URL("./cheap-passwords.ts", import.meta.url).href;
/** Enough for a busy machine; ends a start that hangs. */
const START_LIMIT_MS = 150_000;

const HEALTH_EVERY_MS = 100;
/** Enough for markets that move: at the full pace an open trade page takes a quarter of a core. */
const SIMULATION_PACE_PERCENT = "15";

/** Ends the server with the test process, even if that is killed. */
const END_WITH_PARENT = `data:text/javascript,${encodeURIComponent(
  'process.once("disconnect", () => process.exit()); process.channel?.unref();',
)}`;

/** Processes that the test file has to end. */
const running = new Set<ChildProcess>();

/** Kills the processes that a failed test file did not remove. */
export async function endServerProcesses(): Promise<void> {
  await Promise.all([...running].map((child) => kill(child, "SIGKILL")));
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill(signal);
  await ended;
}

type Settings = Readonly<Record<string, string>>;

/** Starts on the test's own DATA_DIR or database, or on a copy of a prepared exchange. */
export async function startServerProcess(settings: Settings = {}): Promise<RunningServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "openbell-server-"));
  if (!("DATA_DIR" in settings || "DATABASE_URL" in settings)) {
    await copyExchange(settings.SIMULATION ?? "on", dataDir);
  }
  return startOn(dataDir, settings);
}

/** Fills the directory with a copy of a prepared exchange. */
export async function copyExchange(SIMULATION: string, dataDir: string): Promise<void> {
  await copyPrepared(`exchange-simulation-${SIMULATION}`, dataDir, async (directory) => {
    const server = await startOn(directory, { SIMULATION });
    await historyCaughtUp(server);
    await server.stop();
    // Else every start would invent the months before the simulation again.
    if (SIMULATION !== "on") return;
    // Loaded here alone, because it brings the engine, and every process of tests loads this file.
    const { writeSnapshot } = await import("./prepared-snapshot.ts");
    await writeSnapshot(directory);
  });
}

/**
 * Waits for the SQL history; otherwise every server on a copy would write the candles of the months
 * before the simulation again.
 */
async function historyCaughtUp({ url }: RunningServer): Promise<void> {
  let begun: number | undefined;
  for (;;) {
    const answer = await fetch(`${url}/api/health`);
    const { sequence, history } = (await answer.json()) as {
      sequence: number;
      history: { projectedSequence: number };
    };
    begun ??= sequence;
    if (history.projectedSequence >= begun) return;
    await delay(HEALTH_EVERY_MS);
  }
}

/** Starts on an empty data directory, as an operator's first start does. */
export async function beginServerProcess(settings: Settings = {}): Promise<RunningServer> {
  return startOn(mkdtempSync(join(tmpdir(), "openbell-server-")), settings);
}

async function startOn(dataDir: string, settings: Settings): Promise<RunningServer> {
  let port = "0";
  let child: ChildProcess | undefined;
  let printed = "";
  let url = "";

  async function start(): Promise<void> {
    const imports = [CHEAP_PASSWORDS, END_WITH_PARENT].flatMap((module) => ["--import", module]);
    const options = [...QUICK_START, ...imports, "src/server/main.ts"];
    const started = spawn(process.execPath, options, {
      // As with `npm start`: vitest's own NODE_ENV must not reach the server.
      env: {
        ...process.env,
        NODE_ENV: undefined,
        DATA_DIR: dataDir,
        PORT: port,
        SIMULATION_PACE_PERCENT,
        ...settings,
      },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    child = started;
    running.add(started);
    started.once("exit", () => running.delete(started));
    const before = printed.length;
    url = await new Promise<string>((opened, failed) => {
      const limit = setTimeout(
        () => failed(new Error(`no address after ${START_LIMIT_MS} ms:\n${printed}`)),
        START_LIMIT_MS,
      );
      const read = (chunk: Buffer): void => {
        printed += chunk.toString("utf8");
        // Behind a proxy the server also logs its public address, which differs.
        const address = / is open at (?:\S+, listening at )?(http:\/\/[^\s,]+)/.exec(
          printed.slice(before),
        )?.[1];
        if (address === undefined) return;
        clearTimeout(limit);
        opened(address);
      };
      started.stdout?.on("data", read);
      started.stderr?.on("data", read);
      started.once("exit", (code) => {
        clearTimeout(limit);
        failed(new Error(`the server ended with ${code}:\n${printed}`));
      });
    }).catch(async (error: unknown) => {
      await kill(started, "SIGKILL");
      throw error;
    });
    port = new URL(url).port;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child !== undefined) await kill(child, signal);
  }

  await start();
  return {
    get url() {
      return url;
    },
    get pid() {
      return child?.pid;
    },
    dataDir,
    output: () => printed,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    signal: (signal) => void child?.kill(signal),
    restart: start,
    async remove() {
      await end("SIGKILL");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
