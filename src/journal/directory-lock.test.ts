import { writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { lockDirectory } from "./directory-lock.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "openbell-lock-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true });
});

test("a lock file that is none may be removed", () => {
  writeFileSync(join(directory, "lock"), "x".repeat(5_000));
  expect(() => lockDirectory(directory)).toThrow(
    /cannot be locked: .+\. If no exchange runs on .+, remove it\.$/,
  );
});

test("on a full disk no one is told to remove the lock", () => {
  const full = Object.assign(new Error("database or disk is full"), { errcode: 13 });
  vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(() => {
    throw full;
  });
  expect(() => lockDirectory(directory)).toThrow(/cannot be locked: database or disk is full\.$/);
});
