/** Calls besides orders that must be refused, and those that only their owner may make. */
import { RawJson } from "./bad-input-clients.ts";
import {
  type BadCall,
  type CallKind,
  GOOD_ORDER,
  LONG_TEXT,
  NO_TEXTS,
  shown,
  WITH_NULL_CHARACTER,
  WITHOUT_MEANING,
} from "./bad-input-orders.ts";

function other(kind: CallKind, path: string, args: unknown, code: string, field?: string): BadCall {
  const text = args instanceof RawJson ? args.text : JSON.stringify(args);
  return { behaviour: `${path} with ${shown(text)}`, kind, path, args, code, field };
}

const PUBLIC = ["markets:book", "markets:trades"];
const PAGED = ["activity:page", "fills:history"];
const NO_CURSORS = [
  "",
  LONG_TEXT,
  "../../etc/passwd",
  "W10",
  "WzFlOTk5XQ",
  "WyIxIl0",
  "\u0000",
  "null",
  "%00",
];

export const BAD_CALLS: readonly BadCall[] = [
  ...["0", "-1", "1.5", "1e3", " 1", "١", "__proto__", "12345678901234567", LONG_TEXT, ""].map(
    (orderId) => other("mutation", "orders:cancel", { orderId }, "invalidArgument", "orderId"),
  ),
  ...NO_TEXTS.map((json) =>
    other(
      "mutation",
      "orders:cancel",
      new RawJson(`{"orderId":${json}}`),
      "invalidArgument",
      "orderId",
    ),
  ),
  other("mutation", "orders:cancel", {}, "invalidArgument", "orderId"),
  other("mutation", "orders:cancel", { orderId: "999999999" }, "unknownOrder", "orderId"),
  other("mutation", "orders:cancel", { orderId: "9999999999999999" }, "unknownOrder", "orderId"),
  other("mutation", "orders:cancel", { orderId: "1", account: 1 }, "invalidArgument", "account"),
  other("mutation", "orders:cancelAll", { market: "toString" }, "unknownMarket", "market"),
  other("mutation", "orders:cancelAll", { market: 0 }, "invalidArgument", "market"),
  other("mutation", "orders:cancelAll", { account: 1 }, "invalidArgument", "account"),
  ...["amount", "coin", "account", "userId"].map((field) =>
    other(
      "mutation",
      "accounts:takePracticeFunds",
      { [field]: "1000000" },
      "invalidArgument",
      field,
    ),
  ),
  other("mutation", "accounts:takePracticeFunds", {}, "practiceFundsTakenToday"),
  ...PUBLIC.flatMap((path) =>
    WITHOUT_MEANING.map((market) => other("query", path, { market }, "unknownMarket", "market")),
  ),
  ...PUBLIC.map((path) =>
    other("query", path, { market: WITH_NULL_CHARACTER }, "invalidArgument", "market"),
  ),
  ...PUBLIC.flatMap((path) =>
    NO_TEXTS.map((json) =>
      other("query", path, new RawJson(`{"market":${json}}`), "invalidArgument", "market"),
    ),
  ),
  ...PUBLIC.map((path) => other("query", path, { market: LONG_TEXT }, "invalidArgument", "market")),
  ...PUBLIC.map((path) => other("query", path, {}, "invalidArgument", "market")),
  ...[0, -1, 101, 1.5, 1e300, "25", null, [], { $float: "AAAAAAAA+H8=" }].map((levels) =>
    other("query", "markets:book", { market: "BTC-USD", levels }, "invalidArgument", "levels"),
  ),
  ...["0", "-1", "0.02", "0.001", "1e3", "NaN", "9".repeat(60), ""].map((grouping) =>
    other("query", "markets:book", { market: "BTC-USD", grouping }, "invalidArgument", "grouping"),
  ),
  ...["2m", "1M ", "__proto__", "", LONG_TEXT].map((interval) =>
    other(
      "query",
      "markets:latestCandles",
      { market: "BTC-USD", interval },
      "invalidArgument",
      "interval",
    ),
  ),
  ...[-1, 1.5, 1e300, "0", null, {}].map((before) =>
    other(
      "action",
      "markets:candles",
      { market: "BTC-USD", interval: "1m", before },
      "invalidArgument",
      "before",
    ),
  ),
  ...[0, -1, 1001, 1e300, "1"].map((limit) =>
    other(
      "action",
      "markets:candles",
      { market: "BTC-USD", interval: "1m", limit },
      "invalidArgument",
      "limit",
    ),
  ),
  ...[
    "markets:list",
    "markets:tickers",
    "coins:list",
    "plans:list",
    "users:current",
    "venue:info",
    "venue:time",
    "accounts:balances",
    "portfolio:summary",
    "activity:recent",
  ].map((path) => other("query", path, { userId: "1" }, "invalidArgument", "userId")),
  ...PAGED.flatMap((path) =>
    NO_CURSORS.map((cursor) => other("action", path, { cursor }, "invalidArgument", "cursor")),
  ),
  ...PAGED.flatMap((path) =>
    [0, -1, 201, 1.5, "50", null].map((limit) =>
      other("action", path, { limit }, "invalidArgument", "limit"),
    ),
  ),
  ...PAGED.map((path) => other("action", path, { account: 1 }, "invalidArgument", "account")),
  ...["deposit", "__proto__", "", null, 1].map((kind) =>
    other("action", "activity:page", { kind }, "invalidArgument", "kind"),
  ),
  other("action", "activity:page", { search: LONG_TEXT }, "invalidArgument", "search"),
  ...NO_CURSORS.flatMap((text) =>
    ["cursor", "endCursor"].map((field) =>
      other(
        "query",
        "orders:list",
        { paginationOpts: { numItems: 10, cursor: null, [field]: text } },
        "invalidArgument",
        `paginationOpts.${field}`,
      ),
    ),
  ),
  ...[0, -1, 201, 1.5, "50", null].map((numItems) =>
    other(
      "query",
      "orders:list",
      { paginationOpts: { numItems, cursor: null } },
      "invalidArgument",
      "paginationOpts.numItems",
    ),
  ),
  ...["Stop", "constructor", "", 1].map((kind) =>
    other(
      "query",
      "orders:list",
      { kind, paginationOpts: { numItems: 10, cursor: null } },
      "invalidArgument",
      "kind",
    ),
  ),
  other(
    "query",
    "orders:list",
    { status: "pending", paginationOpts: { numItems: 10, cursor: null } },
    "invalidArgument",
    "status",
  ),
  ...[0, -1, 1.5, 9_007_199_254_740_992, "1", null].map((sequence) =>
    other("action", "accounts:ledgerEntries", { sequence }, "invalidArgument", "sequence"),
  ),
  other("query", "orders:nothing", {}, "notFound"),
  other("mutation", "__proto__:constructor", {}, "notFound"),
  other("action", "constructor", {}, "notFound"),
  other("query", "orders:place\u0000", {}, "notFound"),
  other("query", "orders:place", GOOD_ORDER, "invalidArgument"),
  other("action", "orders:cancel", { orderId: "1" }, "invalidArgument"),
  other("mutation", "coins:list", {}, "invalidArgument"),
];

/** Calls that only a signed-in user may make. */
export const PRIVATE_CALLS: readonly (readonly [CallKind, string, unknown])[] = [
  ["query", "accounts:balances", {}],
  ["query", "orders:open", {}],
  ["query", "orders:recent", {}],
  ["query", "fills:recent", {}],
  ["query", "portfolio:summary", {}],
  ["query", "activity:recent", {}],
  ["query", "orders:list", { paginationOpts: { numItems: 10, cursor: null } }],
  ["action", "orders:history", {}],
  ["action", "fills:history", {}],
  ["action", "activity:page", {}],
  ["action", "accounts:ledgerEntries", { sequence: 1 }],
  ["mutation", "accounts:takePracticeFunds", {}],
  ["mutation", "orders:place", GOOD_ORDER],
  ["mutation", "orders:cancel", { orderId: "1" }],
  ["mutation", "orders:cancelAll", {}],
];
