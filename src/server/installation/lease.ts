/**
 * Lets one exchange use a PostgreSQL database at a time: a row that names the exchange and is valid for
 * some seconds, renewed while it runs. SQLite's file is in the data directory, whose lock does the
 * same.
 *
 * - A start waits for the lease of an exchange that ended without releasing it, and is refused while
 *   the lease is being renewed. The holder of a data directory's lock need not wait for the lease of
 *   its previous holder.
 * - An exchange that could not renew for the length of the lease no longer knows whether it still has
 *   the database, and reports so until a renewal succeeds. If it finds another exchange's lease, it has
 *   lost the database for good.
 *
 * Times are the database's, so that the clocks of two machines need not agree; the time since the last
 * renewal was sent is measured by the process itself.
 */
import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../database/open-database.ts";
import { describeDatabase } from "../database/open-database.ts";
import type { Log } from "../log.ts";

const LEASE_MS = 15_000;
/** Renewals per lease duration. */
const RENEWALS = 3;
/** Checks for expiry per lease duration, while a start waits. */
const POLLS = 30;
const CLOSE_WAIT_MS_MAX = 2_000;

export interface Lease {
  /** False while another exchange may have the database. */
  isHeld(): boolean;
  /** Calls the listener, once, when another exchange has taken the database. */
  onLost(listener: (reason: string) => void): void;
  /** Releases the lease, so that the next start need not wait. */
  close(): Promise<void>;
}

export interface LeaseOptions {
  readonly database: Database;
  readonly log: Log;
  readonly leaseMs?: number;
  /**
   * The name of the shared journal of one exchange's nodes, which hold the lease together. Without it, one
   * data directory holds it.
   */
  readonly sharedBy?: string;
}

/** Another exchange runs on the database. */
export class DatabaseInUseError extends Error {
  override readonly name = "DatabaseInUseError";
}

/**
 * Takes the database for this process, which must hold the data directory's lock, and migrates its
 * tables to the newest version: after taking the lease, if the tables are recent enough to have one.
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
  readonly #holderName: string;
  /** When the newest successful renewal was sent, by two clocks: one of them stops while the machine sleeps. */
  #renewedAt = { steadyMs: -Infinity, wallMs: -Infinity };
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #lost: string | undefined;
  #listener: ((reason: string) => void) | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    const { database, sharedBy } = options;
    this.#holderName = sharedBy ?? dataDirectoryIdOf(database.location.dataDir);
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
      const isRenewed = firstSeen !== undefined && held.until_ms > firstSeen.untilMs;
      if (isRenewed) {
        const name = describeDatabase(database.location);
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
      await delay(this.#leaseMs / POLLS);
    }
    const renew = () => {
      this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    };
    this.#timer = setInterval(renew, this.#leaseMs / RENEWALS).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    // A database that does not answer does not delay a stop: the lease expires by itself.
    const tooLong = delay(CLOSE_WAIT_MS_MAX, undefined, { ref: false });
    await Promise.race([this.#release(), tooLong]);
  }

  async #release(): Promise<void> {
    await this.#renewing;
    // The other nodes still hold it; the last one's expires by itself.
    if (this.#options.sharedBy !== undefined) return;
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
    const { rows } = await sql`
      insert into exchange_lease (id, holder, place, until_ms)
      values (1, ${this.#holder}, ${this.#holderName}, ${until})
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
      // Otherwise the row is another exchange's, or an older database was restored.
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

/** Identifies the data directory, but not a copy of it, on this machine until the next boot. */
function dataDirectoryIdOf(dataDir: string): string {
  const { dev, ino } = statSync(dataDir, { bigint: true });
  return `inode ${dev}:${ino} on ${hostname()}${bootIdOf()}`;
}

/** The machine's boot id; "" if the system has none. */
function bootIdOf(): string {
  try {
    return ` ${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}`;
  } catch {
    return "";
  }
}
