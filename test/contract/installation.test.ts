/**
 * Parts that do not belong together are never started, nothing is changed by the attempt, and the
 * commands that it names go on from there: with a real exchange, its files and its database.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";
import { readParts } from "#server/installation/parts.ts";
import { adoptDatabase, beginAnew } from "#server/installation/repair.ts";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import { describeEachDatabase } from "./databases.ts";

const PROGRAM = fileURLToPath(new URL("../../scripts/openbell.js", import.meta.url));

describeEachDatabase("an exchange whose parts do not belong together", (open, dialect) => {
  const start = exchangeStarter(open);

  /** Users, funds and an order; stopped, with a copy of the journal before the last of them. */
  async function stoppedExchange() {
    const exchange = await start();
    await exchange.trader("ada@example.com");
    await exchange.stop();
    const { dataDir } = exchange.database.location;
    const older = join(dataDir, "journal-before");
    cpSync(join(dataDir, "journal"), older, { recursive: true });
    const again = await start({}, exchange);
    const bob = await again.trader("bob@example.com");
    await bob.rest();
    await again.stop();
    return { exchange: again, dataDir, older };
  }

  const journalOf = (dataDir: string) => join(dataDir, "journal");

  /** Starts, which must be refused, after something was done to a part, and undoes that. */
  async function refusal(
    exchange: TestExchange,
    damage: () => unknown,
    undo: () => unknown,
    settings: Record<string, string> = {},
  ): Promise<string> {
    await damage();
    const error = await start(settings, exchange).then(
      () => new Error("it started"),
      (reason: Error) => reason,
    );
    await undo();
    return error.message;
  }

  const change = (database: Database, statement: string) =>
    sql.raw(statement).execute(database.write);

  test("does not start, says what is missing and names the command", async () => {
    const { exchange, dataDir, older } = await stoppedExchange();
    const journal = journalOf(dataDir);
    const away = join(dataDir, "journal-away");
    const database = await open(exchange.database);
    const progress = await database.read
      .selectFrom("history_progress")
      .selectAll()
      .executeTakeFirstOrThrow();
    const moveAway = () => renameSync(journal, away);
    const putBack = () => {
      rmSync(journal, { recursive: true, force: true });
      renameSync(away, journal);
    };

    const missing = await refusal(exchange, moveAway, () => {
      expect(existsSync(journal)).toBe(false);
      putBack();
    });
    expect(missing).toContain(`The journal in ${dataDir} is missing, but the database`);
    expect(missing).toContain(`seen sequence ${progress.sequence}.`);
    expect(missing).toContain("npx openbell begin-anew");

    const behind = await refusal(
      exchange,
      () => {
        moveAway();
        cpSync(older, journal, { recursive: true });
      },
      putBack,
    );
    expect(behind).toMatch(
      new RegExp(`ends at sequence \\d+, but .* has seen sequence ${progress.sequence}: \\d+ ack`),
    );
    expect(behind).toContain("npx openbell adopt-database");

    const setProgress = (sequence: number, time: number) =>
      change(database, `update history_progress set sequence = ${sequence}, time = ${time}`);
    const restoreProgress = () => setProgress(progress.sequence, progress.time);
    const olderDatabase = await refusal(exchange, () => setProgress(3, 0), restoreProgress);
    expect(olderDatabase).toContain("an older copy has taken its place");

    const otherCopy = () => setProgress(progress.sequence, progress.time + 1);
    const branched = await refusal(exchange, otherCopy, restoreProgress);
    expect(branched).toContain("was made from another journal than the journal in");

    const mark = await database.read
      .selectFrom("installation")
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(mark.journal).toBeGreaterThan(0);
    const setMark = (id: string, identity: number) =>
      change(database, `update installation set database_id = '${id}', journal = ${identity}`);
    const restoreMark = () => setMark(mark.database_id, mark.journal);
    const foreign = await refusal(exchange, () => setMark("other", mark.journal + 1), restoreMark);
    expect(foreign).toContain("with its 2 users belongs to another exchange");
    const swapped = await refusal(exchange, () => setMark("other", mark.journal), restoreMark);
    expect(swapped).toContain("is not the one that the data directory");

    await change(database, "insert into kysely_migration values ('999-later', '2030-01-01')");
    const newer = "was written by a newer version of the program: it has the migration 999-later";
    await expect(readParts(database.location)).rejects.toThrow(newer);
    await change(database, "delete from kysely_migration where name = '999-later'");

    const record = join(dataDir, "exchange.json");
    const recorded = readFileSync(record, "utf8");
    const putRecordBack = () => writeFileSync(record, recorded);
    const damaged = await refusal(exchange, () => writeFileSync(record, "{"), putRecordBack);
    expect(damaged).toContain(`The file ${record} is damaged.`);

    // Nothing of all this was written anywhere: it is the exchange that it was. One of a version that
    // noted nothing is taken as it is, and noted.
    const later =
      "installation exchange_lease mail_queue known_addresses order_changes order_lists prevented_matches admin_changes watchlists price_alerts " +
      "alert_firings alert_progress notice_states api_keys withdrawal_addresses leaving_administrators access_changes";
    const candleColumns = [
      "quote_high",
      "quote_low",
      "trade_count",
      "taker_buy_lots",
      "taker_buy_quote_high",
      "taker_buy_quote_low",
    ];
    for (const table of later.split(" ")) await change(database, `drop table ${table}`);
    for (const column of candleColumns) {
      await change(database, `alter table candles drop column ${column}`);
    }
    const laterIndexes = [
      "orders_by_account_client_order_id",
      "activity_by_sequence",
      "security_events_by_kind",
    ];
    for (const index of laterIndexes) {
      await change(database, `drop index ${index}`);
    }
    await change(database, "alter table deleted_users drop column address_digest");
    await change(database, "alter table history_progress drop column writer");
    for (const column of ["list_kind", "working_since"]) {
      await change(database, `alter table orders drop column ${column}`);
    }
    await change(database, "delete from kysely_migration where name >= '008'");
    rmSync(record);
    const whole = await start({}, exchange);
    expect(await (await fetch(`${whole.url}/api/health`)).json()).toMatchObject({ status: "ok" });
    const marks = await database.read.selectFrom("installation").selectAll().execute();
    expect(marks).toMatchObject([{ journal: mark.journal }]);
    expect(JSON.parse(readFileSync(record, "utf8"))).toMatchObject({
      version: 1,
      journal: mark.journal,
      database: marks[0].database_id,
    });
  });

  test("a missing database is not created beside a journal, and adopting one continues", async () => {
    const { exchange, dataDir } = await stoppedExchange();
    if (dialect === "sqlite") {
      await exchange.database.close();
      renameSync(join(dataDir, "openbell.sqlite"), join(dataDir, "away.sqlite"));
      await expect(start({ DATA_DIR: dataDir })).rejects.toThrow("is missing or empty, but");
      expect(existsSync(join(dataDir, "openbell.sqlite"))).toBe(false);
      const run = (...args: string[]) =>
        spawnSync(process.execPath, [PROGRAM, "adopt-database", "--data", dataDir, ...args], {
          encoding: "utf8",
          env: { ...process.env, DATABASE_URL: "" },
        });
      expect(run()).toMatchObject({
        status: 1,
        stdout: expect.stringContaining("Nothing was changed. Say the same with --confirm"),
      });
      expect(existsSync(join(dataDir, "openbell.sqlite"))).toBe(false);
      expect(run("--confirm")).toMatchObject({
        status: 0,
        stdout: expect.stringContaining("Its users (0) stay"),
      });
      const opened = await start({ DATA_DIR: dataDir });
      await opened.trader("ada@example.com");
    } else {
      const other = await open();
      const { databaseUrl, schema } = other.location;
      await change(other, `drop schema ${schema} cascade; create schema ${schema}`);
      const settings = {
        DATABASE_URL: `${databaseUrl}?options=${encodeURIComponent(`-c search_path=${schema}`)}`,
      };
      await expect(start(settings, exchange)).rejects.toThrow("is missing or empty, but");
      const tables = await other.read.introspection.getTables();
      expect(tables).toEqual([]);
      const repair = { dataDir, databaseUrl, schema, log: createSilentLog() };
      await adoptDatabase({ ...repair, isConfirmed: true });
      const opened = await start(settings, exchange);
      await opened.trader("ada@example.com");
    }
  });

  test("what is missing is given up only by command, and the users stay", async () => {
    const { exchange, dataDir, older } = await stoppedExchange();
    rmSync(journalOf(dataDir), { recursive: true });
    renameSync(older, journalOf(dataDir));
    const repair = { ...exchange.database.location, log: createSilentLog() };
    const says = await adoptDatabase({ ...repair, isConfirmed: false });
    expect(says.join("\n")).toMatch(/The commands from \d+ to \d+ are given up for good/);
    await expect(start({}, exchange)).rejects.toThrow("acknowledged commands are missing");
    expect(await adoptDatabase({ ...repair, isConfirmed: true })).toEqual(says);

    const opened = await start({}, exchange);
    expect(await balancesOf(opened, await signedIn(opened, "bob@example.com"))).toEqual([]);
    expect(await balancesOf(opened, await signedIn(opened, "ada@example.com"))).toHaveLength(1);
    await opened.stop();

    rmSync(journalOf(dataDir), { recursive: true });
    await expect(adoptDatabase({ ...repair, isConfirmed: true })).rejects.toThrow("no commands");
    await beginAnew({ ...repair, isConfirmed: true });
    const empty = await start({}, exchange);
    expect(await balancesOf(empty, await signedIn(empty, "ada@example.com"))).toEqual([]);
  });
});

/** @returns a backend token */
async function signedIn(exchange: TestExchange, email: string): Promise<string> {
  const browser = exchange.browser();
  await browser.signIn(email);
  return browser.backendToken();
}

async function balancesOf(exchange: TestExchange, token: string): Promise<unknown[]> {
  const answer = await fetch(`${exchange.url}/api/query`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ path: "accounts:balances", args: {}, format: "json" }),
  });
  const { value } = (await answer.json()) as { value: { total: string }[] };
  return value.filter(({ total }) => Number(total) > 0);
}
