/**
 * Runs the processes that take snapshots, one at a time and only where nobody else has work.
 *
 * Whoever starts a process has its page tables copied, and does nothing else meanwhile: 8 to 17 ms of an
 * exchange with 200 to 380 MB (docs/decisions/012). So a shell starts them that is itself started while
 * the exchange is small. Without one, as on Windows, the exchange starts each by itself.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { FromSnapshotProcess, SnapshotTask } from "./snapshot-messages.ts";

const PROGRAM = fileURLToPath(new URL("./snapshot-process.ts", import.meta.url));
/**
 * Everything on one thread: those that compile and collect would take the second core from under a
 * thread of the exchange that is just about to be woken.
 */
const ONE_THREAD = "--single-threaded";
/** The last that a scheduler turns to. */
const NICEST = 19;
const SHELL = "/bin/sh";
const hasShell = existsSync(SHELL);
/**
 * Gives itself the last priority and on Linux, where being the nicest is not enough, the idle policy: a
 * thread that is woken up still waits until a nicer one has had its slice, up to 4 ms. Then the highest
 * score of those to be ended where memory is short, and becomes the process: that has all of it from its
 * first instruction on, since loading its code alone takes a core for a quarter of a second. What is not
 * there or not allowed stays as it was. The options of `chrt` are the short ones, which busybox knows, too.
 */
const BEHIND_OTHERS = `
  renice -n ${NICEST} -p $$ > /dev/null 2>&1
  chrt -i -p 0 $$ > /dev/null 2>&1
  { echo 1000 > /proc/$$/oom_score_adj; } 2> /dev/null
  exec "$0" "$@"`;
/** Starts the process for each line that it reads; says which it is and, in the end, how it ended. */
const START_EACH = `
  trap "" INT TERM
  while read -r _; do
    ${SHELL} -c '${BEHIND_OTHERS}' "$0" "$@" &
    echo $!
    wait $! 2> /dev/null
    echo $?
  done`;

interface Run {
  readonly hear: (message: FromSnapshotProcess) => void;
  readonly ended: (how: string) => void;
}

export class SnapshotProcesses {
  /** The shell, or without one the process itself; what the process says comes from either. */
  #starter: ChildProcess | undefined;
  #run: Run | undefined;
  /** What the shell has started, while it runs. */
  #startedPid: number | undefined;

  constructor() {
    if (!hasShell) return;
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
    starter.stdin?.write("\n");
    // Where it ends before it was told everything, its end is what counts.
    if (starter.connected) starter.send(task, () => undefined);
    return promise;
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    const starter = this.#starter;
    if (starter?.connected !== true) return;
    // It does nothing any more, but where others keep all cores busy it may take seconds to give its
    // memory back: nobody waits for that.
    try {
      if (this.#startedPid !== undefined) process.kill(this.#startedPid, "SIGKILL");
    } catch {
      // It has ended, which the shell has not said yet.
    }
    const ended = new Promise((resolve) => starter.once("exit", resolve));
    starter.kill("SIGKILL");
    if (this.#run !== undefined) await ended;
  }

  #start(): ChildProcess {
    const node = [process.execPath, ...process.execArgv, ONE_THREAD, PROGRAM];
    const [command, ...args] = hasShell ? [SHELL, "-c", START_EACH, ...node] : node;
    const starter = spawn(command, args, {
      serialization: "advanced",
      // What keeps it from answering is told to whoever reads the exchange's errors.
      stdio: ["pipe", "pipe", "inherit", "ipc"],
    });
    // While nothing is under way it does not keep this process.
    starter.unref();
    starter.channel?.unref();
    for (const pipe of [starter.stdin, starter.stdout]) (pipe as Socket | null)?.unref();
    const ended = (how: unknown) => {
      if (this.#starter === starter) this.#starter = undefined;
      this.#endRun(String(how));
    };
    starter.on("error", ended);
    starter.once("exit", (code, signal) => ended(signal ?? `code ${code}`));
    starter.on("message", (message: FromSnapshotProcess) => this.#run?.hear(message));
    // Of one that has ended, which is told by itself.
    starter.stdin?.on("error", () => undefined);
    starter.stdout?.on("data", (lines: Buffer) => {
      for (const line of lines.toString().trim().split("\n")) this.#hear(Number(line));
    });
    if (!hasShell && starter.pid !== undefined) setPriority(starter.pid, NICEST);
    return starter;
  }

  /** First the process that the shell has started, then how it has ended. */
  #hear(number: number): void {
    if (this.#startedPid === undefined) {
      this.#startedPid = number;
      return;
    }
    this.#startedPid = undefined;
    // What the process said before arrives in the same turn of the loop, through another pipe.
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

/** A shell counts the signal that ended a process from 128. */
function endOf(status: number): string {
  const ended = Object.entries(constants.signals).find(([, signal]) => signal === status - 128);
  return ended === undefined ? `code ${status}` : ended[0];
}
