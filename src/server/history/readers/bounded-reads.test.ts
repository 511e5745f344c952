import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompiledQuery, type Kysely, type RootOperationNode } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { insertRows } from "../../database/insert-rows.ts";
import { type Database, openDatabase } from "../../database/open-database.ts";
import type { Tables } from "../../database/tables.ts";
import { createSilentLog } from "../../log.ts";
import { readActivityPage } from "./activity-reader.ts";
import { readAmendments, readPracticeFunds } from "./account-reader.ts";
import { readList } from "./list-reader.ts";
import { readProfits } from "./profit-reader.ts";
import { readFillRange, readOrderRange } from "./range-reader.ts";
import { readFill, readFills, readOrderByClientId, readOrders } from "./record-reader.ts";

/** More rows than a page searches. */
const ROWS = 21_000;
const EACH = Array.from({ length: ROWS }, (_, at) => at + 1);

let dataDir: string;
let database: Database;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "openbell-bounded-"));
  database = await openDatabase({ dataDir, log: createSilentLog() });
  await database.migrate();
  const common = { account: 1, market_id: 1, side: "buy", fee_source: "plan" } as const;
  const order = {
    ...common,
    client_order_id: "",
    order_type: "limit",
    time_in_force: "GTC",
    post_only: 0,
    price_ticks: 1,
    quantity_lots: 1,
    quote_amount: 0,
    maker_fee_bps: 0,
    taker_fee_bps: 0,
    conditions: "",
    list_id: 0,
    list_kind: "",
    waits_for: "nothing",
    trigger_ticks: 0,
    status: "cancelled",
    end_reason: "cancelled",
    filled_lots: 0,
    filled_quote: 0,
  } as unknown as Tables["orders"];
  const fill = {
    ...common,
    price_ticks: 1,
    quantity_lots: 1,
    quote_amount: 1,
    fee: 0,
    fee_asset_id: 1,
    fee_bps: 0,
    role: "maker",
  } as const;
  const activity = {
    account: 1,
    position: 0,
    kind: "order",
    market_id: 1,
    trade_id: 0,
    asset_id: 0,
    amount: 0,
    plan_id: 0,
    reason: "",
    note: "",
    search_text: "",
  } as const;
  const times = (at: number) => ({ placed_at: at, working_since: at, updated_at: at });
  const sequences = (at: number) => ({ placed_sequence: at, updated_sequence: at });
  await insertRows(
    database.write,
    "orders",
    EACH.map((at) => ({ ...order, order_id: at, ...times(at), ...sequences(at) })),
  );
  await insertRows(
    database.write,
    "fills",
    EACH.map((at) => ({ ...fill, order_id: at, trade_id: at, time: at, sequence: at })),
  );
  await insertRows(
    database.write,
    "activity",
    EACH.map((at) => ({ ...activity, order_id: at, sequence: at, time: 1_000 + at })),
  );
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

test.each([
  { side: "sell" },
  { side: "sell", marketId: 1 },
  { status: "filled", marketId: 1 },
  { status: "cancelled", side: "sell" },
] as const)("of orders without one that matches only some are read: %j", async (filter) => {
  const page = await readOrders(database.read, { account: 1, limit: 10, ...filter });
  expect(page.items).toEqual([]);
  expect(page.cursor).not.toBeNull();
  const { cursor } = page;
  const rest = { account: 1, limit: 10, ...filter, cursor: cursor ?? "" };
  expect(await readOrders(database.read, rest)).toEqual({ items: [], cursor: null });
});

test("orders that match are found by market, status and side", async () => {
  const filters = [
    { status: "cancelled" },
    { status: "cancelled", marketId: 1 },
    { side: "buy" },
    { side: "buy", status: "cancelled", marketId: 1 },
  ] as const;
  for (const filter of filters) {
    const { items } = await readOrders(database.read, { account: 1, limit: 2, ...filter });
    expect(items.map(({ orderId }) => orderId)).toEqual([ROWS, ROWS - 1]);
  }
  for (const status of ["open", "partiallyFilled", "filled"] as const) {
    const page = await readOrders(database.read, { account: 1, limit: 2, status });
    expect(page).toEqual({ items: [], cursor: null });
  }
});

test("of fills without one of the side only some are read", async () => {
  const page = await readFills(database.read, { account: 1, limit: 10, side: "sell" });
  expect(page.items).toEqual([]);
  expect(page.cursor).not.toBeNull();
  const { items } = await readFills(database.read, { account: 1, limit: 1, side: "buy" });
  expect(items.map(({ tradeId }) => tradeId)).toEqual([ROWS]);
});

test("activity until a time is read by the index, whatever came later", async () => {
  const { nodes, read } = noting();
  const query = { account: 1, limit: 2, toMs: 1_003 };
  const { items } = await readActivityPage(read, query);
  expect(items.map(({ sequence }) => sequence)).toEqual([2, 1]);
  const steps = await stepsOf(database.read, nodes);
  const ofActivity = steps.filter((step) => step.includes(" activity "));
  expect(ofActivity).not.toEqual([]);
  for (const step of ofActivity) expect(step).toMatch(/sequence</);
  const none = await readActivityPage(read, { ...query, toMs: 1_001 });
  expect(none.items).toEqual([]);
  const all = await readActivityPage(read, { ...query, kind: "order", toMs: 9e12 });
  expect(all.items.map(({ sequence }) => sequence)).toEqual([ROWS, ROWS - 1]);
});

