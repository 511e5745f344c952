/**
 * An order's enum fields packed into one small integer, as stored in event rows: bit 0 sell, 1
 * market, 2-3 time in force, 4 post only.
 */
import type { OrderTerms, OrderType, Side, TimeInForce } from "../commands.ts";

type OrderWords = Pick<OrderTerms, "side" | "orderType" | "timeInForce" | "postOnly">;

const TIMES_IN_FORCE: readonly TimeInForce[] = ["gtc", "ioc", "fok", "gtd"];

export function packOrderFlags({ side, orderType, timeInForce, postOnly }: OrderWords): number {
  return (
    (side === "sell" ? 1 : 0) |
    (orderType === "market" ? 2 : 0) |
    timeInForceFlags(timeInForce) |
    (postOnly ? 16 : 0)
  );
}

/**
 * The flags of a limit order that is immediate or good till cancelled, from values that its caller
 * has already computed, so that the hot path reads and compares no term twice.
 */
export function packPlainFlags(sells: boolean, isImmediate: boolean, postOnly: boolean): number {
  return (sells ? 1 : 0) | (isImmediate ? 4 : 0) | (postOnly ? 16 : 0);
}

function timeInForceFlags(timeInForce: TimeInForce): number {
  if (timeInForce === "gtc") return 0;
  return timeInForce === "ioc" ? 4 : timeInForce === "fok" ? 8 : 12;
}

export const sideOfFlags = (flags: number): Side => ((flags & 1) === 1 ? "sell" : "buy");
export const orderTypeOfFlags = (flags: number): OrderType =>
  (flags & 2) === 2 ? "market" : "limit";
export const timeInForceOfFlags = (flags: number): TimeInForce => TIMES_IN_FORCE[(flags >> 2) & 3];
export const postOnlyOfFlags = (flags: number): boolean => (flags & 16) === 16;
