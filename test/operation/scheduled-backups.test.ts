/** Backups that a running exchange takes of itself: proven, rotated, never at the cost of a good one. */
import { spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HealthReport } from "#contract/health.ts";
import { compressSegments } from "#journal/compress-segments.ts";
import { scheduleBackups } from "#server/backups/scheduled-backups.ts";
import { journalDirectoryOf } from "#server/exchange/open-exchange.ts";
import { createSilentLog } from "#server/log.ts";
import { verifyJournal } from "#server/inspection/verify-journal.ts";
import { hasPostgres, onPostgres, postgresUrlOf } from "../support/own-database.ts";
import { isFull } from "../support/run-counts.ts";
import { copyExchange, type RunningServer, startServerProcess } from "../support/running-server.ts";
import { signUp } from "../hostile-input/bad-input-clients.ts";

const PATIENCE = { timeout: 120_000 };

let root: string;
let folder: string;
const servers: RunningServer[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "openbell-scheduled-"));
  folder = join(root, "backups");
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.remove();
  rmSync(root, { recursive: true });
});

async function started(settings: Record<string, string>): Promise<RunningServer> {
  const server = await startServerProcess({
    AUTH_RATE_LIMIT: "off",
    SIMULATION: "off",
    ...settings,
  });
  servers.push(server);
  return server;
}

/** The data of an exchange that has run and does not any more. */
async function stoppedExchange(): Promise<string> {
  const dataDir = join(root, "data");
  await copyExchange("off", dataDir);
  return dataDir;
}

const backups = () =>
  readdirSync(folder)
    .filter((name) => name.startsWith("openbell-"))
    .sort();
const proven = () => backups().filter((name) => name.endsWith("Z"));

async function warningsOf({ url }: RunningServer): Promise<readonly string[]> {
  const answer = await fetch(`${url}/api/health`);
  return ((await answer.json()) as HealthReport).warnings ?? [];
}

function scheduled({ dataDir, kept }: { dataDir: string; kept: number }) {
  const everyMs = 3_600_000;
  return scheduleBackups({
    dataDir,
    folder,
    everyMs,
    kept,
    databaseUrl: undefined,
    journal: journalDirectoryOf(dataDir),
    log: createSilentLog(),
  });
}

/** Old ones, as an exchange that ran last week left them. */
function leave(...names: string[]): void {
  for (const name of names) mkdirSync(join(folder, name), { recursive: true });
}

test("the first is taken at once, is sound, and an exchange starts on it", async () => {
  leave("openbell-20260101T000000Z.unproven");
  const server = await started({ BACKUP_DIR: folder });
  await expect.poll(proven, PATIENCE).toHaveLength(1);
  // What an earlier one left unfinished is gone.
  expect(backups()).toEqual(proven());
  const data = join(folder, proven()[0], "data");
  const { faults, sequence } = await verifyJournal({ dataDir: data });
  expect(faults).toEqual([]);
  expect(sequence).toBeGreaterThan(0);
  expect(await warningsOf(server)).toEqual([]);
  const restored = await started({ DATA_DIR: data });
  await signUp(restored.url, "Ada");
});

test("the oldest go once a newer one is proven, and none is due before its time", async () => {
  const old = ["openbell-20250101T000000Z", "openbell-20250102T000000Z"];
  leave(...old, "notes");
  const server = await started({ BACKUP_DIR: folder, BACKUPS_KEPT: "2" });
  await expect.poll(proven, PATIENCE).not.toContain(old[0]);
  const kept = proven();
  expect(kept).toHaveLength(2);
  expect(kept[0]).toBe(old[1]);
  expect(existsSync(join(folder, "notes"))).toBe(true);
  await server.stop();
  await server.restart();
  await signUp(server.url, "Ada");
  expect(backups()).toEqual(kept);
});

test("a copy that is damaged is no backup: earlier ones stay, and a sentence says so", async () => {
  leave("openbell-20250101T000000Z");
  const dataDir = await stoppedExchange();
  const journal = journalDirectoryOf(dataDir);
  const [segment] = readdirSync(journal).sort();
  const file = openSync(join(journal, segment), "r+");
  writeSync(file, Buffer.alloc(64, 0xff), 0, 64, 400);
  closeSync(file);
  const schedule = await scheduled({ dataDir, kept: 1 });
  await expect.poll(() => schedule.warnings(), PATIENCE).toHaveLength(1);
  expect(proven()).toEqual(["openbell-20250101T000000Z"]);
  await schedule.close();
});

