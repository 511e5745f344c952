/**
 * Security events of users: written after the fact, never changed, and kept after the user is
 * deleted. Recording an event never delays or fails the action, and its timing does not reveal
 * whether a user exists.
 */
import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises";
import { SECURITY_EVENT_TITLES, type SecurityEventKind } from "#contract/users.ts";
import { CLIENT_ADDRESS_HEADER } from "../../http/client-address.ts";
import type { Database } from "../../database/open-database.ts";
import { CursorError } from "../../database/cursor.ts";
import { FairQueue } from "../../limits/fair-queue.ts";
import type { Log } from "../../log.ts";
import type { SecurityEventsTable } from "../../database/accounts-tables.ts";

const REFUSED: ReadonlySet<SecurityEventKind> = new Set([
  "signInFailed",
  "secondFactorFailed",
  "passkeyRefused",
]);
const TEXT_LENGTH_MAX = 300;
/** The fields of a profile with both values, which an administrator may change together. */
const DETAIL_LENGTH_MAX = 1_500;

/**
 * Rows scanned per read with a filter, and reads per page: some 7 ms on SQLite, which runs on this
 * thread.
 */
const FILTERED_ROWS_PER_READ = 1_000;
const READS_MAX = 4;
/**
 * Pages with a filter, which no client is charged for: one at a time, users in turn, and after each read a
 * pause of three times its length, so that all together take a quarter of the thread at most.
 */
const SEARCH_QUEUE = {
  what: "searches",
  underWay: 1,
  underWayPerClient: 1,
  waiting: 500,
  waitingPerClient: 8,
} as const;
const PAUSE_FACTOR = 3;
const SEARCH_WORDS_MAX = 8;
/** Few enough not to delay other writes. */
const PRUNED_PER_WRITE = 500;

const TIME_DIGITS = 9;
const TIME_MS_MAX = 36 ** TIME_DIGITS - 1;

/** The database, or a transaction of it. */
export type Writer = Database["write"];

export interface NewSecurityEvent {
  readonly userId: string;
  readonly kind: SecurityEventKind;
  /** The user who acted, if not this user. */
  readonly actorId?: string | undefined;
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
  /** A detail that depends on the kind, such as the provider; never a secret. */
  readonly detail?: string | undefined;
}

