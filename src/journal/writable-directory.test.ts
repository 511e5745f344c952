import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { directoryProblem, makeWritableDirectory } from "./writable-directory.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "openbell-directory-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a directory that is missing is made, and one that is there is taken", () => {
  const path = join(folder, "a/b");
  makeWritableDirectory(path);
  expect(existsSync(path)).toBe(true);
  expect(() => makeWritableDirectory(path)).not.toThrow();
});

test("a file in its place is refused with what to do", () => {
  const path = join(folder, "file");
  writeFileSync(path, "");
  const sentence = "or what it is in, is a file; name a directory";
  expect(() => makeWritableDirectory(path)).toThrow(`${path}, ${sentence}`);
  expect(() => makeWritableDirectory(join(path, "below"))).toThrow(sentence);
});

test.each(["EACCES", "EPERM", "EROFS"])("%s names who may write it, and systemd", (code) => {
  const reason = directoryProblem("/backups", Object.assign(new Error("no"), { code }));
  expect(reason).toMatch(/^\/backups cannot be written; give it to .+ ReadWritePaths= \(no\)$/);
});
