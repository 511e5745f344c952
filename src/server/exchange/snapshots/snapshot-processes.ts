/**
 * Runs the processes that take snapshots, one at a time and only on otherwise idle cores.
 *
 * Starting a process copies the parent's page tables, and blocks the parent while it does: 8 to 17 ms
 * for an exchange with 200 to 380 MB (docs/decisions/012). So a shell, which is itself started
 * while the exchange is small, starts the processes. Without a shell, as on Windows, the exchange
 * starts each directly.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { FromSnapshotProcess, SnapshotTask } from "./snapshot-messages.ts";

const PROGRAM = fileURLToPath(new URL("./snapshot-process.ts", import.meta.url));
/**
 * Runs everything on one thread: compiler and collector threads would take the second core from a
 * thread of the exchange that is about to be woken.
 */
const ONE_THREAD = "--single-threaded";
const LOWEST_PRIORITY = 19;
const SHELL = "/bin/sh";
const hasShell = existsSync(SHELL);
/**
 * Shell commands that lower the priority and then become the process, so that all of this applies
 * from the first instruction: loading the program's code alone takes a core for a quarter of a
 * second. Sets the lowest priority and on Linux, where niceness is not enough (a woken thread still
 * waits until a nicer one has had its slice, up to 4 ms), the idle policy; then the highest OOM
 * score. Settings that are unavailable or not permitted are left unchanged. `chrt` gets its short
 * options, which busybox supports, too.
 */
const RUN_AT_LOWEST_PRIORITY = `
  renice -n ${LOWEST_PRIORITY} -p $$ > /dev/null 2>&1
  chrt -i -p 0 $$ > /dev/null 2>&1
  { echo 1000 > /proc/$$/oom_score_adj; } 2> /dev/null
  exec "$0" "$@"`;
/** Starts a process for each line of input; prints its id and, in the end, its exit status. */
const START_PER_LINE = `
  trap "" INT TERM
  while read -r _; do
    ${SHELL} -c '${RUN_AT_LOWEST_PRIORITY}' "$0" "$@" &
    echo $!
    wait $! 2> /dev/null
    echo $?
  done`;

interface Run {
  readonly onMessage: (message: FromSnapshotProcess) => void;
  readonly ended: (how: string) => void;
}

export class SnapshotProcesses {
  /** The shell or, without one, the process itself; either relays the process's messages. */
  #starter: ChildProcess | undefined;
  #run: Run | undefined;
  /** The id of the process that the shell has started, while it runs. */
  #startedPid: number | undefined;

  constructor() {
    if (!hasShell) return;
    try {
      this.#starter = this.#start();
    } catch {
      // The first snapshot tries again, and reports why this failed.
    }
  }

  /**
   * Resolves after all messages of the process have been received, with its exit code or signal, or
   * with the reason why it could not start.
   * @param msMax a process that takes longer is killed
   */
  async run(
    task: SnapshotTask,
    onMessage: (message: FromSnapshotProcess) => void,
    msMax: number,
  ): Promise<string> {
    const starter = (this.#starter ??= this.#start());
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#run = { onMessage, ended: resolve };
    starter.ref();
    starter.stdin?.write("\n");
    // If the process ends before it received everything, its exit is what counts.
    if (starter.connected) starter.send(task, () => undefined);
    const limit = setTimeout(() => this.#endProcess(starter), msMax).unref();
    return promise.finally(() => clearTimeout(limit));
  }

  /** Ends the process that runs; the shell, if there is one, stays and reports the end. */
  #endProcess(starter: ChildProcess): void {
    try {
      if (this.#startedPid === undefined) starter.kill("SIGKILL");
      else process.kill(this.#startedPid, "SIGKILL");
    } catch {
      // The process has ended, but the shell has not reported that yet.
    }
  }

  async close(): Promise<void> {
    const starter = this.#starter;
    if (starter?.connected !== true) return;
    // The process no longer does anything, but on busy cores releasing its memory may take seconds,
    // for which nothing waits.
    try {
      if (this.#startedPid !== undefined) process.kill(this.#startedPid, "SIGKILL");
    } catch {
      // The process has ended, but the shell has not reported that yet.
    }
    const ended = new Promise((resolve) => starter.once("exit", resolve));
    starter.kill("SIGKILL");
    if (this.#run !== undefined) await ended;
  }

  #start(): ChildProcess {
    const node = [process.execPath, ...process.execArgv, ONE_THREAD, PROGRAM];
    const [command, ...args] = hasShell ? [SHELL, "-c", START_PER_LINE, ...node] : node;
    const starter = spawn(command, args, {
      serialization: "advanced",
      // The process writes the reason why it cannot answer to the exchange's error output.
      stdio: ["pipe", "pipe", "inherit", "ipc"],
    });
    // While idle, the shell must not keep this process alive.
    starter.unref();
    starter.channel?.unref();
    for (const pipe of [starter.stdin, starter.stdout]) (pipe as Socket | null)?.unref();
    const onEnd = (how: unknown) => {
      if (this.#starter === starter) this.#starter = undefined;
      this.#endRun(String(how));
    };
    starter.on("error", onEnd);
    starter.once("exit", (code, signal) => onEnd(signal ?? `code ${code}`));
    starter.on("message", (message: FromSnapshotProcess) => this.#run?.onMessage(message));
    // Writing to a process that has ended fails; its end is reported separately.
    starter.stdin?.on("error", () => undefined);
    starter.stdout?.on("data", (lines: Buffer) => {
      for (const line of lines.toString().trim().split("\n")) this.#onStatus(Number(line));
    });
    if (!hasShell && starter.pid !== undefined) setPriority(starter.pid, LOWEST_PRIORITY);
    return starter;
  }

  /**
   * Handles a number from the shell: first the id of the process that it has started, then the
   * process's exit status.
   */
  #onStatus(number: number): void {
    if (this.#startedPid === undefined) {
      this.#startedPid = number;
      return;
    }
    this.#startedPid = undefined;
    // The process's earlier messages arrive in the same turn of the loop, through another pipe.
    setImmediate(() => this.#endRun(endOf(number)));
  }

  #endRun(how: string): void {
    const run = this.#run;
    this.#run = undefined;
    this.#startedPid = undefined;
    this.#starter?.unref();
    run?.ended(how);
  }
}

/** A shell reports the signal that ended a process as 128 plus its number. */
function endOf(status: number): string {
  const ended = Object.entries(constants.signals).find(([, signal]) => signal === status - 128);
  return ended === undefined ? `code ${status}` : ended[0];
}