export interface SecurityEvent {
  readonly id: string;
  readonly userId: string;
  readonly actorId: string | null;
  readonly kind: SecurityEventKind;
  /** A sentence with the detail, for display. */
  readonly title: string;
  readonly status: "completed" | "refused";
  readonly atMs: number;
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface SecurityEventsQuery {
  /** Absent for all users, which is for administrators only. */
  readonly userId?: string | undefined;
  readonly kind?: SecurityEventKind | undefined;
  /** Only events of these kinds, at least one; of a user. */
  readonly kinds?: readonly SecurityEventKind[] | undefined;
  /** Words that the title must all contain, case-insensitive. */
  readonly search?: string | undefined;
  /** From (inclusive) and until (exclusive), in milliseconds since 1970 UTC. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

export interface SecurityEventsPage {
  /**
   * Newest first. May be fewer than requested, even if there are more, if many rows were scanned.
   */
  readonly items: SecurityEvent[];
  /** The event that begins the next page, so that new events do not shift pages. */
  readonly cursor: string | null;
}

export type SecurityEvents = ReturnType<typeof createSecurityEvents>;

/** @param onRecorded called when an event of the user has been stored */
export function createSecurityEvents(
  database: Database,
  log: Log,
  onRecorded: (userId: string) => void = () => undefined,
) {
  const writing = new Set<Promise<void>>();
  const searches = new FairQueue(SEARCH_QUEUE);
  let count = 0;

  /**
   * Ids sort by time and, within a millisecond, by order; the remaining characters distinguish
   * processes.
   */
  function nextId(atMs: number): string {
    count = (count + 1) % 36 ** 4;
    const order = count.toString(36).padStart(4, "0");
    return `${firstIdAt(atMs)}${order}${randomBytes(4).toString("hex")}`;
  }

  async function insert(write: Writer, event: NewSecurityEvent, atMs: number, id: string) {
    await write
      .insertInto("security_events")
      .values({
        id,
        user_id: event.userId,
        actor_id: event.actorId ?? null,
        kind: event.kind,
        at_ms: atMs,
        address: shortened(event.address) ?? null,
        user_agent: shortened(event.userAgent) ?? null,
        detail: event.detail?.slice(0, DETAIL_LENGTH_MAX) ?? "",
      })
      .execute();
  }

  async function write(id: string, atMs: number, event: NewSecurityEvent): Promise<void> {
    try {
      await insert(database.write, event, atMs, id);
      onRecorded(event.userId);
    } catch (error) {
      const { kind, userId } = event;
      log.error({ kind, userId, error: String(error) }, "a security event is not on record");
    }
  }

  async function search(
    query: SecurityEventsQuery,
    isWanted: (row: SecurityEventsTable) => boolean,
  ): Promise<SecurityEventsPage> {
    const found: SecurityEvent[] = [];
    let next = query.cursor;
    for (let reads = 0; reads < READS_MAX; reads += 1) {
      const startedMs = performance.now();
      const rows = await selectEvents(
        database.read,
        { ...query, cursor: next },
        FILTERED_ROWS_PER_READ + 1,
      ).execute();
      const wanted = rows.slice(0, FILTERED_ROWS_PER_READ).filter(isWanted);
      const left = query.limit - found.length;
      found.push(...wanted.slice(0, left).map(eventOf));
      next = (wanted.at(left) ?? rows.at(FILTERED_ROWS_PER_READ))?.id;
      // SQLite answers synchronously, so the thread does other work after each read.
      await delay(PAUSE_FACTOR * (performance.now() - startedMs));
      if (next === undefined || wanted.length > left) break;
    }
    return { items: found, cursor: next ?? null };
  }

  return {
    record: (event: NewSecurityEvent): void => {
      const atMs = Date.now();
      const written = write(nextId(atMs), atMs, event).finally(() => writing.delete(written));
      writing.add(written);
    },
    /**
     * Records the event and stores the change that it reports in one transaction.
     * @throws Error if either fails, in which case neither is stored
     */
    async recordWith(
      event: NewSecurityEvent,
      store: (write: Writer) => Promise<unknown>,
    ): Promise<void> {
      const atMs = Date.now();
      const id = nextId(atMs);
      await database.write.transaction().execute(async (transaction) => {
        await insert(transaction, event, atMs, id);
        await store(transaction);
      });
      onRecorded(event.userId);
    },
    /** @throws CursorError, and QueueFullError if too many pages with a filter are requested */
    async page(query: SecurityEventsQuery): Promise<SecurityEventsPage> {
      if (query.cursor !== undefined && !/^[0-9a-z]{1,40}$/.test(query.cursor)) {
        throw new CursorError("The cursor is not one that a page handed out.");
      }
      // Events recorded before the query must be included.
      await Promise.all(writing);
      const isWanted = wantedBy(query);
      if (isWanted !== null) {
        return searches.run(query.userId ?? "all users", () => search(query, isWanted));
      }
      const rows = await selectEvents(database.read, query, query.limit + 1).execute();
      const items = rows.slice(0, query.limit).map(eventOf);
      return { items, cursor: rows.at(query.limit)?.id ?? null };
    },
    /** Deletes events before that time. @returns how many */
    async prune(beforeMs: number): Promise<number> {
      const { write } = database;
      let pruned = 0;
      for (;;) {
        const oldest = write
          .selectFrom("security_events")
          .select("id")
          .where("id", "<", firstIdAt(beforeMs))
          .orderBy("id")
          .limit(PRUNED_PER_WRITE);
        const gone = await write
          .deleteFrom("security_events")
          .where("id", "in", oldest)
          .returning("id")
          .execute();
        pruned += gone.length;
        if (gone.length < PRUNED_PER_WRITE) return pruned;
        await nextTurn();
      }
    },
    /** Resolves when all events recorded so far have been written or have failed. */
    async settled(): Promise<void> {
      while (writing.size > 0) await Promise.all(writing);
    },
  };
}

/** The events of the query's user, kinds and times from its cursor on, newest first. */
export function selectEvents(read: Database["read"], query: SecurityEventsQuery, limit: number) {
  const newest = selectNewest(read, query, limit);
  if (query.kinds === undefined) return newest.selectAll();
  // Each kind by its index, since a user may have very many events of other kinds.
  const [first, ...others] = query.kinds.map((kind) =>
    read.selectFrom(newest.select("id").where("kind", "=", kind).as("of_kind")).select("id"),
  );
  const all = others.reduce((union, each) => union.unionAll(each), first);
  const ids = read.selectFrom(all.as("of_kinds")).select("id").orderBy("id", "desc").limit(limit);
  return read
    .selectFrom("security_events")
    .selectAll()
    .where("id", "in", ids)
    .orderBy("id", "desc");
}

function selectNewest(
  read: Database["read"],
  { userId, cursor, fromMs, toMs }: SecurityEventsQuery,
  limit: number,
) {
  let select = read.selectFrom("security_events").orderBy("id", "desc").limit(limit);
  if (userId !== undefined) select = select.where("user_id", "=", userId);
  if (cursor !== undefined) select = select.where("id", "<=", cursor);
  if (fromMs !== undefined) select = select.where("id", ">=", firstIdAt(fromMs));
  if (toMs !== undefined) select = select.where("id", "<", firstIdAt(toMs));
  return select;
}

/** A predicate for the filters on rows; null without a filter. */
function wantedBy({ kind, search }: SecurityEventsQuery) {
  const words = (search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  if (kind === undefined && words.length === 0) return null;
  const searched = words.slice(0, SEARCH_WORDS_MAX);
  return (row: SecurityEventsTable): boolean => {
    if (kind !== undefined && row.kind !== kind) return false;
    const text = titleOf(row).toLowerCase();
    return searched.every((word) => text.includes(word));
  };
}

function eventOf(row: SecurityEventsTable): SecurityEvent {
  const kind = row.kind as SecurityEventKind;
  return {
    id: row.id,
    userId: row.user_id,
    actorId: row.actor_id,
    kind,
    title: titleOf(row),
    status: REFUSED.has(kind) ? "refused" : "completed",
    atMs: row.at_ms,
    address: row.address,
    userAgent: row.user_agent,
  };
}

function titleOf({ kind, detail }: SecurityEventsTable): string {
  const title = SECURITY_EVENT_TITLES[kind as SecurityEventKind];
  return detail === "" ? title : `${title}: ${detail}`;
}

/** The prefix of all ids from that time on; earlier ids sort before it. */
export function firstIdAt(atMs: number): string {
  const bounded = Math.min(Math.max(0, Math.floor(atMs)), TIME_MS_MAX);
  return bounded.toString(36).padStart(TIME_DIGITS, "0");
}

function shortened(text: string | undefined): string | undefined {
  return text?.slice(0, TEXT_LENGTH_MAX);
}

/** The address and user agent of a request. */
export function clientOf(context: { readonly headers?: Headers | undefined } | null) {
  return {
    address: context?.headers?.get(CLIENT_ADDRESS_HEADER) ?? undefined,
    userAgent: context?.headers?.get("user-agent") ?? undefined,
  };
}