const OF_ACCOUNT = { account: 1, limit: 2 } as const;

test.each<readonly [string, (read: Kysely<Tables>) => Promise<unknown>]>([
  ["orders_by_account_client_order_id", (read) => readOrderByClientId(read, 1, "none")],
  [
    "orders_by_account_market_id_order_id",
    (read) => readOrders(read, { ...OF_ACCOUNT, marketId: 2 }),
  ],
  [
    "orders_by_account_status_order_id",
    (read) => readOrders(read, { ...OF_ACCOUNT, status: "open" }),
  ],
  [
    "orders_by_account_market_id_order_id",
    (read) => readOrderRange(read, { ...OF_ACCOUNT, marketId: 2, fromMs: 5 }),
  ],
  [
    "fills_by_account_market_id_sequence_trade_id",
    (read) => readFills(read, { ...OF_ACCOUNT, marketId: 2 }),
  ],
  [
    "fills_by_account_market_id_sequence_trade_id",
    (read) => readFillRange(read, { ...OF_ACCOUNT, marketId: 2, fromMs: 5 }),
  ],
  ["fills_by_account_order_id_sequence_trade_id", (read) => readFill(read, 1, 7, 7)],
  [
    "order_lists_by_account_client_list_id",
    (read) => readList(read, { account: 1, clientListId: "none" }),
  ],
  [
    "activity_by_account_kind_sequence_position",
    (read) => readActivityPage(read, { ...OF_ACCOUNT, kind: "plan" }),
  ],
  [
    "activity_by_account_kind_sequence_position",
    (read) => readPracticeFunds(read, { ...OF_ACCOUNT, offset: 0, fromMs: 0, toMs: 9e12 }),
  ],
  [
    "activity_by_account_kind_sequence_position",
    (read) =>
      readProfits(read, {
        account: 1,
        method: "average",
        fromMs: 0,
        settlementAssetId: 1,
        markets: [],
      }),
  ],
])("an account with very many rows is read by %s", async (index, ask) => {
  const { nodes, read } = noting();
  await ask(read).catch(() => undefined);
  const table = index.split("_by_", 1)[0];
  const steps = await stepsOf(database.read, nodes);
  const own = steps.filter((step) => step.includes(` ${table} `));
  expect(own).not.toEqual([]);
  expect(own.some((step) => step.includes(`INDEX ${index} `))).toBe(true);
  for (const step of own) expect(step).toMatch(/\(account=\? AND \w+=/);
});

test("a page of activity until a time continues at its cursor, not at that time", async () => {
  const query = { ...OF_ACCOUNT, toMs: 9e12 };
  const { cursor } = await readActivityPage(database.read, query);
  const { nodes, read } = noting();
  const { items } = await readActivityPage(read, { ...query, cursor: cursor ?? "" });
  expect(items.map(({ sequence }) => sequence)).toEqual([ROWS - 2, ROWS - 3]);
  const steps = await stepsOf(database.read, nodes);
  expect(steps.find((step) => step.includes("(sequence,position)<"))).toBeDefined();
  expect(steps.filter((step) => step.includes("(account=? AND sequence<?)"))).toHaveLength(1);
});

test("a fill and the amendments of an order are found among very many", async () => {
  const fill = await readFill(database.read, 1, 8, 8);
  expect([fill?.orderId, fill?.tradeId]).toEqual([8, 8]);
  for (const [orderId, tradeId] of [
    [8, 7],
    [8, 9],
    [ROWS + 1, 1],
  ]) {
    expect(await readFill(database.read, 1, orderId, tradeId)).toBeUndefined();
  }
  const change = { ...CHANGE, account: 1, order_id: 8 };
  await insertRows(
    database.write,
    "order_changes",
    EACH.slice(0, 2_500).map((at) => ({
      ...change,
      sequence: at,
      kind: at % 1_200 === 0 ? ("amended" as const) : ("decremented" as const),
    })),
  );
  const query = { account: 1, orderId: 8, fromSequence: 0, limit: 10 };
  const amended = await readAmendments(database.read, query);
  expect(amended.map(({ sequence }) => sequence)).toEqual([1_200, 2_400]);
  expect(await readAmendments(database.read, { ...query, fromSequence: 1_201 })).toHaveLength(1);
  expect(await readAmendments(database.read, { ...query, limit: 1 })).toEqual([amended[0]]);
});

const CHANGE = {
  position: 0,
  price_ticks: 1,
  quantity_lots: 1,
  previous_price_ticks: 1,
  previous_quantity_lots: 2,
  market_ticks: 0,
  kept_place: 0,
  time: 1,
  cause: "",
  waiting_terms: "",
} as const;

/** A database that records its queries. */
function noting() {
  const nodes: RootOperationNode[] = [];
  const read = database.read.withPlugin({
    transformQuery: ({ node }) => (nodes.push(node), node),
    transformResult: ({ result }) => Promise.resolve(result),
  });
  return { nodes, read };
}

/** How SQLite executes the queries. */
async function stepsOf(read: Kysely<Tables>, nodes: readonly RootOperationNode[]) {
  const steps: string[] = [];
  for (const node of nodes) {
    const { parameters, sql } = read.getExecutor().compileQuery(node, { queryId: "plan" });
    const plan = await read.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
    );
    steps.push(...plan.rows.map(({ detail }) => detail));
  }
  return steps;
}
