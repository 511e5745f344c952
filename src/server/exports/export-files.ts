/**
 * The files that users can download, by name. Times are ISO 8601 in UTC and numbers exact decimals,
 * regardless of the pages' formats. Columns are only ever appended: users process these files with
 * programs.
 */
import { z } from "zod";
import { activityFilter, securityEventFilter } from "#contract/record-filters.ts";
import { fillFilter, orderFilter } from "#contract/arguments.ts";
import { orderEnd } from "#contract/order-ends.ts";
import { orderConditions, orderKind, orderName } from "#contract/order-words.ts";
import { type Fill, type Order, ORDER_STATUSES } from "#contract/types.ts";
import type { ActivityItem, AuditEvent } from "#contract/users.ts";
import { readFeed } from "../functions/activity-feed.ts";
import { requireAuditor } from "../functions/audit.ts";
import { requireUser } from "../functions/caller.ts";
import { readFills } from "../functions/fills.ts";
import { readOrders } from "../functions/orders.ts";
import {
  type ColumnsOf,
  csvFile,
  type ExportFile,
  isoTime,
  moment,
  PAGE_SIZE,
} from "./export-file.ts";
import { ledgerFile } from "./ledger-file.ts";
import { ownDataFile } from "./own-data-file.ts";
import { statementFile } from "./statement-file.ts";
import { taxFile } from "./tax-file.ts";

const ACTIVITY_COLUMNS: ColumnsOf<ActivityItem> = {
  time: (item) => isoTime(item.time),
  kind: (item) => item.kind,
  title: (item) => item.title,
  market: (item) => item.market,
  coin: (item) => item.coin,
  amount: (item) => item.amount,
  status: (item) => item.status,
  sequence: (item) => item.sequence,
  id: (item) => item.id,
  "order id": ({ postings }) =>
    postings !== null && "orderId" in postings ? postings.orderId : "",
  conditions: ({ order }) => (order === undefined ? "" : orderConditions(order, isoTime)),
  "why it ended": ({ order }) => (order === undefined ? "" : orderEnd(order)),
};

const activityFile = csvFile(
  ACTIVITY_COLUMNS,
  z.strictObject({
    ...activityFilter,
    from: moment,
    to: moment,
    grouped: z.stringbool().optional(),
  }),
  (context, args, cursor) => {
    const userId = requireUser(context);
    return readFeed(context.services, { ...args, userId, cursor, limit: PAGE_SIZE });
  },
);

const ORDER_COLUMNS: ColumnsOf<Order> = {
  placed: (order) => isoTime(order.placedAt),
  "order id": (order) => order.orderId,
  "client order id": (order) => order.clientOrderId,
  market: (order) => order.market,
  side: (order) => order.side,
  kind: orderKind,
  terms: orderName,
  "time in force": (order) => order.timeInForce,
  price: (order) => order.price,
  quantity: (order) => order.quantity,
  "quote amount": (order) => order.quoteAmount,
  "filled quantity": (order) => order.filledQuantity,
  "filled quote": (order) => order.filledQuote,
  "average price": (order) => order.averagePrice,
  status: (order) => order.status,
  "why it ended": orderEnd,
  updated: (order) => isoTime(order.updatedAt),
  "maker fee bps": (order) => order.makerFeeBps,
  "taker fee bps": (order) => order.takerFeeBps,
  conditions: (order) => orderConditions(order, isoTime),
};

const ordersFile = csvFile(
  ORDER_COLUMNS,
  z.strictObject({ ...orderFilter, status: z.enum(ORDER_STATUSES).optional() }),
  (context, args, cursor) => readOrders(context, { ...args, cursor, limit: PAGE_SIZE }),
);

const FILL_COLUMNS: ColumnsOf<Fill> = {
  time: (fill) => isoTime(fill.time),
  market: (fill) => fill.market,
  side: (fill) => fill.side,
  price: (fill) => fill.price,
  quantity: (fill) => fill.quantity,
  "quote amount": (fill) => fill.quoteAmount,
  fee: (fill) => fill.fee,
  "fee coin": (fill) => fill.feeCoin,
  "fee bps": (fill) => fill.feeBps,
  role: (fill) => fill.role,
  "order id": (fill) => fill.orderId,
  "trade id": (fill) => fill.tradeId,
  sequence: (fill) => fill.sequence,
};

const fillsFile = csvFile(FILL_COLUMNS, z.strictObject(fillFilter), (context, args, cursor) =>
  readFills(context, { ...args, cursor, limit: PAGE_SIZE }),
);

const AUDIT_COLUMNS: ColumnsOf<AuditEvent> = {
  time: (event) => isoTime(event.time),
  event: (event) => event.kind,
  title: (event) => event.title,
  status: (event) => event.status,
  "user id": (event) => event.userId,
  "user email": (event) => event.userEmail,
  "by id": (event) => event.actorId,
  "by email": (event) => event.actorEmail,
  address: (event) => event.address,
  device: (event) => event.userAgent,
};

/** The audit log, for administrators. */
const auditFile: ExportFile = {
  ...csvFile(
    AUDIT_COLUMNS,
    z.strictObject({ ...securityEventFilter, from: moment, to: moment }),
    async (context, { from, to, ...args }, cursor) => {
      await requireAuditor(context);
      const query = { ...args, fromMs: from, toMs: to, cursor, limit: PAGE_SIZE };
      return context.services.accounts.audit(query);
    },
  ),
  isOfHistory: false,
};

/** The files, by the last segment of their URL's path. */
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
