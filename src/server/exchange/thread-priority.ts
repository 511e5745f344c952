/**
 * Lets the thread that writes snapshots run after those that somebody waits for. It keeps those busy
 * that compile and collect for the whole process, which would stand beside the main thread and the
 * engine's as their equals: so these go between the two.
 *
 * Linux alone has a priority for each thread. Elsewhere, and where it is not allowed, nothing changes.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { basename } from "node:path";

const THREADS = "/proc/self/task";
/** As Node names the threads that compile and collect. */
const HELPER_NAME = "node-V8Worker";
// Of the scheduler: a higher number waits for a lower one, and 19 is the last.
const HELPERS_BEHIND = 10;
const LAST = 19;

/** Of the thread that calls it, and of the process's helpers, for good. */
export function giveWay(): void {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), LAST);
    const helperPriority = Math.min(LAST, getPriority(process.pid) + HELPERS_BEHIND);
    for (const thread of readdirSync(THREADS)) {
      const name = readFileSync(`${THREADS}/${thread}/comm`, "utf8");
      if (name.startsWith(HELPER_NAME)) setPriority(Number(thread), helperPriority);
    }
  } catch {
    // A thread that has ended meanwhile, or a system without /proc: the snapshot is taken all the same.
  }
}
