/**
 * Lets one exchange use a PostgreSQL database at a time: a row that names the exchange and is good for
 * some seconds, renewed while it runs. SQLite's file lies in the data directory, whose lock does the same.
 *
 * - A start waits for the lease of one that has ended without giving it back, and is refused while one
 *   renews it. Who holds the lock of a data directory need not wait for the one that held it before.
 * - Who could not renew for the length of the lease no longer knows whether the database is its own, and
 *   says so until it could. Who finds another one's lease has lost its own for good.
 *
 * Times are the database's, so that clocks of two machines need not agree; how long ago the last renewal
 * was sent is the process's own.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../database/open-database.ts";
import { databaseNameOf } from "../database/open-database.ts";
import type { Log } from "../log.ts";

const LEASE_MS = 15_000;
/** So often in the length of a lease it is renewed. */
const RENEWALS = 3;
/** So often in it a start looks whether it has ended. */
const LOOKS = 30;
const CLOSE_WAIT_MS_MAX = 2_000;

export interface Lease {
  /** False while another exchange may have the database. */
  isHeld(): boolean;
  /** Calls the listener, once, when another exchange has the database. */
  onLost(listener: (reason: string) => void): void;
  /** Gives it back, so that the next start need not wait. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  readonly database: Database;
  readonly log: Log;
  readonly leaseMs?: number;
}

/** Another exchange runs on the database. */
export class DatabaseInUseError extends Error {
  override readonly name = "DatabaseInUseError";
}

/**
 * Takes the database for this process, which must hold the data directory's lock, and brings its tables
 * to the newest version: not before it has it, if they are such that another one may.
 * @throws DatabaseInUseError while another exchange renews its lease; MigrationError
 */
export async function takeDatabase(options: LeaseOptions): Promise<Lease> {
  const { database } = options;
  if (database.dialect === "sqlite") {
    await database.migrate();
    return { isHeld: () => true, onLost: () => undefined, close: () => Promise.resolve() };
  }
  const lease = new RowLease(options);
  const tables = await database.read.introspection.getTables();
  const isTaken = tables.some(({ name }) => name === "exchange_lease");
  if (isTaken) await lease.take();
  try {
    await database.migrate();
    if (!isTaken) await lease.take();
    return lease;
  } catch (error) {
    await lease.close();
    throw error;
  }
}

const now = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

class RowLease implements Lease {
  readonly #options: LeaseOptions;
  readonly #leaseMs: number;
  readonly #holder = randomUUID();
  readonly #place: string;
  /** When the newest renewal that succeeded was sent, by two clocks: one of them stands in a machine that sleeps. */
  #renewedAt = { steadyMs: -Infinity, wallMs: -Infinity };
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #lost: string | undefined;
  #listener: ((reason: string) => void) | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#place = placeOf(options.database.location.dataDir);
  }

  isHeld(): boolean {
    if (this.#lost !== undefined) return false;
    const { steadyMs, wallMs } = this.#renewedAt;
    const sinceMs = Math.max(performance.now() - steadyMs, Date.now() - wallMs);
    return sinceMs < this.#leaseMs;
  }

  onLost(listener: (reason: string) => void): void {
    this.#listener = listener;
    if (this.#lost !== undefined) listener(this.#lost);
  }

  /** @throws DatabaseInUseError */
  async take(): Promise<void> {
    const { database, log } = this.#options;
    let firstSeen: { readonly untilMs: number } | undefined;
    while (!(await this.#takeIfFree())) {
      const held = await database.read
        .selectFrom("exchange_lease")
        .selectAll()
        .where("id", "=", 1)
        .executeTakeFirst();
      if (held === undefined) continue;
      if (firstSeen !== undefined && held.until_ms > firstSeen.untilMs) {
        const name = databaseNameOf(database.location);
        throw new DatabaseInUseError(
          `Another exchange runs on the database ${name}, from the data directory with ` +
            `${held.place}. Stop it, or correct DATABASE_URL. Never start a copy of a data ` +
            "directory beside the original.",
        );
      }
      if (firstSeen === undefined) {
        firstSeen = { untilMs: held.until_ms };
        const seconds = Math.ceil(this.#leaseMs / 1000);
        log.warn(
          `another exchange had the database a moment ago; waiting up to ${seconds} s for its end`,
        );
      }
      await delay(this.#leaseMs / LOOKS);
    }
    const renew = () => {
      this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    };
    this.#timer = setInterval(renew, this.#leaseMs / RENEWALS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // A database that does not answer holds up no stop: the lease ends by itself.
    const tooLong = delay(CLOSE_WAIT_MS_MAX, undefined, { ref: false });
    await Promise.race([this.#giveBack(), tooLong]);
  }

  async #giveBack(): Promise<void> {
    await this.#renewing;
    try {
      await this.#options.database.write
        .deleteFrom("exchange_lease")
        .where("holder", "=", this.#holder)
        .execute();
    } catch (error) {
      this.#options.log.debug({ err: error }, "the lease of the database was not given back");
    }
  }

  async #takeIfFree(): Promise<boolean> {
    const sent = sentNow();
    const until = sql<number>`${now} + ${sql.lit(this.#leaseMs)}`;
    const { holder, place } = { holder: this.#holder, place: this.#place };
    const { rows } = await sql`
      insert into exchange_lease (id, holder, place, until_ms)
      values (1, ${holder}, ${place}, ${until})
      on conflict (id) do update
      set holder = excluded.holder, place = excluded.place, until_ms = excluded.until_ms
      where exchange_lease.until_ms <= ${now} or exchange_lease.place = excluded.place
      returning holder`.execute(this.#options.database.write);
    if (rows.length === 0) return false;
    this.#renewedAt = sent;
    return true;
  }

  async #renew(): Promise<void> {
    const { database, log } = this.#options;
    const sent = sentNow();
    try {
      const { numUpdatedRows } = await database.write
        .updateTable("exchange_lease")
        .set({ until_ms: sql<number>`${now} + ${sql.lit(this.#leaseMs)}` })
        .where("holder", "=", this.#holder)
        .executeTakeFirst();
      // Else the row is another one's, or was put back to an older time's.
      if (numUpdatedRows === 1n || (await this.#takeIfFree())) this.#renewedAt = sent;
      else this.#lose();
    } catch (error) {
      log.warn({ err: error }, "the lease of the database could not be renewed");
    }
  }

  #lose(): void {
    clearInterval(this.#timer);
    this.#lost =
      "Another exchange has taken the database. Stop the one that was started last, and never start " +
      "a copy of a data directory beside the original.";
    this.#listener?.(this.#lost);
  }
}

function sentNow() {
  return { steadyMs: performance.now(), wallMs: Date.now() };
}

/** Names the data directory among all of this machine until it starts again, and no copy of it. */
function placeOf(dataDir: string): string {
  const { dev, ino } = statSync(dataDir, { bigint: true });
  return `inode ${dev}:${ino} on ${hostname()}${bootIdOf()}`;
}

/** "" where the system has none. */
function bootIdOf(): string {
  try {
    return ` ${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}`;
  } catch {
    return "";
  }
}
