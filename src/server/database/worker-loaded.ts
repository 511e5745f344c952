/**
 * Node aborts the whole process if a thread is terminated while it loads a native addon such as
 * better-sqlite3 ("FATAL ERROR: Error::New napi_get_last_error_info"). A thread that uses SQLite
 * therefore calls `loadSqlite`, then sends a first message, and is terminated only after it.
 */
import type { Worker } from "node:worker_threads";

/**
 * @returns a promise that resolves once the thread may be terminated: after its first message, or
 * its end
 */
export async function workerLoaded(worker: Worker): Promise<void> {
  await new Promise<void>((resolve) => {
    worker.once("message", () => resolve());
    worker.once("exit", () => resolve());
  });
}
