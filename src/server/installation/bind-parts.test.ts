import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { noteShorterHistory } from "./bind-parts.ts";
import { readDirectoryRecord, writeDirectoryRecord } from "./directory-record.ts";

test("a history that a migration emptied is not asked for what it had, and a longer one changes nothing", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "openbell-record-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  noteShorterHistory(dataDir, 0);
  expect(readDirectoryRecord(dataDir)).toBeUndefined();
  const record = { journal: 7, sequence: 50, database: "d", databaseSequence: 40 };
  writeDirectoryRecord(dataDir, record);
  noteShorterHistory(dataDir, 45);
  expect(readDirectoryRecord(dataDir)).toEqual(record);
  noteShorterHistory(dataDir, 0);
  expect(readDirectoryRecord(dataDir)).toEqual({ ...record, databaseSequence: 0 });
});
