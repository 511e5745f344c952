/**
 * The thread of check-database.ts. It must use the same copy of the SQLite library as all other
 * code: Linux keeps file locks per process, so a second copy would not see the locks of the first,
 * would read pages while they are replaced, and would drop all locks of the process when it closes
 * the file.
 */
import { parentPort, workerData } from "node:worker_threads";
import SqliteFile from "better-sqlite3";
import { loadSqlite } from "../database/load-sqlite.ts";
import { messageOf } from "../log.ts";

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
    // The damage may make the check itself fail.
    return messageOf(error);
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
