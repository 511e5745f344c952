/** The projections of the journal; see database/history-tables.ts for what the columns mean. */
import { sql, type CreateTableBuilder } from "kysely";
import { isSqlite } from "../dialect.ts";
import { type AnyDatabase, createIndex } from "./schema-steps.ts";

const words = (text: string): readonly string[] => text.split(" ");

export async function up(database: AnyDatabase): Promise<void> {
  const create = async (
    table: string,
    integers: readonly string[],
    texts: readonly string[],
    key: readonly string[],
  ) => {
    let builder: CreateTableBuilder<string, string> = database.schema.createTable(table);
    for (const name of integers) builder = builder.addColumn(name, "bigint", (c) => c.notNull());
    for (const name of texts) builder = builder.addColumn(name, "text", (c) => c.notNull());
    builder = builder.addPrimaryKeyConstraint(`${table}_key`, [...key]);
    // Rows are stored in the order of their key: half the space, and pages are read in one sweep.
    if (isSqlite(database)) builder = builder.modifyEnd(sql`without rowid`);
    await builder.execute();
  };
  const index = (table: string, columns: readonly string[]) =>
    createIndex(database, `${table}_by_${columns.join("_")}`, table, columns);

  await create(
    "orders",
    words(
      "order_id account market_id post_only price_ticks quantity_lots quote_amount " +
        "maker_fee_bps taker_fee_bps filled_lots filled_quote placed_at updated_at " +
        "placed_sequence updated_sequence",
    ),
    ["side", "order_type", "time_in_force", "client_order_id", "status"],
    ["account", "order_id"],
  );
  await index("orders", ["account", "market_id", "order_id"]);
  await index("orders", ["account", "status", "order_id"]);

  await create(
    "fills",
    words(
      "account sequence trade_id market_id order_id price_ticks quantity_lots quote_amount " +
        "fee fee_asset_id fee_bps time",
    ),
    ["side", "role"],
    ["account", "sequence", "trade_id"],
  );
  await index("fills", ["account", "market_id", "sequence", "trade_id"]);
  await index("fills", ["account", "order_id", "sequence", "trade_id"]);

  await create(
    "trades",
    ["market_id", "trade_id", "sequence", "price_ticks", "quantity_lots", "time"],
    ["taker_side"],
    ["market_id", "trade_id"],
  );

  await create(
    "ledger_entries",
    ["account", "sequence", "position", "asset_id", "amount", "order_id", "time"],
    ["balance", "reason"],
    ["account", "sequence", "position"],
  );

  await create(
    "candles",
    words(
      "market_id interval_seconds open_time open_ticks high_ticks low_ticks close_ticks " +
        "volume_lots",
    ),
    [],
    ["market_id", "interval_seconds", "open_time"],
  );

  await create(
    "activity",
    words("account sequence position time market_id order_id trade_id asset_id amount plan_id"),
    ["kind", "search_text"],
    ["account", "sequence", "position"],
  );
  await index("activity", ["account", "kind", "sequence", "position"]);

  await create("history_progress", ["id", "sequence", "time", "origin_time"], [], ["id"]);
  await database
    .insertInto("history_progress")
    .values({ id: 1, sequence: 0, time: 0, origin_time: 0 })
    .execute();
}
