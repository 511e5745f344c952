/** The command that sets how much of a coin one account may own (balance-limit.ts). */
import { NO_ORDER } from "../book/order-table.ts";
import type { CommandOf } from "../commands.ts";
import { END_EXPIRED, becauseRefused } from "../orders/end-codes.ts";
import { endOrders } from "../orders/ending.ts";
import type { Outcome } from "../outcome.ts";
import type { EngineState } from "../state.ts";
import { applyLimit, ORDER_LOTS_MAX } from "./balance-limit.ts";
import { FIRST_USER_ACCOUNT } from "./postings.ts";

export function limitBalances(
  state: EngineState,
  { unitsMax }: CommandOf<"limitBalances">,
): Outcome {
  if (!Number.isSafeInteger(unitsMax) || unitsMax < 1) return "invalidCommand";
  state.balanceUnitsMax = unitsMax;
  state.events.rare({ type: "balancesLimited", unitsMax });
  for (const book of state.books) if (book !== undefined) applyLimit(state, book);
  const tooLarge = ordersAbove(state, ORDER_LOTS_MAX);
  endOrders(state, tooLarge, END_EXPIRED, becauseRefused("quantityTooLarge"));
  return "accepted";
}

/** The open orders of more lots, in order of placement. */
function ordersAbove({ accounts, orders }: EngineState, lotsMax: number): number[] {
  const found: number[] = [];
  for (let account = FIRST_USER_ACCOUNT; account < accounts.nextId; account++) {
    let slot = accounts.firstOpenOrder(account);
    while (slot !== NO_ORDER) {
      if (orders.totalLotsOf(slot) > lotsMax) found.push(orders.idOf(slot));
      slot = orders.nextOfAccount(slot);
    }
  }
  return found.sort((a, b) => a - b);
}
