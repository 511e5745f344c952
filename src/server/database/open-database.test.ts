import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import SqliteFile from "better-sqlite3";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSilentLog } from "../log.ts";
import { DatabaseError } from "./database-error.ts";
import { openDatabase } from "./open-database.ts";

const log = createSilentLog();
let dataDir = "";

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "openbell-open-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test("an unreachable server is named without its password", async () => {
  const databaseUrl = "postgres://someone:very-secret@127.0.0.1:1/exchange";
  const opening = openDatabase({ databaseUrl, dataDir, log });
  await expect(opening).rejects.toThrow(DatabaseError);
  await expect(opening).rejects.toThrow("postgres://127.0.0.1:1/exchange");
  await expect(opening).rejects.not.toThrow("very-secret");
});

test("a schema name that is more than a name is refused", async () => {
  const databaseUrl = "postgres://127.0.0.1:1/exchange";
  const opening = openDatabase({ databaseUrl, dataDir, schema: 'a"; drop', log });
  await expect(opening).rejects.toThrow("is not allowed");
});

test("a file that is no database is named and left alone", async () => {
  const path = join(dataDir, "openbell.sqlite");
  await writeFile(
    path,
    "this is not a database, but it is long enough to be read as one".repeat(99),
  );
  await expect(openDatabase({ dataDir, log })).rejects.toThrow(
    `${path} is damaged: file is not a database.`,
  );
});

// Linux reports who holds which locks; other systems drop them in the same way.
test.skipIf(!existsSync("/proc/locks"))(
  "opening it again leaves this process its locks",
  async () => {
    const database = await openDatabase({ dataDir, log });
    await database.migrate();
    const { ino } = await stat(join(dataDir, "openbell.sqlite"));
    const locks = async () => {
      const lines = (await readFile("/proc/locks", "utf8")).split("\n");
      return lines.filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `));
    };
    expect(await locks()).toHaveLength(1);
    const second = await openDatabase({ dataDir, log });
    expect(await locks()).toHaveLength(1);
    await second.close();
    await database.close();
  },
);

describe.each([
  { where: "in the thread that opens it", writesElsewhere: false },
  { where: "in a thread of its own", writesElsewhere: true },
])("the embedded database, written $where,", ({ writesElsewhere }) => {
  const open = () => openDatabase({ dataDir, log, writesElsewhere });

  test("survives a power cut and lets readers read", async () => {
    const first = await open();
    await first.migrate();
    await first.close();
    const database = await open();
    const pragma = async (name: string, connection = database.write) => {
      const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(connection);
      return Object.values(rows[0])[0];
    };
    expect(await pragma("journal_mode")).toBe("wal");
    expect(await pragma("synchronous")).toBe(2);
    // Unauthenticated clients cause counters to be written: none waits for the disk.
    expect(await pragma("synchronous", database.counters)).toBe(1);
    expect(await pragma("foreign_keys")).toBe(1);
    await expect(sql`create table t (x)`.execute(database.read)).rejects.toThrow("readonly");
    await database.close();
  });

  test("a transaction for which the disk has no room says so, and the next one works", async () => {
    const database = await open();
    const { write } = database;
    await sql`create table t (x)`.execute(write);
    await sql`pragma max_page_count = 10`.execute(write);
    const tooLarge = write
      .transaction()
      .execute((transaction) => sql`insert into t values (zeroblob(100000))`.execute(transaction));
    await expect(tooLarge).rejects.toThrow("database or disk is full");
    await write
      .transaction()
      .execute((transaction) => sql`insert into t values (1)`.execute(transaction));
    const { rows } = await sql`select x from t`.execute(write);
    expect(rows).toEqual([{ x: 1 }]);
    await database.close();
  });

  test("says of a refused row what SQLite says, and undoes the transaction", async () => {
    const database = await open();
    const { fullDisk, read, write } = database;
    await sql`create table t (x unique, y)`.execute(write);
    await sql`insert into t values (1, ${Buffer.from("bytes")})`.execute(write);
    const twice = write.transaction().execute(async (transaction) => {
      await sql`insert into t values (2, null)`.execute(transaction);
      await sql`insert into t values (1, null)`.execute(transaction);
    });
    await expect(twice).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_UNIQUE" });
    const { rows } = await sql<{ y: Uint8Array }>`select x, y from t`.execute(read);
    expect(rows).toMatchObject([{ x: 1 }]);
    expect(String(Buffer.from(rows[0].y))).toBe("bytes");
    expect(fullDisk.refusals).toBe(0);
    await database.close();
  });
});

test("written elsewhere it runs no statement that writes in the thread that opened it", async () => {
  const database = await openDatabase({ dataDir, log, writesElsewhere: true });
  await database.migrate();
  const memory = new SqliteFile(":memory:");
  const statement = Object.getPrototypeOf(memory.prepare("select 1")) as SqliteFile.Statement;
  const run = vi.spyOn(statement, "run");
  for (const connection of [database.write, database.counters]) {
    await sql`create table if not exists t (x)`.execute(connection);
    await connection
      .transaction()
      .execute((transaction) => sql`insert into t values (1)`.execute(transaction));
  }
  expect(run).not.toHaveBeenCalled();
  run.mockRestore();
  memory.close();
  await database.close();
});

test("a file that is no database is named by a thread of its own too", async () => {
  const path = join(dataDir, "openbell.sqlite");
  await writeFile(
    path,
    "this is not a database, but it is long enough to be read as one".repeat(99),
  );
  await expect(openDatabase({ dataDir, log, writesElsewhere: true })).rejects.toThrow(
    `${path} is damaged: file is not a database.`,
  );
});
