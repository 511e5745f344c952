/** Projections of the journal; database/history-tables.ts describes the columns. */
import { type AnyDatabase, createHistoryTable, createIndex } from "./schema-steps.ts";

const words = (text: string): readonly string[] => text.split(" ");

export async function up(database: AnyDatabase): Promise<void> {
  const index = (table: string, columns: readonly string[]) =>
    createIndex(database, `${table}_by_${columns.join("_")}`, table, columns);

  await createHistoryTable(
    database,
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

  await createHistoryTable(
    database,
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

  await createHistoryTable(
    database,
    "trades",
    ["market_id", "trade_id", "sequence", "price_ticks", "quantity_lots", "time"],
    ["taker_side"],
    ["market_id", "trade_id"],
  );

  await createHistoryTable(
    database,
    "ledger_entries",
    ["account", "sequence", "position", "asset_id", "amount", "order_id", "time"],
    ["balance", "reason"],
    ["account", "sequence", "position"],
  );

  await createHistoryTable(
    database,
    "candles",
    words(
      "market_id interval_seconds open_time open_ticks high_ticks low_ticks close_ticks " +
        "volume_lots",
    ),
    [],
    ["market_id", "interval_seconds", "open_time"],
  );

  await createHistoryTable(
    database,
    "activity",
    words("account sequence position time market_id order_id trade_id asset_id amount plan_id"),
    ["kind", "search_text"],
    ["account", "sequence", "position"],
  );
  await index("activity", ["account", "kind", "sequence", "position"]);

  await createHistoryTable(
    database,
    "history_progress",
    ["id", "sequence", "time", "origin_time"],
    [],
    ["id"],
  );
  await database
    .insertInto("history_progress")
    .values({ id: 1, sequence: 0, time: 0, origin_time: 0 })
    .execute();
}
