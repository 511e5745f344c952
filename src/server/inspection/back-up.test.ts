import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockDirectory } from "#journal/directory-lock.ts";
import { opening } from "#test/engine/commands.ts";
import { journalDirectoryOf, openExchange } from "../exchange/open-exchange.ts";
import { verifyJournal } from "./verify-journal.ts";
import { backUp } from "./back-up.ts";

let folder: string;
let from: string;
let to: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "openbell-back-up-"));
  from = join(folder, "data");
  to = join(folder, "copy");
  const exchange = await openExchange({
    dataDir: from,
    onEvents: () => undefined,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  for (const command of opening(2 ** 40, 2 ** 36).slice(0, 1)) await exchange.submit(command);
  await exchange.close();
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a backup that fails leaves no target, and the next one makes it", async () => {
  writeFileSync(join(from, "openbell.sqlite"), "no database");
  await expect(backUp({ from, to })).rejects.toThrow("not a database");
  expect(readdirSync(folder)).toEqual(["data"]);
  rmSync(join(from, "openbell.sqlite"));
  await backUp({ from, to });
  expect(readdirSync(folder)).toEqual(["copy", "data"]);
  expect(readdirSync(to).filter((name) => name.startsWith("lock"))).toEqual([]);
  expect(await verifyJournal({ dataDir: to })).toMatchObject({ sequence: 1, faults: [] });
});

test("what a backup that was killed has left is told and replaced", async () => {
  lockDirectory(`${to}.partial`).release();
  mkdirSync(journalDirectoryOf(`${to}.partial`));
  writeFileSync(join(`${to}.partial`, "half"), "");
  const told: string[] = [];
  await backUp({ from, to, tell: (sentence) => told.push(sentence) });
  expect(told).toEqual([`${to}.partial is left of a backup that did not end; it is replaced.`]);
  expect(existsSync(`${to}.partial`)).toBe(false);
  expect(readdirSync(to)).not.toContain("half");
  expect(await verifyJournal({ dataDir: to })).toMatchObject({ sequence: 1, faults: [] });
});

test("a backup touches neither another one's unfinished target nor what is none", async () => {
  const lock = lockDirectory(`${to}.partial`);
  await expect(backUp({ from, to })).rejects.toThrow(
    `another backup, with pid ${process.pid}, writes to ${to}.partial`,
  );
  lock.release();
  rmSync(`${to}.partial`, { recursive: true });
  mkdirSync(`${to}.partial`);
  writeFileSync(join(`${to}.partial`, "letters"), "");
  await expect(backUp({ from, to })).rejects.toThrow("is no unfinished backup");
  expect(readdirSync(`${to}.partial`)).toEqual(["letters"]);
});
