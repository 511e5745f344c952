/**
 * The thread of check-database.ts. It reads through the same copy of SQLite as all other code:
 * Linux keeps locks per process, so a second copy of the library does not see the first one's,
 * reads pages while they are replaced, and drops all locks of the process when it closes the file.
 */
import { parentPort, workerData } from "node:worker_threads";
import SqliteFile from "better-sqlite3";
import { loadSqlite } from "../database/load-sqlite.ts";

const BUSY_WAIT_MS_MAX = 60_000;
const FINDINGS_MAX = 1;

export type FromCheckWorker =
  | { readonly type: "loaded" }
  | { readonly type: "found"; readonly finding: string };

function finding(path: string): string {
  const database = new SqliteFile(path, { readonly: true, timeout: BUSY_WAIT_MS_MAX });
  try {
    return String(database.pragma(`quick_check(${FINDINGS_MAX})`, { simple: true }));
  } catch (error) {
    // The damage may be such that the check itself fails.
    return error instanceof Error ? error.message : String(error);
  } finally {
    database.close();
  }
}

if (parentPort === null) throw new Error("check-worker.ts runs as a worker only");
const port = parentPort;
const send = (message: FromCheckWorker) => port.postMessage(message);
loadSqlite();
send({ type: "loaded" });
send({ type: "found", finding: finding(workerData as string) });
