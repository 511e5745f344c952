import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { visitFromAnotherProcess } from "#test/support/visit-sqlite.ts";
import { openDatabase } from "../database/open-database.ts";
import { sqlitePathOf } from "../database/sqlite.ts";
import { createSilentLog } from "../log.ts";
import { checkSqlite } from "./check-database.ts";

test("pages of SQLite that are damaged are found", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "openbell-check-"));
  try {
    const path = join(dataDir, "openbell.sqlite");
    const database = new DatabaseSync(path);
    database.exec("create table t (a integer primary key, b text)");
    database.exec(
      "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) " +
        "insert into t select i, hex(randomblob(50)) from n",
    );
    database.close();
    const file = await open(path, "r+");
    await file.write(new Uint8Array(4096).fill(0x5a), 0, 4096, 4096 * 20);
    await file.close();
    const finding = await new Promise<string>((onDamage) =>
      checkSqlite({ dataDir, log: createSilentLog(), onDamage }),
    );
    expect(finding).toMatch(/malformed|[Pp]age|b-tree/);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

test("a check leaves the locks of the running exchange: another program does not remove its log", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "openbell-check-"));
  const log = createSilentLog();
  const database = await openDatabase({ dataDir, log });
  try {
    await database.migrate();
    const path = sqlitePathOf(dataDir);
    const { ino } = statSync(`${path}-wal`);
    const worker = new Worker(new URL("./check-worker.ts", import.meta.url), { workerData: path });
    const messages: unknown[] = [];
    worker.on("message", (message) => messages.push(message));
    await once(worker, "exit");
    expect(messages).toEqual([{ type: "loaded" }, { type: "found", finding: "ok" }]);
    await visitFromAnotherProcess(path);
    expect(statSync(`${path}-wal`).ino).toBe(ino);
  } finally {
    await database.close();
    rmSync(dataDir, { recursive: true });
  }
});

test("a check that is cancelled at once ends its thread only when that has loaded", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "openbell-check-"));
  const messages: unknown[] = [];
  const listener = (worker: Worker) => worker.on("message", (message) => messages.push(message));
  process.on("worker", listener);
  try {
    await checkSqlite({ dataDir, log: createSilentLog(), onDamage: () => undefined })();
    expect(messages).toContainEqual({ type: "loaded" });
  } finally {
    process.off("worker", listener);
    rmSync(dataDir, { recursive: true });
  }
});
