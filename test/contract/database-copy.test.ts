/** An exchange that moves from SQLite to PostgreSQL and back, with real exchanges on both. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConvexHttpClient } from "convex/browser";
import { sql } from "kysely";
import { Client } from "pg";
import { afterEach, expect, test } from "vitest";
import { functions } from "#contract/functions.ts";
import { copyRows, digestOf, tableShapes } from "#server/database/copy-rows.ts";
import {
  type Database,
  type DatabaseLocation,
  openDatabase,
} from "#server/database/open-database.ts";
import { copyDatabase } from "#server/installation/copy-database.ts";
import { createSilentLog } from "#server/log.ts";
import { exchangeStarter, type TestExchange, type Trader } from "./accounts-exchange.ts";
import { describeOnPostgres, type OpenTestDatabase, postgresUrl } from "./databases.ts";

const log = createSilentLog();

describeOnPostgres("a copied database", () => {
  const opened: Database[] = [];
  const made: string[] = [];
  let dataDir = "";
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
    for (const name of made.splice(0)) await administer(`drop database ${name} with (force)`);
    rmSync(dataDir, { recursive: true, force: true });
  });

  const open: OpenTestDatabase = async (sameAs) => {
    dataDir = sameAs?.location.dataDir ?? mkdtempSync(join(tmpdir(), "openbell-copy-"));
    const database = await openDatabase({ dataDir, ...sameAs?.location, log });
    opened.push(database);
    return database;
  };
  const start = exchangeStarter(open);

  async function emptyPostgres(): Promise<string> {
    const name = `openbell_copy_${randomBytes(6).toString("hex")}`;
    await administer(`create database ${name}`);
    made.push(name);
    const url = new URL(postgresUrl);
    url.pathname = `/${name}`;
    return url.href;
  }
  const postgres = (databaseUrl: string): DatabaseLocation => ({
    dataDir,
    databaseUrl,
    schema: "public",
  });
  const copy = (source: DatabaseLocation, target: DatabaseLocation) =>
    copyDatabase({ source, target, log, tell: () => undefined });
  const startOn = (location: DatabaseLocation) => start({}, { database: { location } });

  async function stoppedExchange(): Promise<{ exchange: TestExchange; ada: Trader }> {
    const exchange = await start();
    const ada = await exchange.trader("ada@example.com");
    await ada.rest();
    return { exchange, ada };
  }

  /** What ada sees after a new sign-in. */
  async function adaOn(location: DatabaseLocation) {
    const exchange = await startOn(location);
    const browser = exchange.browser();
    const { status } = await browser.signIn("ada@example.com");
    expect(status).toBe(200);
    const client = new ConvexHttpClient(exchange.url, {
      skipConvexDeploymentUrlCheck: true,
      auth: await browser.backendToken(),
      logger: false,
    });
    const balances = await client.query(functions.accounts.balances, {});
    const orders = await client.query(functions.orders.open, {});
    return { exchange, client, balances, orders };
  }

  test("people sign in and own what they owned, on PostgreSQL and on SQLite again", async () => {
    const { exchange, ada } = await stoppedExchange();
    const balances = await ada.http.query(functions.accounts.balances, {});
    const target = postgres(await emptyPostgres());
    const sqlite = { dataDir };
    await expect(copy(sqlite, target)).rejects.toThrow(/is in use|already|another process/i);
    await exchange.stop();

    expect(await copy(sqlite, target)).toBeGreaterThan(10);
    const moved = await adaOn(target);
    expect(moved.balances).toEqual(balances);
    expect(JSON.stringify(moved.orders)).toContain('"0.01');
    await moved.client.mutation(functions.orders.place, {
      market: "BTC-USD",
      side: "buy",
      type: "limit",
      price: "1001",
      quantity: "0.02",
    });
    const after = await moved.client.query(functions.accounts.balances, {});
    await moved.exchange.stop();
    // Who signed up since then is on PostgreSQL alone.
    const stale = /openbell\.sqlite with its one user is not the one that the data directory/;
    await expect(startOn(sqlite)).rejects.toThrow(stale);

    await expect(copy(target, sqlite)).rejects.toThrow(/openbell\.sqlite is not empty/);
    for (const end of ["", "-wal", "-shm"]) {
      const path = join(dataDir, `openbell.sqlite${end}`);
      try {
        renameSync(path, join(dataDir, `before${end}`));
      } catch {
        // SQLite removes the files beside it when it is closed.
      }
    }
    await copy(target, sqlite);
    const back = await adaOn(sqlite);
    expect(back.balances).toEqual(after);
    expect(JSON.stringify(back.orders)).toContain('"0.02');
  });

  test("a copy that was killed is no database to start on, and continues when it is repeated", async () => {
    const { exchange } = await stoppedExchange();
    await exchange.stop();
    const databaseUrl = await emptyPostgres();
    const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: "" };
    const args = ["scripts/openbell.ts", "database", "copy", "--to", databaseUrl];
    const first = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(first, "exit");
    let printed = "";
    for await (const text of first.stdout.setEncoding("utf8")) {
      printed += text;
      if (printed.includes("user: 1 row, verified")) first.kill("SIGKILL");
    }
    await ended;
    expect(printed).not.toContain("rows are copied");
    await expect(startOn(postgres(databaseUrl))).rejects.toThrow(/knows nothing of the journal/);

    const second = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    const [[code], said] = await Promise.all([
      once(second, "exit"),
      second.stdout.setEncoding("utf8").toArray(),
    ]);
    expect(said.join("")).toContain("rows are copied. Start the exchange with that DATABASE_URL.");
    expect(code).toBe(0);
    expect((await adaOn(postgres(databaseUrl))).orders).toMatchObject([{ price: "1000.00" }]);
  });

  test("nothing is copied from a database of another version, or over one of another exchange", async () => {
    const { exchange } = await stoppedExchange();
    await exchange.stop();
    const target = postgres(await emptyPostgres());
    const source = await open({ location: { dataDir } });
    await sql`update kysely_migration set name = '999-later' where name like '024%'`.execute(
      source.write,
    );
    await expect(copy({ dataDir }, target)).rejects.toThrow(/of another version of the program/);
    await sql`update kysely_migration set name = '024-admin-changes' where name = '999-later'`.execute(
      source.write,
    );
    const there = await open({ location: target });
    await sql`create table something (id integer)`.execute(there.write);
    await expect(copy({ dataDir }, target)).rejects.toThrow(/is not empty/);
    await sql`drop table something`.execute(there.write);
    await expect(copy({ dataDir }, target)).resolves.toBeGreaterThan(0);
  });

  test("a value that differs anywhere is seen, whatever the order of the rows", async () => {
    const { exchange } = await stoppedExchange();
    await exchange.stop();
    const source = await open({ location: { dataDir } });
    const target = await open({ location: postgres(await emptyPostgres()) });
    await target.migrate();
    const shapes = await tableShapes(target.read);
    const filled = shapes.filter(({ name }) => ["user", "ledger_entries"].includes(name));
    expect(filled).toHaveLength(2);
    for (const shape of filled) {
      await copyRows(shape, source.read, target.write);
      const digest = await digestOf(shape, source.read);
      expect(digest.rows).toBeGreaterThan(0);
      expect(await digestOf(shape, target.read)).toEqual(digest);
    }
    const [ledger, user] = filled;
    await sql`update "user" set "emailVerified" = not "emailVerified"`.execute(target.write);
    await sql`update ledger_entries set amount = amount + 1 where position = 0`.execute(
      target.write,
    );
    for (const shape of [ledger, user]) {
      expect(await digestOf(shape, target.read)).not.toEqual(await digestOf(shape, source.read));
    }
  });
});

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
