import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { prepareArchive } from "./journal-archive.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "openbell-archive-"));
});
afterEach(() => rmSync(root, { recursive: true }));

const prepare = (directory: string | undefined) =>
  prepareArchive({ dataDir: join(root, "data"), directory, afterDays: 2 });

test("the archive's directory is made, and its days become milliseconds", () => {
  const directory = join(root, "disk/archive");
  expect(prepare(directory)).toEqual({ directory, afterMs: 172_800_000 });
  expect(existsSync(directory)).toBe(true);
  expect(prepare(undefined)).toBeUndefined();
});

test("an archive that cannot be one is refused with the setting's name", () => {
  expect(() => prepare(join(root, "data"))).toThrow("ARCHIVE_DIR is wrong");
  expect(() => prepare(join(root, "data/archive"))).toThrow("is inside the data directory");
  writeFileSync(join(root, "file"), "");
  expect(() => prepare(join(root, "file"))).toThrow(
    /^The setting ARCHIVE_DIR is wrong: .+ is a file; name a directory\.$/,
  );
});
