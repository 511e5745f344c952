import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompiledQuery } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "../../database/open-database.ts";
import { createSilentLog } from "../../log.ts";
import { selectLastEvents, selectSessions } from "./user-directory.ts";

async function openMigrated() {
  const dataDir = await mkdtemp(join(tmpdir(), "openbell-directory-"));
  const database = await openDatabase({ dataDir, log: createSilentLog() });
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  await database.migrate();
  return database;
}

/** How SQLite executes a query. */
async function stepsOf(
  { read }: Database,
  { parameters, sql }: Pick<CompiledQuery, "parameters" | "sql">,
): Promise<string[]> {
  const plan = await read.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  );
  return plan.rows.map(({ detail }) => detail);
}

test("a user's last event of each kind is read by the index, however many there are", async () => {
  const database = await openMigrated();
  const query = selectLastEvents(database.read, ["ann", "bob"]).compile();
  const steps = await stepsOf(database, query);
  const byKind = expect.stringMatching(/by_kind \(user_id=\? AND kind=\?\)$/) as string;
  expect(steps.filter((step) => step.includes("security_events"))).toEqual([
    byKind,
    byKind,
    byKind,
  ]);
  expect(steps.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
});

test("the sessions of listed users are read by user, however many others have", async () => {
  const database = await openMigrated();
  const query = selectSessions(database.read, ["ann", "bob"]).compile();
  expect(await stepsOf(database, query)).toEqual([
    expect.stringContaining("session_userId_idx (userId=?)"),
  ]);
});
