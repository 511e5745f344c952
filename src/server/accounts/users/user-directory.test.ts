import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompiledQuery } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../../database/open-database.ts";
import { createSilentLog } from "../../log.ts";
import { selectLastEvents } from "./user-directory.ts";

test("a user's last event of each kind is read by the index, however many there are", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "openbell-directory-"));
  const database = await openDatabase({ dataDir, log: createSilentLog() });
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  await database.migrate();
  const { parameters, sql } = selectLastEvents(database.read, ["ann", "bob"]).compile();
  const plan = await database.read.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  );
  const steps = plan.rows.map(({ detail }) => detail);
  const byKind = expect.stringMatching(/by_kind \(user_id=\? AND kind=\?\)$/) as string;
  expect(steps.filter((step) => step.includes("security_events"))).toEqual([
    byKind,
    byKind,
    byKind,
  ]);
  expect(steps.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
});
