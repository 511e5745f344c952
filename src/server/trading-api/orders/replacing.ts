/**
 * Cancels one order of the caller and places another, atomically: if the new order is refused, the
 * old order stays and the answer reports that nothing was cancelled.
 */
import type { EventOf } from "#engine/events.ts";
import type { OrderTerms } from "#engine/order-terms.ts";
import { FunctionError } from "../../functions/function-error.ts";
import type { Services } from "../../functions/services.ts";
import { applyEnd, type OrderRecord } from "../../records/orders.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { ApiError } from "../api-error.ts";
import type { Caller } from "../endpoint.ts";
import { apiErrorOf, isCancelRefusal, checkRestriction, unknownOrder } from "./order-refusals.ts";
import { findKnownOrder, submitCommand, type OrderName } from "./own-orders.ts";
import { ordersPlacedBy, type PlacedOrder } from "./placed-order.ts";
import { replacementFailed, replacementPartlyFailed } from "./replacement-refusals.ts";

export interface WantedReplacement {
  readonly old: OrderName;
  readonly restriction?: "ONLY_NEW" | "ONLY_PARTIALLY_FILLED" | undefined;
  /** Whether the new order is placed even if the old order cannot be cancelled. */
  readonly mode: "STOP_ON_FAILURE" | "ALLOW_FAILURE";
  readonly terms: OrderTerms;
  /** Formats the new order for the answer. */
  readonly describe: (placed: PlacedOrder) => object;
}

interface Replacement {
  readonly cancelled: OrderRecord;
  readonly placed: object;
}

/** @throws ApiError with the outcome for both orders */
export async function replaceOrder(
  services: Services,
  caller: Caller,
  market: MarketView,
  wanted: WantedReplacement,
): Promise<Replacement> {
  const { describe, mode, terms } = wanted;
  const old = findCancellable(services, caller, market, wanted);
  if (old instanceof ApiError) {
    if (mode === "STOP_ON_FAILURE") throw replacementFailed({ cancel: old });
    return placeAlone(services, caller, market, wanted, old);
  }
  const { account } = caller;
  const { marketId } = market;
  const { orderId } = old;
  try {
    const { events } = await submitCommand(services, caller, {
      type: "replaceOrder",
      account,
      orderId,
      mode: mode === "STOP_ON_FAILURE" ? "stopOnFailure" : "allowFailure",
      marketId,
      order: terms,
    });
    const [placed] = ordersPlacedBy(events, market);
    const end = events.find((event) => event.type === "orderEnded" && event.orderId === orderId);
    if (end?.type !== "orderEnded") {
      throw replacementPartlyFailed({ cancel: unknownOrder(), placed: describe(placed) });
    }
    return { cancelled: endedBy(old, end), placed: describe(placed) };
  } catch (error) {
    const refusal = refusalOf(error);
    throw isCancelRefusal(refusal)
      ? replacementFailed({ cancel: refusal })
      : replacementFailed({ order: refusal });
  }
}

/**
 * The order as the command left it. It is not looked up again: the read models may have dropped it
 * by now, and a failed lookup must not make the answer report that nothing was cancelled.
 */
function endedBy(order: OrderRecord, end: EventOf<"orderEnded">): OrderRecord {
  if (order.status !== "open") return order;
  const ended = { ...order };
  applyEnd(ended, end);
  return ended;
}

/** The old order, or why it cannot be cancelled. @throws ApiError if the request names no order */
function findCancellable(
  services: Services,
  caller: Caller,
  market: MarketView,
  { old, restriction }: WantedReplacement,
): OrderRecord | ApiError {
  try {
    const order = findKnownOrder(services, caller, market, old, unknownOrder);
    if (restriction !== undefined) checkRestriction(order, restriction);
    return order;
  } catch (error) {
    if (isCancelRefusal(error)) return error;
    throw error;
  }
}

/**
 * Places the new order alone, if the caller allows that, when the old one cannot be cancelled.
 * @throws ApiError in any case
 */
async function placeAlone(
  services: Services,
  caller: Caller,
  market: MarketView,
  { describe, terms }: WantedReplacement,
  cancel: ApiError,
): Promise<never> {
  const { account } = caller;
  const { marketId } = market;
  let placed: PlacedOrder;
  try {
    const asked = { type: "placeOrder", account, marketId, ...terms } as const;
    const { events } = await submitCommand(services, caller, asked);
    [placed] = ordersPlacedBy(events, market);
  } catch (error) {
    throw replacementFailed({ cancel, order: refusalOf(error) });
  }
  throw replacementPartlyFailed({ cancel, placed: describe(placed) });
}

/** Reasons that refuse the request as such, not one of its orders. */
const REQUEST_REASONS: ReadonlySet<string> = new Set([
  "requestExpired",
  "invalidValidUntil",
  "tooManyRequests",
]);

/** The exchange's refusal. @throws error if it is no refusal, or refuses the request as such */
function refusalOf(error: unknown): ApiError {
  if (error instanceof FunctionError) {
    if (REQUEST_REASONS.has(error.data.code)) throw error;
    return apiErrorOf(error);
  }
  if (error instanceof ApiError && !("data" in error.body)) return error;
  throw error;
}
