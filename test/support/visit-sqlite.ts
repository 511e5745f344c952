/**
 * Opens and closes an SQLite file from another process; closing the last connection removes its
 * write-ahead log.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export async function visitFromAnotherProcess(path: string): Promise<void> {
  const visit = `
    import { DatabaseSync } from "node:sqlite";
    const database = new DatabaseSync(${JSON.stringify(path)}, { timeout: 5000 });
    database.prepare("select count(*) from sqlite_master").get();
    database.close();`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", visit]);
}
