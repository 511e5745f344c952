/** Has SQLite check its pages, in a separate thread: a large database takes a while. */
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

/** @returns cancels it */
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
