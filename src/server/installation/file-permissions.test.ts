import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../database/open-database.ts";
import { createSilentLog } from "../log.ts";
import { protectDirectory } from "./file-permissions.ts";

let directory: string;
const modeOf = (...names: string[]) => statSync(join(directory, ...names)).mode & 0o777;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "openbell-protect-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test.skipIf(process.platform === "win32")("what others could read is closed, links aside", () => {
  const data = join(directory, "data");
  mkdirSync(join(data, "journal"), { recursive: true });
  for (const path of ["openbell.sqlite", "journal/segment"]) writeFileSync(join(data, path), "");
  writeFileSync(join(directory, "elsewhere"), "");
  symlinkSync(join(directory, "elsewhere"), join(data, "link"));
  for (const path of ["data", "data/journal"]) chmodSync(join(directory, path), 0o755);
  for (const path of ["data/openbell.sqlite", "data/journal/segment", "elsewhere"]) {
    chmodSync(join(directory, path), 0o644);
  }
  protectDirectory(data, createSilentLog());
  expect([modeOf("data"), modeOf("data", "journal")]).toEqual([0o700, 0o700]);
  expect(modeOf("data", "openbell.sqlite")).toBe(0o600);
  expect(modeOf("data", "journal", "segment")).toBe(0o600);
  expect(modeOf("elsewhere")).toBe(0o644);
});

test.skipIf(process.platform === "win32")("a new database is its owner's alone", async () => {
  const dataDir = join(directory, "data");
  const log = createSilentLog();
  const database = await openDatabase({ dataDir, log });
  await database.migrate();
  expect(modeOf("data")).toBe(0o700);
  for (const suffix of ["", "-wal", "-shm"]) {
    expect(modeOf("data", `openbell.sqlite${suffix}`)).toBe(0o600);
  }
  await database.close();
});