test("a later one shares the compressed segments of the one before", async () => {
  const dataDir = join(root, "data");
  const journal = journalDirectoryOf(dataDir);
  cpSync("test/golden/format-1/journal", journal, { recursive: true });
  await compressSegments({ directory: journal, durable: Infinity, segmentsMax: 9 });
  const take = async () => {
    const before = existsSync(folder) ? proven().length : 0;
    const schedule = await scheduled({ dataDir, kept: 2 });
    await expect.poll(() => proven().length, PATIENCE).toBe(before + 1);
    await schedule.close();
  };
  await take();
  // As if it were of last year, so that another one is due.
  renameSync(join(folder, proven()[0]), join(folder, "openbell-20250101T000000Z"));
  await take();
  const filesIn = (backup: string) => {
    const directory = journalDirectoryOf(join(folder, backup, "data"));
    const names = readdirSync(directory).sort();
    return names.map((name) => [name, statSync(join(directory, name)).ino] as const);
  };
  const [first, second] = proven().map(filesIn);
  const shared = second.filter(([, node], index) => node === first[index][1]);
  expect(shared.map(([name]) => name)).toEqual([
    "segment-00000001.journal.columns",
    "segment-00000002.journal.columns",
  ]);
});

test("one that is interrupted leaves nothing that looks complete", async () => {
  mkdirSync(folder);
  const dataDir = await stoppedExchange();
  for (const isUnderWay of [false, true]) {
    const schedule = await scheduled({ dataDir, kept: 1 });
    if (isUnderWay) await expect.poll(backups).toHaveLength(1);
    await schedule.close();
    expect(proven()).toEqual([]);
    expect(schedule.warnings()).toEqual([]);
  }
});

test("a directory inside the data, and one of another exchange, are refused at the start", async () => {
  const server = await started({ BACKUP_DIR: folder });
  await expect(started({ BACKUP_DIR: folder })).rejects.toThrow(
    /BACKUP_DIR is wrong: another exchange keeps its backups/,
  );
  const inside = join(server.dataDir, "backups");
  await server.stop();
  await expect(started({ DATA_DIR: server.dataDir, BACKUP_DIR: inside })).rejects.toThrow(
    /BACKUP_DIR is wrong: .* is inside the data directory/,
  );
});

// Three servers on databases of their own: with FULL alone.
test.skipIf(!isFull || !hasPostgres)(
  "with PostgreSQL the accounts' dump belongs to it, and is restored",
  async () => {
    const name = `openbell_backup_${process.pid}`;
    await onPostgres(`create database ${name}`);
    await onPostgres(`create database ${name}_restored`);
    try {
      const server = await started({
        DATABASE_URL: postgresUrlOf(name),
        DATA_DIR: join(root, "data"),
      });
      await signUp(server.url, "Ada");
      await server.stop();
      const again = await started({
        DATABASE_URL: postgresUrlOf(name),
        DATA_DIR: join(root, "data"),
        BACKUP_DIR: folder,
      });
      await expect.poll(proven, PATIENCE).toHaveLength(1);
      await again.stop();
      const [backup] = proven();
      const restored = postgresUrlOf(`${name}_restored`);
      const dump = join(folder, backup, "database.dump");
      const { status, stderr } = spawnSync("pg_restore", [
        `--dbname=${restored}`,
        "--no-owner",
        dump,
      ]);
      expect(status, stderr.toString()).toBe(0);
      const copy = await started({
        DATABASE_URL: restored,
        DATA_DIR: join(folder, backup, "data"),
      });
      // The address is taken: the account came along.
      await expect(signUp(copy.url, "Ada")).rejects.toThrow();
      await copy.stop();
    } finally {
      await onPostgres(`drop database ${name} with (force)`);
      await onPostgres(`drop database ${name}_restored with (force)`);
    }
  },
);
