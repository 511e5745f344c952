/** Read models that are not made: they tell what /proc has of the process in which they would be. */
import { readdirSync, readFileSync } from "node:fs";
import type { SnapshotReadModels } from "#server/exchange/snapshots/snapshot-messages.ts";

export interface ToldByProcess {
  readonly threads: readonly { readonly nicety: number; readonly policy: number }[];
  readonly outOfMemoryScore: number;
  readonly execArgv: readonly string[];
}

export function createReadModels(): SnapshotReadModels {
  const threads = readdirSync("/proc/self/task").map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { nicety: Number(fields[16]), policy: Number(fields[38]) };
  });
  const outOfMemoryScore = Number(readFileSync("/proc/self/oom_score_adj", "utf8"));
  const told: ToldByProcess = { threads, outOfMemoryScore, execArgv: process.execArgv };
  throw new Error(JSON.stringify(told));
}
