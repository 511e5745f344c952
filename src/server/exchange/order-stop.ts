/**
 * The exchange while it takes no new orders because its disk is nearly full. Nothing is sequenced
 * of what it refuses, and everything else continues: cancels, timers, administrators' commands.
 */
import type { Command } from "#engine/commands.ts";
import type { Exchange } from "./exchange.ts";
import { OrdersStoppedError } from "./exchange-errors.ts";

/** What places orders or makes them larger. A replacement is refused as a whole. */
const ORDER_COMMANDS: ReadonlySet<Command["type"]> = new Set([
  "placeOrder",
  "placeOrderList",
  "amendOrder",
  "replaceOrder",
]);

/** @param isStopped whether orders are refused at this moment */
export function stoppingOrders(exchange: Exchange, isStopped: () => boolean): Exchange {
  return {
    submit(command, idempotencyKey) {
      if (isStopped() && ORDER_COMMANDS.has(command.type)) {
        return Promise.reject(new OrdersStoppedError());
      }
      return exchange.submit(command, idempotencyKey);
    },
    async refusalOf(order) {
      if (isStopped()) throw new OrdersStoppedError();
      return exchange.refusalOf(order);
    },
    unsettled: () => exchange.unsettled(),
    subscribe: (listener) => exchange.subscribe(listener),
    health: () => exchange.health(),
    stateHash: () => exchange.stateHash(),
    close: () => exchange.close(),
  };
}
