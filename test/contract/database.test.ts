import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { EventOf } from "#engine/events.ts";
import { insertRows } from "#server/database/insert-rows.ts";
import type { Database } from "#server/database/open-database.ts";
import type { HistoryTables } from "#server/database/history-tables.ts";
import { ORDER_LISTS } from "#server/records/order-lists.ts";
import { ORDERS, placedOrder } from "#server/records/orders.ts";
import type { RowOf } from "#server/records/record-kind.ts";
import { describeEachDatabase } from "./databases.ts";

const ORDER = {
  type: "orderPlaced",
  sequence: 1,
  timestampMs: 1,
  orderId: 7,
  account: 16,
  marketId: 1,
  side: "buy",
  orderType: "limit",
  timeInForce: "gtc",
  postOnly: false,
  priceTicks: 100 as Ticks,
  quantityLots: 1 as Lots,
  quoteAmount: 0 as Amount,
  heldAmount: 100 as Amount,
  makerFeeBps: 0,
  takerFeeBps: 0,
  feeSource: "plan",
  clientOrderId: "",
  listId: 3,
} satisfies EventOf<"orderPlaced">;

const trade = (tradeId: number, quantityLots = 5): HistoryTables["trades"] => ({
  market_id: 1,
  trade_id: tradeId,
  sequence: tradeId,
  price_ticks: 100,
  quantity_lots: quantityLots,
  taker_side: "buy",
  time: 1_800_000_000_000,
});

/** What the migrations from 031 on have made besides statistics. */
async function undoLaterMigrations({ write }: Database): Promise<void> {
  const indexes = ["security_events_by_kind", "mail_queue_of_recipient", "mail_queue_in_turn"];
  for (const index of indexes) await sql`drop index ${sql.id(index)}`.execute(write);
  await sql`alter table mail_queue drop column turn`.execute(write);
  for (const table of ["leaving_administrators", "access_changes"]) {
    await sql`drop table ${sql.table(table)}`.execute(write);
  }
}

