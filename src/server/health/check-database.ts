/** Runs SQLite's integrity check in a separate thread, because it takes long for a large database. */
import { Worker } from "node:worker_threads";
import { sqlitePathOf } from "../database/sqlite.ts";
import { workerLoaded } from "../database/worker-loaded.ts";
import type { Log } from "../log.ts";
import type { FromCheckWorker } from "./check-worker.ts";

export interface DatabaseCheck {
  readonly dataDir: string;
  readonly log: Log;
  readonly onDamage: (finding: string) => void;
}

/**
 * Starts a check.
 * @returns a function that cancels it
 */
export function checkSqlite({ dataDir, log, onDamage }: DatabaseCheck): () => Promise<void> {
  const worker = new Worker(new URL("./check-worker.ts", import.meta.url), {
    workerData: sqlitePathOf(dataDir),
    name: "database check",
  });
  worker.unref();
  const loaded = workerLoaded(worker);
  worker.on("message", (message: FromCheckWorker) => {
    if (message.type === "found" && message.finding !== "ok") onDamage(message.finding);
  });
  worker.on("error", (error) => log.warn({ err: error }, "the database could not be checked"));
  return async () => {
    await loaded;
    await worker.terminate();
  };
}
