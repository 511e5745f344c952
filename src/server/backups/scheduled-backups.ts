/** Takes backups of the running exchange, verifies and rotates them. */
import { fork, type ChildProcess } from "node:child_process";
import { relative, resolve } from "node:path";
import { DirectoryLockedError, lockDirectory } from "#journal/directory-lock.ts";
import type { JournalPlace } from "#journal/open-journal.ts";
import { makeWritableDirectory } from "#journal/writable-directory.ts";
import type { Log } from "../log.ts";
import type { Config } from "../settings/config.ts";
import { BackupFolder, dataIn } from "./backup-folder.ts";
import type { BackupOutcome, BackupTask } from "./take-backup.ts";

const CHECK_EVERY_MS = 60_000;
/** Retries that long after a failure, unless the next backup is due earlier. */
const RETRIED_AFTER_MS = 3_600_000;

export interface ScheduledBackups {
  /** Time of the newest verified backup, milliseconds since 1970 UTC; undefined if there is none. */
  newestMs(): number | undefined;
  /** Warnings for the health report: a sentence if the last backup failed. */
  warnings(): string[];
  close(): Promise<void>;
}

export interface BackupSchedule {
  readonly dataDir: string;
  /** A directory used by this exchange alone; created if missing. */
  readonly folder: string;
  readonly everyMs: number;
  /** How many verified backups are kept. */
  readonly kept: number;
  readonly databaseUrl: string | undefined;
  /** The location of the journal. */
  readonly journal: JournalPlace;
  readonly log: Log;
}

/** The backups that the settings ask for; undefined if they name no directory for them. */
export async function backupsBySettings(
  config: Config,
  journal: JournalPlace,
  log: Log,
): Promise<ScheduledBackups | undefined> {
  if (config.BACKUP_DIR === undefined) return undefined;
  return scheduleBackups({
    dataDir: config.DATA_DIR,
    folder: config.BACKUP_DIR,
    everyMs: config.BACKUP_EVERY_HOURS * 3_600_000,
    kept: config.BACKUPS_KEPT,
    databaseUrl: config.DATABASE_URL,
    journal,
    log,
  });
}

/**
 * Takes a backup as soon as the newest is older than `everyMs`, so immediately if there is none.
 * @throws Error with a sentence for the operator if the folder cannot be used
 */
export async function scheduleBackups(schedule: BackupSchedule): Promise<ScheduledBackups> {
  const { dataDir, everyMs, folder: path, journal, kept, log } = schedule;
  const lock = takeFolder(path, dataDir);
  const folder = new BackupFolder(path);
  let newestMs = (await folder.list())[0]?.takenMs;
  let dueMs = (newestMs ?? -Infinity) + everyMs;
  let failedLast = false;
  let child: ChildProcess | undefined;
  let underWay: Promise<void> | undefined;
  let isClosed = false;

  async function take(): Promise<void> {
    const startedMs = Date.now();
    const [newest] = await folder.list();
    const backup = await folder.begin(startedMs);
    if (isClosed) return;
    const earlier = newest && dataIn(newest.path);
    const { databaseUrl } = schedule;
    const task = { dataDir, target: backup.path, databaseUrl, journal, earlier };
    const outcome = await inOwnProcess(task, (started) => {
      child = started;
    });
    if ("failure" in outcome) throw new Error(outcome.failure);
    await folder.complete(backup, kept);
    newestMs = backup.takenMs;
    dueMs = newestMs + everyMs;
    failedLast = false;
    log.info({ ...outcome, tookMs: Date.now() - startedMs }, "a backup was taken and verified");
  }

  function look(): void {
    if (underWay !== undefined || Date.now() < dueMs) return;
    underWay = take()
      .catch((error: unknown) => {
        if (isClosed) return;
        failedLast = true;
        dueMs = Date.now() + Math.min(everyMs, RETRIED_AFTER_MS);
        log.error({ err: error }, "the backup failed; earlier ones stay");
      })
      .finally(() => {
        underWay = undefined;
      });
  }

  const timer = setInterval(look, CHECK_EVERY_MS).unref();
  look();
  return {
    newestMs: () => newestMs,
    warnings: () => (failedLast ? ["The last backup failed; the log says why."] : []),
    async close() {
      isClosed = true;
      clearInterval(timer);
      child?.kill("SIGKILL");
      await underWay;
      lock.release();
    },
  };
}

function takeFolder(path: string, dataDir: string) {
  const fromData = relative(resolve(dataDir), resolve(path));
  if (fromData === "" || !(fromData.startsWith("..") || resolve(fromData) === fromData)) {
    throw new Error(`The setting BACKUP_DIR is wrong: ${path} is inside the data directory.`);
  }
  try {
    makeWritableDirectory(path);
    return lockDirectory(path);
  } catch (error) {
    if (error instanceof DirectoryLockedError) {
      throw new Error(
        `The setting BACKUP_DIR is wrong: another exchange keeps its backups in ${path}. Each needs its own.`,
        { cause: error },
      );
    }
    throw new Error(
      `The setting BACKUP_DIR is wrong: ${(error as Error).message.replace(/\.$/, "")}.`,
      {
        cause: error,
      },
    );
  }
}

async function inOwnProcess(
  task: BackupTask,
  onStarted: (child: ChildProcess) => void,
): Promise<BackupOutcome> {
  const child = fork(new URL("./take-backup.ts", import.meta.url), { execArgv: [] });
  onStarted(child);
  return new Promise((done, failed) => {
    child.once("error", failed);
    child.once("message", (outcome) => done(outcome as BackupOutcome));
    child.once("exit", (code, signal) =>
      failed(new Error(`the process that takes it ended early (${signal ?? code})`)),
    );
    child.send(task);
  });
}
