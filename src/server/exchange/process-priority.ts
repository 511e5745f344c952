/**
 * Lets the process that takes snapshots run only where nobody else has work. On Linux alone a
 * scheduler tells such processes apart; being the nicest is not enough there, since one that was
 * woken up still waits until the other has had its slice, which took a flush of the journal past 4 ms
 * again and again. Elsewhere, or where the system has no `chrt`, it is the nicest.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { setPriority } from "node:os";

/** The last that the scheduler turns to. */
const NICEST = 19;

/** Of the process that calls it, all its threads and those that they start, for good. */
export function giveWay(): void {
  try {
    if (process.platform !== "linux") {
      setPriority(process.pid, NICEST);
      return;
    }
    for (const thread of readdirSync("/proc/self/task")) setPriority(Number(thread), NICEST);
    // util-linux and busybox have it; without it nothing but the nicety remains.
    spawnSync("chrt", ["--idle", "--all-tasks", "--pid", "0", String(process.pid)]);
  } catch {
    // A thread that has ended meanwhile, or not allowed: the snapshot is taken all the same.
  }
}
