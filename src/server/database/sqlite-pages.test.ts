import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqliteFile from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSilentLog } from "../log.ts";
import { DatabaseError } from "./database-error.ts";
import { openDatabase, openDatabaseToRead } from "./open-database.ts";
import { isLogDamaged, missingPages } from "./sqlite-pages.ts";

let dataDir: string;
let path: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "openbell-pages-"));
  path = join(dataDir, "openbell.sqlite");
});
afterEach(() => rmSync(dataDir, { recursive: true }));

/** As a killed process leaves it: some pages are in the log only. */
function writeWithLog(): void {
  const original = join(dataDir, "original.sqlite");
  const database = new SqliteFile(original);
  database.pragma("journal_mode = WAL");
  database.exec("create table t (a integer primary key, b text)");
  const fill = database.prepare(
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000) " +
      "insert into t (b) select hex(randomblob(50)) from n",
  );
  fill.run();
  database.pragma("wal_checkpoint(truncate)");
  fill.run();
  for (const beside of ["", "-wal"]) copyFileSync(`${original}${beside}`, `${path}${beside}`);
  database.close();
}

const cutToHalf = () => truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096);

test("a file whose last pages are in the log only misses none", () => {
  writeWithLog();
  expect(missingPages(path)).toBeUndefined();
});

test("a file that was cut misses pages, with a log and without", () => {
  writeWithLog();
  const { size } = statSync(path);
  cutToHalf();
  const cut = missingPages(path);
  expect(cut?.missing).toBeGreaterThan(0);
  // The log has some of the pages that the file lost, but not most of them.
  expect(cut?.missing).toBeLessThanOrEqual(Math.ceil(size / 8192));
  rmSync(`${path}-wal`);
  expect(missingPages(path)?.missing).toBe(Math.ceil(size / 8192));
});

test("rubbish in place of a log is damage; a log that was not begun or not finished is none", async () => {
  writeWithLog();
  expect(isLogDamaged(path)).toBe(false);
  truncateSync(`${path}-wal`, 31);
  expect(isLogDamaged(path)).toBe(false);
  writeFileSync(`${path}-wal`, Buffer.alloc(8192));
  expect(isLogDamaged(path)).toBe(false);
  rmSync(`${path}-wal`);
  expect(isLogDamaged(path)).toBe(false);
  writeFileSync(`${path}-wal`, Buffer.alloc(8192, "rubbish"));
  expect(isLogDamaged(path)).toBe(true);
  await expect(openDatabaseToRead({ dataDir })).rejects.toThrow(
    `${path} is damaged: ${path}-wal, where its last changes were, is no write-ahead log.`,
  );
});

test("what is cut off a log changes nothing, and other files are none of its concern", () => {
  writeWithLog();
  truncateSync(`${path}-wal`, 40);
  expect(missingPages(path)).toBeUndefined();
  truncateSync(path, 99);
  expect(missingPages(path)).toBeUndefined();
});

test("an exchange with a database that was cut is told what to do before anything is written", async () => {
  const database = await openDatabase({ dataDir, log: createSilentLog() });
  await database.migrate();
  for (const beside of ["", "-wal"]) copyFileSync(`${path}${beside}`, `${path}.copy${beside}`);
  await database.close();
  for (const beside of ["", "-wal"]) copyFileSync(`${path}.copy${beside}`, `${path}${beside}`);
  // The first pages are in the log alone until it is checkpointed.
  const visitor = new SqliteFile(path);
  visitor.pragma("wal_checkpoint(passive)");
  visitor.close();
  truncateSync(path, 8192);
  const opening = openDatabaseToRead({ dataDir });
  await expect(opening).rejects.toThrow(DatabaseError);
  await expect(openDatabaseToRead({ dataDir })).rejects.toThrow(
    /is damaged: \d+ of its \d+ pages are missing.*from a backup.*npx openbell adopt-database/s,
  );
  expect(statSync(path).size).toBe(8192);
});
