/**
 * Converts the conditions of an order between requests and answers (decimal strings) and the engine
 * (ticks and lots).
 */
import type { OrderConditions, OrderTrigger } from "#engine/order-terms.ts";
import type { OrderArgs, TriggerArgs } from "#contract/arguments.ts";
import { ICEBERG_PARTS_MAX } from "#contract/iceberg-parts.ts";
import type { OrderSpecial } from "#contract/types.ts";
import type { OrderRecord } from "../records/orders.ts";
import type { MarketView } from "../views/catalogue.ts";
import { formatPrice, formatQuantity, parsePrice, parseQuantity } from "./market-numbers.ts";
import { within } from "./function-error.ts";
import { invalidArgument, refused } from "./refusals.ts";

/** @throws FunctionError that names the invalid argument */
export function parseConditions(args: OrderArgs, market: MarketView): OrderConditions {
  const { display, expiresAt: expiresAtMs, selfTradePrevention, trigger, timeInForce } = args;
  if (expiresAtMs !== undefined && timeInForce !== undefined && timeInForce !== "gtd") {
    throw invalidArgument("expiresAt", 'expiresAt is for orders of the time in force "gtd".');
  }
  if (expiresAtMs === undefined && timeInForce === "gtd") {
    throw invalidArgument("expiresAt", "expiresAt is required for an order with an end.");
  }
  return {
    ...(selfTradePrevention !== undefined && { selfTradePrevention }),
    ...(display !== undefined && { displayLots: parseQuantity(display, market, "display") }),
    ...(expiresAtMs !== undefined && { expiresAtMs }),
    ...(trigger !== undefined && {
      trigger: within("trigger", () => parseTrigger(trigger, market)),
    }),
  };
}

/**
 * Limits an iceberg's parts more strictly than the engine, which validates the other limits of the
 * display.
 * @throws FunctionError if an order of this quantity would have too many parts
 */
export function requireFewParts(
  quantityLots: number,
  { displayLots }: Pick<OrderConditions, "displayLots">,
): void {
  if (displayLots === undefined) return;
  if (quantityLots > displayLots * ICEBERG_PARTS_MAX) throw refused("invalidDisplay");
}

function parseTrigger(args: TriggerArgs, market: MarketView): OrderTrigger {
  const { price, trailBps, type: kind } = args;
  if (kind === "trailingStop") {
    if (price !== undefined) {
      throw invalidArgument("price", "price is not for a trailing stop; give trailBps.");
    }
    if (trailBps === undefined) {
      throw invalidArgument("trailBps", "trailBps is required for a trailing stop.");
    }
    return { kind, trailBps };
  }
  if (trailBps !== undefined) {
    throw invalidArgument("trailBps", "trailBps is for a trailing stop; give a price.");
  }
  if (price === undefined) throw invalidArgument("price", "price is required for a trigger.");
  return { kind, triggerTicks: parsePrice(price, market) };
}

/** The conditions and list that the order has; an empty object if it has neither. */
export function presentSpecial(order: OrderRecord, market: MarketView): OrderSpecial {
  const { conditions = {}, listId, listKind, triggerTicks, waitsFor } = order;
  const { displayLots, expiresAtMs, selfTradePrevention, trigger } = conditions;
  return {
    ...(waitsFor !== "nothing" && { waitsFor }),
    ...(trigger !== undefined && {
      trigger: {
        type: trigger.kind,
        ...(triggerTicks !== 0 && { price: formatPrice(triggerTicks, market) }),
        ...(trigger.kind === "trailingStop" && { trailBps: trigger.trailBps }),
      },
    }),
    ...(displayLots !== undefined && { display: formatQuantity(displayLots, market) }),
    ...(expiresAtMs !== undefined && { expiresAt: expiresAtMs }),
    ...(selfTradePrevention !== undefined && { selfTradePrevention }),
    ...(listId !== 0 && { listId: listId.toString() }),
    ...(listKind !== "" && { listKind }),
  };
}
