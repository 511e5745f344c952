/** Has SQLite check its pages, in a separate thread: a large database takes a while. */
import { Worker } from "node:worker_threads";
import { sqlitePathOf } from "../database/sqlite.ts";
import type { Log } from "../log.ts";

export interface DatabaseCheck {
  readonly dataDir: string;
  readonly log: Log;
  readonly onDamage: (finding: string) => void;
}

/** @returns cancels it */
export function checkSqlite({ dataDir, log, onDamage }: DatabaseCheck): () => Promise<unknown> {
  const worker = new Worker(new URL("./check-worker.ts", import.meta.url), {
    workerData: sqlitePathOf(dataDir),
    name: "database check",
  });
  worker.unref();
  worker.on("message", (finding: string) => {
    if (finding !== "ok") onDamage(finding);
  });
  worker.on("error", (error) => log.warn({ err: error }, "the database could not be checked"));
  return () => worker.terminate();
}
