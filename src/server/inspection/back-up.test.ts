import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { DirectoryLockedError, lockDirectory } from "#journal/directory-lock.ts";
import { openExchange } from "../exchange/open-exchange.ts";
import { createSilentLog } from "../log.ts";
import { backUp } from "./back-up.ts";

const renamed = vi.hoisted(() => ({ before(_from: string) {} }));
vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  return {
    ...real,
    rename: (from: string, to: string) => {
      renamed.before(from);
      return real.rename(from, to);
    },
  };
});

test("of two backups to one target one fails, and none takes the other's for a leftover", async () => {
  const folder = mkdtempSync(join(tmpdir(), "openbell-two-backups-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const from = join(folder, "data");
  const log = createSilentLog();
  await (await openExchange({ dataDir: from, log, onEvents: () => undefined })).close();
  const to = join(folder, "copy");
  const locked: unknown[] = [];
  renamed.before = (partial) => {
    try {
      lockDirectory(partial).release();
    } catch (error) {
      locked.push(error);
    }
  };
  const both = await Promise.allSettled([backUp({ from, to }), backUp({ from, to })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(locked).toEqual([expect.any(DirectoryLockedError)]);
  expect(readdirSync(to).filter((name) => name.startsWith("lock"))).toEqual([]);
  expect(readdirSync(folder).toSorted()).toEqual(["copy", "data"]);
});
