/** A change during an order's life: of its terms, or that it waits or goes to the market. */
import type { OrderChange, OrderRecord } from "./orders.ts";
import { fixed, RecordKind, type RecordOf } from "./record-kind.ts";

/** Terms that only an order that waits may have; 0 if it has not. */
export interface WaitingTerms {
  readonly triggerTicks: number;
  readonly trailBps: number;
  readonly quoteAmount: number;
}

export const ORDER_CHANGES = new RecordKind({
  account: fixed("account").integer(),
  orderId: fixed("order_id").integer(),
  sequence: fixed("sequence").integer(),
  /** Numbers the changes of this order in this sequence, from 0. */
  position: fixed("position").integer(),
  kind: fixed("kind").text<"waiting" | "activated" | "amended" | "decremented">(),
  /** The condition that the order waits for, or that activated it; "" for the other kinds. */
  cause: fixed("cause").text<"trigger" | "workingOrder" | "">(),
  priceTicks: fixed("price_ticks").integer(),
  quantityLots: fixed("quantity_lots").integer(),
  previousPriceTicks: fixed("previous_price_ticks").integer(),
  previousQuantityLots: fixed("previous_quantity_lots").integer(),
  /** The trigger price if the order waits; the last price if it was activated; 0 if none. */
  marketTicks: fixed("market_ticks").integer(),
  /** Whether an amended order kept its place in the queue. */
  keptPlace: fixed("kept_place").flag(),
  /** For an amended waiting order: its other terms before and after. */
  waitingTerms: fixed("waiting_terms").optionalJson<{
    readonly before: WaitingTerms;
    readonly after: WaitingTerms;
  }>(),
  timestampMs: fixed("time").integer(),
});
/** One change of an order. */
export type OrderChangeRecord = RecordOf<typeof ORDER_CHANGES.fields>;

type Terms = Pick<
  OrderRecord,
  "conditions" | "priceTicks" | "quantityLots" | "quoteAmount" | "triggerTicks"
>;

/** @param before the order's terms before the event; `after` has those after it */
export function orderChangeOf(
  event: OrderChange,
  before: Terms,
  after: OrderRecord,
  position: number,
): OrderChangeRecord {
  return {
    account: after.account,
    orderId: after.orderId,
    sequence: event.sequence,
    position,
    ...kindOf(event),
    priceTicks: after.priceTicks,
    quantityLots: after.quantityLots,
    previousPriceTicks: before.priceTicks,
    previousQuantityLots: before.quantityLots,
    keptPlace: event.type === "orderAmended" && event.keptPriority,
    ...(event.type === "waitingOrderAmended" && {
      waitingTerms: { before: waitingTermsOf(before), after: waitingTermsOf(after) },
    }),
    timestampMs: event.timestampMs,
  };
}

function kindOf(event: OrderChange): Pick<OrderChangeRecord, "kind" | "cause" | "marketTicks"> {
  switch (event.type) {
    case "orderWaiting":
      return { kind: "waiting", cause: event.waitsFor, marketTicks: event.triggerTicks };
    case "orderActivated":
      return { kind: "activated", cause: event.cause, marketTicks: event.lastTicks };
    case "orderAmended":
    case "waitingOrderAmended":
      return { kind: "amended", cause: "", marketTicks: 0 };
    case "quantityDecremented":
      return { kind: "decremented", cause: "", marketTicks: 0 };
    default:
      throw new TypeError(`no change of an order: ${String(event satisfies never)}`);
  }
}

function waitingTermsOf({ conditions, quoteAmount, triggerTicks }: Terms): WaitingTerms {
  const trigger = conditions?.trigger;
  const trailBps = trigger?.kind === "trailingStop" ? trigger.trailBps : 0;
  return { triggerTicks, trailBps, quoteAmount };
}
