import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompiledQuery } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { SecurityEventKind } from "#contract/users.ts";
import { openDatabase } from "../../database/open-database.ts";
import { createSilentLog } from "../../log.ts";
import { createSecurityEvents, selectEvents } from "./security-events.ts";

async function open() {
  const log = createSilentLog();
  const dataDir = await mkdtemp(join(tmpdir(), "openbell-events-"));
  const database = await openDatabase({ dataDir, log });
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  await database.migrate();
  return { database, events: createSecurityEvents(database, log) };
}

const KINDS: readonly SecurityEventKind[] = ["signedIn", "apiKeyCreated", "passwordChanged"];

test("a user's newest events of some kinds are read in order, page by page", async () => {
  const { events } = await open();
  const sequence: SecurityEventKind[] = [
    "signedIn",
    "signedOut",
    "apiKeyCreated",
    "signedIn",
    "apiKeyRenamed",
    "passwordChanged",
  ];
  for (const kind of sequence) events.record({ userId: "ann", kind });
  events.record({ userId: "bob", kind: "signedIn" });
  const first = await events.page({ userId: "ann", kinds: KINDS, limit: 3 });
  expect(first.items.map(({ kind }) => kind)).toEqual([
    "passwordChanged",
    "signedIn",
    "apiKeyCreated",
  ]);
  const { cursor } = first;
  const second = await events.page({ userId: "ann", kinds: KINDS, limit: 3, cursor: cursor ?? "" });
  expect(second.items.map(({ kind }) => kind)).toEqual(["signedIn"]);
  expect(second.cursor).toBeNull();
});

test("events of some kinds are read by the index, however many there are of others", async () => {
  const { database } = await open();
  const query = { userId: "ann", kinds: KINDS, fromMs: 1, limit: 100 };
  const { parameters, sql } = selectEvents(database.read, query, 101).compile();
  const plan = await database.read.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  );
  const steps = plan.rows
    .map(({ detail }) => detail)
    .filter((step) => / security_events/.test(step));
  const byKind = expect.stringContaining("COVERING INDEX security_events_by_kind") as string;
  expect(steps).toEqual([
    expect.stringMatching(/^SEARCH security_events .*\(id=\?\)/),
    ...KINDS.map(() => byKind),
  ]);
});
