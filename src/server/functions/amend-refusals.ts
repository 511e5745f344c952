/** Why an order is not amended: the invalid argument, and a remedy, in words for an open order. */
import type { RejectReason } from "#engine/reject-reasons.ts";
import type { OrderRecord } from "../records/orders.ts";
import type { MarketView } from "../views/catalogue.ts";
import { FunctionError } from "./function-error.ts";
import { refused } from "./refusals.ts";

/** The arguments of an amendment, by which a refusal finds the invalid one. */
export interface AmendedFields {
  readonly price?: string | undefined;
  readonly quantity?: string | undefined;
  readonly quoteAmount?: string | undefined;
  readonly triggerPrice?: string | undefined;
  readonly trailBps?: number | undefined;
}

/** The refusal of an amendment for a reject reason of the engine. */
export function refusedAmendment(
  reason: RejectReason,
  fields: AmendedFields,
  order: OrderRecord,
  market: MarketView,
): FunctionError {
  const [field, message] = refusalOf(reason, fields, order) ?? [];
  if (message !== undefined) {
    return new FunctionError({ code: reason, ...(field !== undefined && { field }), message });
  }
  const sizeField = fields.quoteAmount === undefined ? "quantity" : "quoteAmount";
  return refused(reason, { market, side: order.side, sizeField });
}

function refusalOf(
  reason: RejectReason,
  fields: AmendedFields,
  order: OrderRecord,
): readonly [field: string | undefined, message: string] | undefined {
  const triggerField = fields.trailBps === undefined ? "triggerPrice" : "trailBps";
  const changesTrigger = fields.triggerPrice !== undefined || fields.trailBps !== undefined;
  switch (reason) {
    case "orderNotResting":
      return ["orderId", "Its trigger has been reached: it is going to the market as it is."];
    case "nothingToChange":
      return [undefined, "The order has these terms already."];
    case "marketNotTrading":
      return ["market", "Orders of this market cannot be changed at the moment."];
    case "invalidPrice":
      return order.orderType === "market"
        ? ["price", "A market order has no limit price."]
        : undefined;
    case "invalidQuantity":
      return order.quantityLots === 0 && order.quoteAmount === 0
        ? [
            "quantity",
            "This order trades what its entry order receives: change that one's quantity.",
          ]
        : undefined;
    case "invalidAmount":
      return ["quoteAmount", "The order's size is a quantity, not a total."];
    case "invalidTrigger":
      return [triggerField, "The order does not wait for such a trigger."];
    case "invalidList":
      return [
        changesTrigger ? triggerField : "price",
        "Take-profit and stop-loss must lie on different sides: this price is beyond the other one.",
      ];
    case "wouldTriggerAtOnce":
      if (!changesTrigger) {
        return [
          "price",
          "At this price the fill of this order would trigger its stop-loss at once.",
        ];
      }
      return order.waitsFor === "workingOrder"
        ? [triggerField, "The fill of the entry order would trigger this at once."]
        : [
            triggerField,
            "The last price has passed this trigger price already; choose one on the other side of it.",
          ];
    case "wouldCross":
      return order.postOnly
        ? undefined
        : [
            "price",
            "This price would trade at once; move it away from the other side of the book.",
          ];
    default:
      return undefined;
  }
}
