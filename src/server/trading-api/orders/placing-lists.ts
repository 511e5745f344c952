/** Places and cancels the caller's order lists. */
import type { OrderListKind } from "#engine/commands.ts";
import type { OrderTerms } from "#engine/order-terms.ts";
import type { CommandOutcome, Exchange } from "../../exchange/exchange.ts";
import { FunctionError } from "../../functions/function-error.ts";
import type { Services } from "../../functions/services.ts";
import { type OrderListRecord, placedList } from "../../records/order-lists.ts";
import type { MarketView } from "../../views/catalogue.ts";
import type { Caller } from "../endpoint.ts";
import { unknownList, wrongPrices } from "./list-refusals.ts";
import { duplicateOrder } from "./order-refusals.ts";
import { submitCommand } from "./own-orders.ts";
import { ordersPlacedBy, type PlacedOrder } from "./placed-order.ts";

export interface WantedList {
  readonly kind: OrderListKind;
  /** In the order of the engine's command. */
  readonly orders: readonly OrderTerms[];
  /** Unique among the account's open lists. */
  readonly clientListId: string;
}

interface PlacedList {
  readonly list: OrderListRecord;
  readonly orders: readonly PlacedOrder[];
}

/**
 * Refusals of an OCO pair whose orders are on the wrong side of the market or would trade or
 * trigger at once.
 */
const PRICE_REASONS: ReadonlySet<string> = new Set(["wouldTriggerAtOnce", "wouldCross"]);

/**
 * Places all orders of the list or none. @throws ApiError, FunctionError with the engine's reason
 */
export async function placeList(
  services: Services,
  caller: Caller,
  market: MarketView,
  { clientListId, kind, orders }: WantedList,
): Promise<PlacedList> {
  if (kind !== "oto") checkPrices(orders.slice(-2));
  const { account } = caller;
  const { marketId } = market;
  const asked = { type: "placeOrderList", account, marketId, kind, orders, clientListId } as const;
  try {
    const { events } = await withUniqueId(services, account, clientListId, () =>
      submitCommand(services, caller, asked),
    );
    const placed = ordersPlacedBy(events, market);
    const event = events.find((one) => one.type === "orderListPlaced");
    if (event === undefined) throw new Error("a list was accepted but not placed");
    return { list: placedList(event), orders: placed };
  } catch (error) {
    const isPriceRefusal = error instanceof FunctionError && PRICE_REASONS.has(error.data.code);
    throw kind === "oco" && isPriceRefusal ? wrongPrices() : error;
  }
}

/** Checks that the limit order of a pair is on the better side of its stop. @throws ApiError */
function checkPrices([limit, { conditions }]: readonly OrderTerms[]): void {
  const trigger = conditions?.trigger;
  if (trigger === undefined || trigger.kind === "trailingStop") return;
  const distance = limit.priceTicks - trigger.triggerTicks;
  if (limit.side === "sell" ? distance <= 0 : distance >= 0) throw wrongPrices();
}

/** Client list ids of lists that are being placed. */
const idsBeingPlaced = new WeakMap<Pick<Exchange, "submit">, Set<string>>();

/** @throws ApiError if another list of the account with this id is open or being placed */
async function withUniqueId(
  { exchange, views }: Services,
  account: number,
  clientListId: string,
  place: () => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const names = idsBeingPlaced.get(exchange) ?? new Set();
  idsBeingPlaced.set(exchange, names);
  const name = `${account} ${clientListId}`;
  const isTaken = views.lists.ofAccount(account).some((list) => list.clientListId === clientListId);
  if (isTaken || names.has(name)) throw duplicateOrder();
  names.add(name);
  try {
    return await place();
  } finally {
    names.delete(name);
  }
}

/**
 * Cancels one order of the list, which ends the others.
 * @returns the sequence of the cancel command
 * @throws ApiError if the list has ended
 */
export async function cancelList(
  services: Services,
  caller: Caller,
  { listId }: OrderListRecord,
): Promise<number> {
  const { account } = caller;
  for (;;) {
    const [orderId] = services.views.lists.openOrderIds(account, listId);
    if (orderId === undefined) throw unknownList();
    try {
      const { sequence } = await submitCommand(services, caller, {
        type: "cancelOrder",
        account,
        orderId,
      });
      return sequence;
    } catch (error) {
      // The order has since ended; another order of the list may still be open.
      const isGone = error instanceof FunctionError && error.data.code === "unknownOrder";
      if (!isGone || services.views.lists.openOrderIds(account, listId).includes(orderId)) {
        throw error;
      }
    }
  }
}
