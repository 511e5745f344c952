/** Two exchanges on one database: on PostgreSQL a lease decides, on SQLite the directory's lock. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import type { Database } from "#server/database/open-database.ts";
import { HistoryUnavailableError, openHistory } from "#server/history/history.ts";
import { DatabaseInUseError, type Lease, takeDatabase } from "#server/installation/lease.ts";
import { createSilentLog } from "#server/log.ts";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeEachDatabase } from "./databases.ts";

const log = createSilentLog();
const closers: (() => unknown)[] = [];

/** The same database, as another machine's process with a data directory of its own sees it. */
function elsewhere(database: Database): Database {
  const dataDir = mkdtempSync(join(tmpdir(), "openbell-lease-"));
  closers.push(() => rmSync(dataDir, { recursive: true }));
  return { ...database, location: { ...database.location, dataDir } };
}

async function take(database: Database, leaseMs = 60_000, sharedBy?: string): Promise<Lease> {
  const lease = await takeDatabase({ database, log, leaseMs, sharedBy });
  closers.push(() => lease.close());
  return lease;
}

/** One that is there as long as it is, and then vanishes: it neither renews nor gives back. */
async function takeAndVanish(database: Database, leaseMs: number): Promise<Lease> {
  const broken: Database["write"] = new Proxy(database.write, {
    get(target, name) {
      if (name === "updateTable" || name === "deleteFrom") throw new Error("no connection");
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return take({ ...database, write: broken }, leaseMs);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describeEachDatabase("the lease of a database", (open, dialect) => {
  const start = exchangeStarter(open);
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  test.runIf(dialect === "postgres")(
    "refuses a start while another exchange renews it",
    async () => {
      const database = await open();
      await take(database, 3_000);
      const starting = take(elsewhere(database), 3_000);
      await expect(starting).rejects.toThrow(DatabaseInUseError);
      await expect(starting).rejects.toThrow(/^Another exchange runs on the database .* Stop it/);
    },
  );

  test.runIf(dialect === "postgres")(
    "is held by all nodes of an exchange together, and by no other exchange",
    async () => {
      const database = await open();
      const first = await take(database, 1_500, "the stream one");
      const second = await take(elsewhere(database), 1_500, "the stream one");
      await expect(take(elsewhere(database), 1_500)).rejects.toThrow(DatabaseInUseError);
      // Each has renewed since the other took it.
      expect([first.isHeld(), second.isHeld()]).toEqual([true, true]);
      await first.close();
      await expect(take(elsewhere(database), 1_500, "the stream two")).rejects.toThrow(
        DatabaseInUseError,
      );
      expect(second.isHeld()).toBe(true);
    },
  );

  test.runIf(dialect === "postgres")("is free as soon as it is given back", async () => {
    const database = await open();
    const first = await take(database);
    await first.close();
    expect((await take(elsewhere(database))).isHeld()).toBe(true);
  });

  test("does not keep the next process with the same data directory waiting", async () => {
    const database = await open();
    await takeAndVanish(database, 60_000);
    expect((await take(database)).isHeld()).toBe(true);
  });

  test.runIf(dialect === "postgres")("of one that vanished is waited for", async () => {
    const database = await open();
    const vanished = await takeAndVanish(database, 1_000);
    expect((await take(elsewhere(database), 1_000)).isHeld()).toBe(true);
    // The one that comes back too late answers nothing in the meantime.
    expect(vanished.isHeld()).toBe(false);
  });

  test.runIf(dialect === "postgres")(
    "that is another one's is lost for good, and told",
    async () => {
      const database = await open();
      const lease = await take(database, 300);
      const told: string[] = [];
      lease.onLost((reason) => told.push(reason));
      await database.write
        .updateTable("exchange_lease")
        .set({ holder: "another", place: "elsewhere", until_ms: Date.now() + 600_000 })
        .execute();
      await until(() => told.length > 0);
      expect(told).toEqual([expect.stringContaining("Another exchange has taken the database")]);
      expect(lease.isHeld()).toBe(false);
    },
  );

  test("nothing of the past is read while it may be another one's", async () => {
    const database = await open();
    let isOurs = true;
    const history = await openHistory({ database, log, isOurs: () => isOurs });
    closers.push(() => history.close());
    expect(
      await history.read.fillEntries({ account: 17, orderId: 1, tradeId: 1, sequence: 1 }),
    ).toEqual([]);
    isOurs = false;
    expect(() => history.read).toThrow(HistoryUnavailableError);
    isOurs = true;
    history.lose("taken");
    expect(() => history.read).toThrow(HistoryUnavailableError);
    expect(() => history.project([])).toThrow("taken");
  });

  // On SQLite the copy has a database of its own, and is another exchange from there on.
  test.runIf(dialect === "postgres")(
    "refuses a copy of the directory of one that runs",
    async () => {
      const original = await start({});
      const copy = elsewhere(original.database);
      cpSync(original.database.location.dataDir, copy.location.dataDir, { recursive: true });
      await expect(start({ DATA_DIR: copy.location.dataDir }, original)).rejects.toThrow(
        DatabaseInUseError,
      );
      expect((await fetch(`${original.url}/api/health`)).status).toBe(200);
    },
  );
});