describeEachDatabase("database", (open, dialect) => {
  test("migrating a migrated database changes nothing", async () => {
    const database = await open();
    await insertRows(database.write, "trades", [trade(1)]);
    await database.migrate();
    expect(await database.read.selectFrom("trades").selectAll().execute()).toEqual([trade(1)]);
  });

  test("the migration that empties the history keeps none of its rows, and rewrites none", async () => {
    const database = await open();
    await insertRows(database.write, "trades", [trade(1)]);
    await sql`update history_progress set sequence = 1, time = 2, origin_time = 3`.execute(
      database.write,
    );
    // As it was before that migration.
    for (const table of ["admin_changes", "withdrawal_addresses", "prevented_matches"]) {
      await sql`drop table ${sql.table(table)}`.execute(database.write);
    }
    await sql`alter table history_progress drop column writer`.execute(database.write);
    await sql`alter table orders drop column list_kind`.execute(database.write);
    await sql`alter table orders drop column working_since`.execute(database.write);
    await sql`alter table order_changes drop column waiting_terms`.execute(database.write);
    await undoLaterMigrations(database);
    await sql`delete from kysely_migration where name >= '024'`.execute(database.write);
    const storage = async () => {
      const { rows } = await sql<{
        file: string;
      }>`select pg_relation_filenode('trades') as file`.execute(database.read);
      return rows[0].file;
    };
    const before = dialect === "postgres" ? await storage() : "";
    await database.migrate();
    expect(await database.read.selectFrom("trades").selectAll().execute()).toEqual([]);
    const progress = database.read.selectFrom("history_progress").selectAll();
    expect(await progress.execute()).toEqual([
      { id: 1, sequence: 0, time: 0, origin_time: 0, writer: "" },
    ]);
    // PostgreSQL gives a truncated table a new, empty file; deleted rows would stay in the old one.
    if (dialect === "postgres") expect(await storage()).not.toBe(before);
  });

  test("orders of an earlier version get the kind of their list", async () => {
    const database = await open();
    const order = { ...ORDERS.toRow(placedOrder(ORDER)), list_kind: "" as const };
    const rows = [
      order,
      { ...order, order_id: 8, list_id: 0 },
      { ...order, order_id: 9, list_id: 4 },
    ];
    await insertRows(database.write, "orders", rows);
    const list = { account: order.account, listId: 3, marketId: 1, kind: "otoco" } as const;
    const placed = { clientListId: "", firstOrderId: 7, orderCount: 3, placedAtMs: 1 };
    await insertRows(database.write, "order_lists", [ORDER_LISTS.toRow({ ...list, ...placed })]);
    await sql`alter table orders drop column list_kind`.execute(database.write);
    await sql`alter table orders drop column working_since`.execute(database.write);
    await sql`alter table order_changes drop column waiting_terms`.execute(database.write);
    await undoLaterMigrations(database);
    await sql`delete from kysely_migration where name >= '028'`.execute(database.write);
    await database.migrate();
    const kinds = database.read.selectFrom("orders").select(["order_id", "list_kind"]);
    expect(await kinds.orderBy("order_id").execute()).toEqual([
      { order_id: 7, list_kind: "otoco" },
      { order_id: 8, list_kind: "" },
      // Its list is not in the history.
      { order_id: 9, list_kind: "" },
    ]);
  });

  test("orders of an earlier version work since their placement unless they have waited, and end by name", async () => {
    const database = await open();
    const order: RowOf<typeof ORDERS.fields> = {
      ...ORDERS.toRow(placedOrder(ORDER, { kind: "otoco" })),
      working_since: 0,
    };
    const ended = { status: "cancelled", end_reason: "listExpired" } as const;
    const rows = [
      // The working order of one list has expired, that of the other has filled.
      { ...order, order_id: 7, status: "expired", end_reason: "expired" } as const,
      { ...order, ...ended, order_id: 8 },
      { ...order, order_id: 17, list_id: 4, status: "filled", end_reason: "filled" } as const,
      { ...order, ...ended, order_id: 18, list_id: 4 },
      { ...order, order_id: 30, list_id: 0, list_kind: "" } as const,
      { ...order, order_id: 31, list_id: 0, list_kind: "", trigger_ticks: 90 } as const,
    ];
    await insertRows(database.write, "orders", rows);
    const list = { account: order.account, marketId: 1, kind: "otoco", clientListId: "" } as const;
    const lists = [
      ORDER_LISTS.toRow({ ...list, listId: 3, firstOrderId: 7, orderCount: 2, placedAtMs: 1 }),
      ORDER_LISTS.toRow({ ...list, listId: 4, firstOrderId: 17, orderCount: 2, placedAtMs: 1 }),
    ];
    await insertRows(database.write, "order_lists", lists);
    await sql`alter table orders drop column working_since`.execute(database.write);
    await undoLaterMigrations(database);
    await sql`delete from kysely_migration where name >= '030'`.execute(database.write);
    await database.migrate();
    const columns = ["order_id", "working_since", "end_reason"] as const;
    const migrated = database.read.selectFrom("orders").select(columns);
    expect(await migrated.orderBy("order_id").execute()).toEqual([
      { order_id: 7, working_since: 0, end_reason: "expired" },
      { order_id: 8, working_since: 0, end_reason: "workingOrderExpired" },
      { order_id: 17, working_since: 0, end_reason: "filled" },
      { order_id: 18, working_since: 0, end_reason: "listExpired" },
      { order_id: 30, working_since: 1, end_reason: "" },
      { order_id: 31, working_since: 0, end_reason: "" },
    ]);
  });

  test("migrating minds nothing that appears, changes and goes elsewhere in the database", async () => {
    const [database, elsewhere] = [await open(), await open()];
    let changing = true;
    const changes = (async () => {
      for (let next = 0; changing; next = 1 - next) {
        const [from, to] = next === 0 ? ["trades", "trades_away"] : ["trades_away", "trades"];
        await sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(
          elsewhere.write,
        );
        await sql`create table passing (id integer)`.execute(elsewhere.write);
        await sql`drop table passing`.execute(elsewhere.write);
      }
    })();
    try {
      for (let time = 0; time < 20; time += 1) await database.migrate();
    } finally {
      changing = false;
      await changes;
    }
  });

  test("the largest exact integers are stored and read without loss, counts are numbers", async () => {
    const database = await open();
    const extreme = trade(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER);
    await insertRows(database.write, "trades", [extreme]);
    expect(await database.read.selectFrom("trades").selectAll().execute()).toEqual([extreme]);
    const { count } = await database.read
      .selectFrom("trades")
      .select((expression) => expression.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(count).toBe(1);
  });

  test("batches of every size are inserted whole and in full", async () => {
    const database = await open();
    let next = 1;
    for (const size of [0, 1, 15, 16, 17, 127, 128, 145, 400, 10_001]) {
      const rows = Array.from({ length: size }, () => trade(next++));
      await insertRows(database.write, "trades", rows);
    }
    const ids = await database.read
      .selectFrom("trades")
      .select("trade_id")
      .orderBy("trade_id")
      .execute();
    expect(ids.map((row) => row.trade_id)).toEqual(
      Array.from({ length: next - 1 }, (_, i) => i + 1),
    );
  });

  test("a conflict clause decides about rows that are there already", async () => {
    const database = await open();
    await insertRows(database.write, "trades", [trade(1, 5)]);
    await expect(insertRows(database.write, "trades", [trade(1, 6)])).rejects.toThrow();
    await insertRows(
      database.write,
      "trades",
      [trade(1, 7), trade(2, 8)],
      "on conflict (market_id, trade_id) do update set quantity_lots = excluded.quantity_lots",
    );
    const rows = await database.read
      .selectFrom("trades")
      .select("quantity_lots")
      .orderBy("trade_id")
      .execute();
    expect(rows.map((row) => row.quantity_lots)).toEqual([7, 8]);
  });

  test("text is stored as it is, whatever it contains", async () => {
    const database = await open();
    const text = `'"; drop table orders; -- \\ {1,2} NULL 🪙 ü`;
    await insertRows(database.write, "activity", [
      {
        account: 16,
        sequence: 1,
        position: 0,
        kind: "plan",
        time: 0,
        market_id: 0,
        order_id: 0,
        trade_id: 0,
        asset_id: 0,
        amount: 0,
        plan_id: 1,
        reason: "",
        note: "",
        search_text: text,
      },
    ]);
    const { search_text } = await database.read
      .selectFrom("activity")
      .select("search_text")
      .executeTakeFirstOrThrow();
    expect(search_text).toBe(text);
  });

  test("a failed transaction leaves nothing behind", async () => {
    const database = await open();
    const failing = database.write.transaction().execute(async (transaction) => {
      await insertRows(transaction, "trades", [trade(1)]);
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect(await database.read.selectFrom("trades").selectAll().execute()).toEqual([]);
  });

  test("readers proceed while a transaction is open and see only what was committed", async () => {
    const database = await open();
    await database.write.transaction().execute(async (transaction) => {
      await insertRows(transaction, "trades", [trade(1)]);
      expect(await database.read.selectFrom("trades").selectAll().execute()).toEqual([]);
    });
    expect(await database.read.selectFrom("trades").selectAll().execute()).toHaveLength(1);
  });

  test("writers of two connections wait for each other without stopping the thread", async () => {
    const first = await open();
    const second = await open(first);
    let secondDone = false;
    let waiting: Promise<void> | undefined;
    await first.write.transaction().execute(async (transaction) => {
      await sql`update history_progress set sequence = 1`.execute(transaction);
      waiting = second.write
        .transaction()
        .execute((other) => sql`update history_progress set sequence = sequence + 1`.execute(other))
        .then(() => {
          secondDone = true;
        });
      for (let turn = 0; turn < 20; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      expect(secondDone).toBe(false);
    });
    await waiting;
    const { sequence } = await first.read
      .selectFrom("history_progress")
      .select("sequence")
      .executeTakeFirstOrThrow();
    expect(sequence).toBe(2);
  });

  test("a transaction that reads before it writes is not overtaken by another connection", async () => {
    const first = await open();
    const second = await open(first);
    const raise = sql`update history_progress set sequence = sequence + 1`;
    let waiting: Promise<unknown> | undefined;
    await first.write.transaction().execute(async (transaction) => {
      await transaction.selectFrom("history_progress").selectAll().execute();
      waiting = raise.execute(second.write);
      await new Promise((resolve) => setTimeout(resolve, 20));
      await raise.execute(transaction);
    });
    await waiting;
    const { sequence } = await first.read
      .selectFrom("history_progress")
      .select("sequence")
      .executeTakeFirstOrThrow();
    expect(sequence).toBe(2);
  });

  // SQLite has no connection that could be lost.
  test.runIf(dialect === "postgres")(
    "a connection lost between two statements of a transaction fails that transaction alone",
    async () => {
      const database = await open();
      const uncaught: unknown[] = [];
      const note = (error: unknown) => uncaught.push(error);
      process.on("uncaughtExceptionMonitor", note);
      try {
        const interrupted = database.write.transaction().execute(async (transaction) => {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(
            transaction,
          );
          const [{ pid }] = rows;
          await sql`select pg_terminate_backend(${pid}, 5000)`.execute(database.read);
          // Another answer of the server, so that the loss has been read before the next statement.
          await sql`select 1`.execute(database.read);
          await insertRows(transaction, "trades", [trade(1)]);
        });
        await expect(interrupted).rejects.toThrow(/connection|terminat/i);
      } finally {
        process.off("uncaughtExceptionMonitor", note);
      }
      expect(uncaught).toEqual([]);
      await insertRows(database.write, "trades", [trade(2)]);
      const { trade_id } = await database.read
        .selectFrom("trades")
        .select("trade_id")
        .executeTakeFirstOrThrow();
      expect(trade_id).toBe(2);
    },
  );
});
