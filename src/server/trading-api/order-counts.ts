/** The caller's order rate limits and how much of them is used. */
import type { OrderCount, OrderCounts } from "../functions/command-rates.ts";

function describe(interval: "SECOND" | "DAY", intervalNum: number, limit: number) {
  return { rateLimitType: "ORDERS", interval, intervalNum, limit };
}

/** `GET /api/v3/rateLimit/order`. */
export function describeOrderCounts({ inDay, inTenSeconds }: OrderCounts) {
  const counted = (terms: ReturnType<typeof describe>, { used }: OrderCount) => ({
    ...terms,
    count: used,
  });
  return [
    counted(describe("SECOND", 10, inTenSeconds.limit), inTenSeconds),
    counted(describe("DAY", 1, inDay.limit), inDay),
  ];
}

/** The order limits in `rateLimits` of `exchangeInfo`: those of the default plan. */
export function describeOrderLimits(limits: {
  readonly ordersPerTenSeconds: number;
  readonly ordersPerDay: number;
}) {
  return [
    describe("SECOND", 10, limits.ordersPerTenSeconds),
    describe("DAY", 1, limits.ordersPerDay),
  ];
}

/** Headers of the answer to a call with security "trade": names and values in turn. */
export function orderCountHeaders({ inDay, inTenSeconds }: OrderCounts): (string | number)[] {
  return ["x-mbx-order-count-10s", inTenSeconds.used, "x-mbx-order-count-1d", inDay.used];
}
