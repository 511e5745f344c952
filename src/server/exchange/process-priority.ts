/**
 * Lets the process that takes snapshots run only where nobody else has work. On Linux alone a
 * scheduler tells such processes apart; being the nicest is not enough there, since one that was
 * woken up still waits until the other has had its slice, which took a flush of the journal past 4 ms
 * again and again. Elsewhere, or where the system has no `chrt`, it is the nicest.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** The last that the scheduler turns to. */
const NICEST = 19;
/** The first that the system ends where memory is short. */
const FIRST_TO_GO = "1000";

/** Of the process that calls it, all its threads and those that they start, for good. */
export function giveWay(): void {
  if (process.platform !== "linux") {
    tryTo(() => setPriority(process.pid, NICEST));
    return;
  }
  tryTo(() => writeFileSync("/proc/self/oom_score_adj", FIRST_TO_GO));
  // This thread is the first of them, and last here: what it starts has the priority that it has.
  const threads = readdirSync("/proc/self/task").map(Number).toReversed();
  for (const thread of threads) {
    tryTo(() => setPriority(thread, NICEST));
    // The short options, which busybox names in its usage, too; without `chrt` the nicety remains.
    spawnSync("chrt", ["-i", "-p", "0", String(thread)]);
  }
}

/** A thread may have ended meanwhile, or it is not allowed: the snapshot is taken all the same. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // As it was.
  }
}
