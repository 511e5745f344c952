/**
 * A process that takes and verifies one backup, beside the exchange and at the lowest priority: it
 * copies the data directory and PostgreSQL, replays the copied journal from its beginning, and compares
 * each snapshot with the replay. Sends one `BackupOutcome` and exits.
 */
import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { JournalPlace } from "#journal/open-journal.ts";
import { backUp } from "../inspection/back-up.ts";
import { verifyJournal } from "../inspection/verify-journal.ts";
import { dataIn } from "./backup-folder.ts";

export interface BackupTask {
  readonly dataDir: string;
  /** An empty directory, into which `data` is written, and `database.dump` with PostgreSQL. */
  readonly target: string;
  readonly databaseUrl: string | undefined;
  /** The location of the journal. */
  readonly journal: JournalPlace;
  /** The data directory in the newest verified backup, if there is one. */
  readonly earlier: string | undefined;
}

export type BackupOutcome =
  | { readonly sequence: number; readonly stateHash: string }
  | { readonly failure: string };

const LOWEST_PRIORITY = 19;

// The exchange has ended, so no process would rename the finished copy.
process.once("disconnect", () => process.exit());

process.once("message", (task: BackupTask) => {
  setPriority(LOWEST_PRIORITY);
  void takeBackup(task)
    .catch((error: unknown): BackupOutcome => ({ failure: String(error) }))
    .then((outcome) => process.send?.(outcome, () => process.disconnect?.()));
});

async function takeBackup({
  dataDir,
  databaseUrl,
  earlier,
  journal,
  target,
}: BackupTask): Promise<BackupOutcome> {
  // First, since no part may be ahead of the journal.
  if (databaseUrl !== undefined) await dumpPostgres(databaseUrl, join(target, "database.dump"));
  const copy = dataIn(target);
  const { hasDatabase, sequence } = await backUp({ from: dataDir, to: copy, journal, earlier });
  if (hasDatabase) checkSqlite(join(copy, "openbell.sqlite"));
  const { faults, stateHash } = await verifyJournal({ dataDir: copy });
  return faults.length > 0 ? { failure: faults.join(" ") } : { sequence, stateHash };
}

function checkSqlite(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const row = database.prepare("PRAGMA quick_check(1)").get() as { quick_check: string };
    if (row.quick_check !== "ok")
      throw new Error(`the copied database is damaged: ${row.quick_check}`);
  } finally {
    database.close();
  }
}

/** Writes PostgreSQL's own format for `pg_restore`, and checks that it can be read. */
async function dumpPostgres(databaseUrl: string, path: string): Promise<void> {
  const url = new URL(databaseUrl);
  // Other users of the machine can see the arguments of processes, but not their environment.
  const PGPASSWORD = decodeURIComponent(url.password);
  url.password = "";
  const environment = PGPASSWORD === "" ? process.env : { ...process.env, PGPASSWORD };
  await run("pg_dump", ["--format=custom", `--file=${path}`, `--dbname=${url.href}`], environment);
  await run("pg_restore", ["--list", path], environment);
}

async function run(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn(program, args, { env: environment, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-2_000);
  });
  const code = await new Promise<number | null>((ended, failed) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      const reason = error.code === "ENOENT" ? "is not installed on this machine" : error.message;
      failed(new Error(`${program} ${reason}`, { cause: error }));
    });
    child.once("close", ended);
  });
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said.trim()}`);
}
