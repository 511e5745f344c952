/**
 * The files that users download, by name. Times are ISO 8601 in UTC and numbers exact decimals,
 * whatever a page shows. Columns are only ever appended: users process these files with programs.
 */
import { z } from "zod";
import { activityFilter } from "#contract/activity-filter.ts";
import { market, timeMs } from "#contract/arguments.ts";
import { orderEnd, orderKind, orderName } from "#contract/order-words.ts";
import { ORDER_STATUSES } from "#contract/types.ts";
import { SECURITY_EVENT_KINDS } from "#contract/users.ts";
import { readFeed } from "../functions/activity-feed.ts";
import { requireAuditor } from "../functions/audit.ts";
import { requireUser } from "../functions/caller.ts";
import { readFills } from "../functions/fills.ts";
import { readOrders } from "../functions/orders.ts";
import { csvFile, type ExportFile, isoTime, PAGE_SIZE, type Row } from "./export-file.ts";
import { ledgerFile } from "./ledger-file.ts";
import { ownDataFile } from "./own-data-file.ts";
import { statementFile } from "./statement-file.ts";
import { taxFile } from "./tax-file.ts";

/** A moment of a search parameter, milliseconds since 1970. */
const moment = z.coerce.number().pipe(timeMs).optional();

const ACTIVITY_COLUMNS: Row = [
  "time",
  "kind",
  "title",
  "market",
  "coin",
  "amount",
  "status",
  "sequence",
  "id",
  "order id",
];

const activityFile = csvFile(
  ACTIVITY_COLUMNS,
  z.strictObject({
    ...activityFilter,
    from: moment,
    to: moment,
    grouped: z.stringbool().optional(),
  }),
  async (context, args, cursor) => {
    const userId = requireUser(context);
    const page = await readFeed(context.services, { ...args, userId, cursor, limit: PAGE_SIZE });
    const items = page.items.map((item) => [
      isoTime(item.time),
      item.kind,
      item.title,
      item.market ?? "",
      item.coin ?? "",
      item.amount ?? "",
      item.status,
      item.sequence?.toString() ?? "",
      item.id,
      item.postings !== null && "orderId" in item.postings ? item.postings.orderId : "",
    ]);
    return { items, cursor: page.cursor };
  },
);

const ORDER_COLUMNS: Row = [
  "placed",
  "order id",
  "client order id",
  "market",
  "side",
  "kind",
  "terms",
  "time in force",
  "price",
  "quantity",
  "quote amount",
  "filled quantity",
  "filled quote",
  "average price",
  "status",
  "why it ended",
  "updated",
  "maker fee bps",
  "taker fee bps",
];

const ordersFile = csvFile(
  ORDER_COLUMNS,
  z.strictObject({ market: market.optional(), status: z.enum(ORDER_STATUSES).optional() }),
  async (context, args, cursor) => {
    const page = await readOrders(context, { ...args, cursor, limit: PAGE_SIZE });
    const items = page.items.map((order) => [
      isoTime(order.placedAt),
      order.orderId,
      order.clientOrderId,
      order.market,
      order.side,
      orderKind(order),
      orderName(order),
      order.timeInForce,
      order.price ?? "",
      order.quantity ?? "",
      order.quoteAmount ?? "",
      order.filledQuantity,
      order.filledQuote,
      order.averagePrice ?? "",
      order.status,
      orderEnd(order) ?? "",
      isoTime(order.updatedAt),
      order.makerFeeBps.toString(),
      order.takerFeeBps.toString(),
    ]);
    return { items, cursor: page.cursor };
  },
);

const FILL_COLUMNS: Row = [
  "time",
  "market",
  "side",
  "price",
  "quantity",
  "quote amount",
  "fee",
  "fee coin",
  "fee bps",
  "role",
  "order id",
  "trade id",
  "sequence",
];

const fillsFile = csvFile(
  FILL_COLUMNS,
  z.strictObject({ market: market.optional() }),
  async (context, args, cursor) => {
    const page = await readFills(context, { ...args, cursor, limit: PAGE_SIZE });
    const items = page.items.map((fill) => [
      isoTime(fill.time),
      fill.market,
      fill.side,
      fill.price,
      fill.quantity,
      fill.quoteAmount,
      fill.fee,
      fill.feeCoin,
      fill.feeBps.toString(),
      fill.role,
      fill.orderId,
      fill.tradeId.toString(),
      fill.sequence.toString(),
    ]);
    return { items, cursor: page.cursor };
  },
);

const AUDIT_COLUMNS: Row = [
  "time",
  "event",
  "title",
  "status",
  "user id",
  "user email",
  "by id",
  "by email",
  "address",
  "device",
];

/** For administrators. */
const auditFile = csvFile(
  AUDIT_COLUMNS,
  z.strictObject({
    user: z.string().min(1).max(254).optional(),
    kind: z.enum(SECURITY_EVENT_KINDS).optional(),
    search: z.string().max(254).optional(),
    from: moment,
    to: moment,
  }),
  async (context, { from, to, ...args }, cursor) => {
    await requireAuditor(context);
    const query = { ...args, fromMs: from, toMs: to, cursor, limit: PAGE_SIZE };
    const page = await context.services.accounts.audit(query);
    const items = page.items.map((event) => [
      isoTime(event.time),
      event.kind,
      event.title,
      event.status,
      event.userId,
      event.userEmail ?? "",
      event.actorId ?? "",
      event.actorEmail ?? "",
      event.address ?? "",
      event.userAgent ?? "",
    ]);
    return { items, cursor: page.cursor };
  },
);

/** By the last part of the address. */
export const EXPORT_FILES: ReadonlyMap<string, ExportFile> = new Map([
  ["activity.csv", activityFile],
  ["orders.csv", ordersFile],
  ["fills.csv", fillsFile],
  ["ledger.csv", ledgerFile],
  ["statements.csv", statementFile],
  ["tax.csv", taxFile],
  ["audit.csv", auditFile],
  ["my-data.jsonl", ownDataFile],
]);
