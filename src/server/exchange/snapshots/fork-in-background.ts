/**
 * Starts a process that runs only where nobody else has work, and is the first to go where memory is
 * short: from its first instruction on, since loading its code alone takes a core for a quarter of a
 * second.
 *
 * On Linux alone a scheduler tells such processes apart. Being the nicest is not enough there: a
 * thread that is woken up still waits until a nicer one has had its slice, up to 4 ms. It is what
 * remains elsewhere, and where the system has no `chrt`.
 */
import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { setPriority } from "node:os";

/** The last that a scheduler turns to. */
const NICEST = 19;
const SHELL = "/bin/sh";
/**
 * Gives itself the idle policy and the highest score of those to be ended, then becomes the process:
 * whatever threads that starts inherit both. What is not there or not allowed stays as it was. The
 * options of `chrt` are the short ones, which busybox knows, too.
 */
const BEHIND_OTHERS = `
  chrt -i -p 0 $$ > /dev/null 2>&1
  { echo 1000 > /proc/$$/oom_score_adj; } 2> /dev/null
  exec "$0" "$@"`;

/**
 * @param program the module to run
 * @param options as of `fork`; `execPath` is not for the caller, `execArgv` are Node's options
 */
export function forkInBackground(program: string, options: ForkOptions): ChildProcess {
  const nodeOptions = options.execArgv ?? process.execArgv;
  const child = fork(
    program,
    process.platform === "linux" && existsSync(SHELL)
      ? {
          ...options,
          execPath: SHELL,
          execArgv: ["-c", BEHIND_OTHERS, process.execPath, ...nodeOptions],
        }
      : options,
  );
  try {
    if (child.pid !== undefined) setPriority(child.pid, NICEST);
  } catch {
    // It has ended already, or it is not allowed: it runs all the same.
  }
  return child;
}
