/** How many orders the caller's plan allows, and how many of them are used. */
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

/** As `rateLimits` of the exchange has them: those of the plan that everyone begins with. */
export function describeOrderLimits(limits: {
  readonly ordersPerTenSeconds: number;
  readonly ordersPerDay: number;
}) {
  return [
    describe("SECOND", 10, limits.ordersPerTenSeconds),
    describe("DAY", 1, limits.ordersPerDay),
  ];
}

/** Headers of the answer to a call that may trade. */
export function orderCountHeaders({ inDay, inTenSeconds }: OrderCounts): [string, number][] {
  return [
    ["x-mbx-order-count-10s", inTenSeconds.used],
    ["x-mbx-order-count-1d", inDay.used],
  ];
}
