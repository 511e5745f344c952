import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { copyPrepared } from "../support/prepared-directory.ts";

async function makeOne(directory: string): Promise<void> {
  mkdirSync(directory);
  writeFileSync(join(directory, "made"), "");
}

async function fail(): Promise<void> {
  throw new Error("it failed");
}

test("what could not be made is made by the next that wants it, and then by no other", async () => {
  const copy = mkdtempSync(join(tmpdir(), "openbell-copy-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  const first = copyPrepared("tried", copy, fail);
  const second = copyPrepared("tried", copy, makeOne);
  await expect(first).rejects.toThrow("it failed");
  await second;
  await copyPrepared("tried", copy, fail);
  expect(readdirSync(copy)).toEqual(["made"]);
});
