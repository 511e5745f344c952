/**
 * Runs the processes that take snapshots, one at a time, through the small one that starts them and
 * that is itself started here, while the exchange is small, too.
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type {
  FromSnapshotProcess,
  FromSnapshotStarter,
  SnapshotTask,
} from "./snapshot-messages.ts";

/**
 * Everything on one thread: those that compile and collect would take the second core from under a
 * thread of the exchange that is just about to be woken.
 */
const ONE_THREAD = "--single-threaded";
const STARTER = fileURLToPath(new URL("./snapshot-starter.ts", import.meta.url));

interface Run {
  readonly hear: (message: FromSnapshotProcess) => void;
  readonly ended: (how: string) => void;
}

export class SnapshotProcesses {
  #starter: ChildProcess | undefined;
  #run: Run | undefined;

  constructor() {
    try {
      this.#starter = this.#start();
    } catch {
      // The first snapshot tries again, and says why.
    }
  }

  /**
   * Resolves with the exit code or signal of the process that was given the task, or with what kept
   * it from starting, when everything that it said has been heard.
   */
  async run(task: SnapshotTask, hear: (message: FromSnapshotProcess) => void): Promise<string> {
    const starter = (this.#starter ??= this.#start());
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#run = { hear, ended: resolve };
    starter.ref();
    // Where it ends before it was told everything, its end is what counts.
    if (starter.connected) starter.send(task, () => undefined);
    return promise;
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    const starter = this.#starter;
    if (starter === undefined || !starter.connected) return;
    starter.disconnect();
    if (this.#run !== undefined) await new Promise((resolve) => starter.once("exit", resolve));
  }

  #start(): ChildProcess {
    const starter = fork(STARTER, {
      execArgv: [...process.execArgv, ONE_THREAD],
      serialization: "advanced",
      // What keeps it from answering is told to whoever reads the exchange's errors.
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    // While nothing is under way it does not keep this process.
    starter.unref();
    starter.channel?.unref();
    const ended = (how: unknown) => {
      if (this.#starter === starter) this.#starter = undefined;
      this.#endRun(String(how));
    };
    starter.on("error", ended);
    starter.once("exit", (code, signal) => ended(signal ?? `code ${code}`));
    starter.on("message", (message: FromSnapshotStarter) => {
      if (message.kind === "ended") this.#endRun(message.how);
      else this.#run?.hear(message);
    });
    return starter;
  }

  #endRun(how: string): void {
    const run = this.#run;
    this.#run = undefined;
    this.#starter?.unref();
    run?.ended(how);
  }
}
