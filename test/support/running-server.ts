/**
 * The real server as a real process on a free port of loopback, with its own data directory: a copy
 * of one that a server has prepared, since starting anew takes longer than continuing.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KEEP_COMPILED } from "./keep-compiled.ts";
import { copyPrepared } from "./prepared-directory.ts";

export interface RunningServer {
  readonly url: string;
  readonly dataDir: string;
  /** All output of the process so far. */
  output(): string;
  /** Stops the process in good order; its data directory stays. */
  stop(): Promise<void>;
  /** Kills the process as a power cut would: nothing is flushed or closed. */
  kill(): Promise<void>;
  /** Restarts it on the same data directory and port. */
  restart(): Promise<void>;
  /** Stops the process and removes the data directory. */
  remove(): Promise<void>;
}

const CHEAP_PASSWORDS = new URL("./cheap-passwords.ts", import.meta.url).href;
/** Long enough for a busy machine; ends a start that hangs. */
const START_LIMIT_MS = 150_000;

const running = new Set<ChildProcess>();

/** Those left by a test file that failed before it could remove them. */
export async function endServerProcesses(): Promise<void> {
  await Promise.all([...running].map((child) => kill(child, "SIGKILL")));
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (!running.has(child)) return;
  const ended = new Promise((done) => child.once("exit", done));
  child.kill(signal);
  await ended;
}

type Settings = Readonly<Record<string, string>>;

/** With the test's own DATA_DIR or database, or on a prepared exchange. */
export async function startServerProcess(settings: Settings = {}): Promise<RunningServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "openbell-server-"));
  if (!("DATA_DIR" in settings) && !("DATABASE_URL" in settings)) {
    const { SIMULATION = "on" } = settings;
    await copyPrepared(`exchange-simulation-${SIMULATION}`, dataDir, async (directory) => {
      const server = await startOn(directory, { SIMULATION });
      await server.stop();
    });
  }
  return startOn(dataDir, settings);
}

/** On an empty data directory: an operator's first start. */
export async function beginServerProcess(settings: Settings = {}): Promise<RunningServer> {
  return startOn(mkdtempSync(join(tmpdir(), "openbell-server-")), settings);
}

async function startOn(dataDir: string, settings: Settings): Promise<RunningServer> {
  let port = "0";
  let child: ChildProcess | undefined;
  let printed = "";
  let url = "";

  async function start(): Promise<void> {
    const options = [...KEEP_COMPILED, "--import", CHEAP_PASSWORDS, "src/server/main.ts"];
    const started = spawn(process.execPath, options, {
      // As with `npm start`: vitest's own NODE_ENV must not reach the server.
      env: { ...process.env, NODE_ENV: undefined, DATA_DIR: dataDir, PORT: port, ...settings },
      stdio: ["ignore", "pipe", "pipe"],
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
        // Behind a proxy its public address differs.
        const address = /(?: is open|, listening) at (http:\/\/[^\s,]+)/.exec(
          printed.slice(before),
        )?.[1];
        if (address === undefined) return;
        clearTimeout(limit);
        opened(address);
      };
      started.stdout.on("data", read);
      started.stderr.on("data", read);
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
    dataDir,
    output: () => printed,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    restart: start,
    async remove() {
      await end("SIGKILL");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
