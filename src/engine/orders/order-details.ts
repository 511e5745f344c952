/**
 * The fields that only orders with conditions need, in addition to their rows in the table of
 * orders: hidden quantity, expiry, the condition that it waits for with its terms, its list. Details
 * are found by the order's slot; its row says whether there are any, which is rare.
 *
 * Everything here decides outcomes and is in the state hash, except `timer`, the place of the
 * expiry in the heap, and `isReached`, whether the order is among the activations.
 */
import type { Amount, Lots, Ticks } from "../amount.ts";
import type {
  OrderConditions,
  OrderTerms,
  OrderTrigger,
  OrderType,
  SelfTradePrevention,
  TimeInForce,
} from "../commands.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";
import type { Timer } from "../time/timers.ts";

/** The maximum of orders with details over all markets. */
const DETAILS_MAX = 1 << 20;

export type WaitsFor = "nothing" | "trigger" | "workingOrder";

/**
 * Terms of an order that its row does not hold. An order that never waited keeps only its
 * conditions.
 */
export interface KeptTerms extends Pick<
  OrderTerms,
  "orderType" | "timeInForce" | "priceTicks" | "quoteAmount"
> {
  readonly conditions: OrderConditions;
}

/**
 * The terms kept for an order that does not wait: fields other than its conditions are meaningless.
 */
export function restingTerms(conditions: OrderConditions): KeptTerms {
  const [priceTicks, quoteAmount] = [0 as Ticks, 0 as Amount];
  return { orderType: "limit", timeInForce: "gtc", priceTicks, quoteAmount, conditions };
}

export class OrderDetails {
  readonly orderId: number;
  terms: KeptTerms;
  /** An iceberg's remaining quantity that its row does not include. */
  hiddenLots = 0;
  timer: Timer | undefined;

  /** The condition for which a waiting order, which is open but in no book, waits. */
  waitsFor: WaitsFor = "nothing";
  /** The amount that a waiting order needs to go to the market. */
  neededAmount = 0;
  /**
   * The amount that a waiting order holds itself: in an OCO pair, only its need beyond the limit order's
   * hold.
   */
  heldAmount = 0;

  /** The trigger price, which the last price must reach; that of a trailing stop moves. */
  triggerTicks = 0;
  /**
   * Whether a price at or above the trigger price activates the order; if false, one at or below.
   */
  activatesAbove = false;
  /** The best price since placement, by which a trailing stop moves its trigger price. */
  bestTicks = 0;
  /**
   * Whether a trade has reached the order, so that it is among the state's activations. Also false
   * for orders released by whole pages, which their market's triggers no longer know.
   */
  isReached = false;

  /** The order's list, 0 if none. */
  listId = 0;

  constructor(orderId: number, terms: KeptTerms) {
    this.orderId = orderId;
    this.terms = terms;
  }

  /** The size of an iceberg's visible part; 0 for any other order. */
  get displayLots(): number {
    return this.terms.conditions.displayLots ?? 0;
  }

  /** When the order expires, milliseconds since 1970 UTC; 0 if it never does. */
  get expiresAtMs(): number {
    return this.terms.conditions.expiresAtMs ?? 0;
  }

  /** The distance of a trailing stop in basis points; 0 for any other order. */
  get trailBps(): number {
    const { trigger } = this.terms.conditions;
    return trigger?.kind === "trailingStop" ? trigger.trailBps : 0;
  }

  get isTrailing(): boolean {
    return this.terms.conditions.trigger?.kind === "trailingStop";
  }

  /** Whether the order counts towards the plan's limit of algorithmic orders. */
  get isAlgorithmic(): boolean {
    return this.waitsFor !== "nothing" || this.displayLots > 0;
  }

  /** Writes all details but the order id, which is stored with the row. */
  writeTo(to: StateWriter): void {
    const { conditions, orderType, priceTicks, quoteAmount, timeInForce } = this.terms;
    to.text(conditions.selfTradePrevention ?? "");
    to.number(this.displayLots);
    to.number(this.hiddenLots);
    to.number(this.expiresAtMs);
    to.text(this.waitsFor);
    to.text(orderType);
    to.text(timeInForce);
    to.number(priceTicks);
    to.number(quoteAmount);
    to.number(this.neededAmount);
    to.number(this.heldAmount);
    to.text(conditions.trigger?.kind ?? NO_TRIGGER);
    to.number(this.triggerTicks);
    to.flag(this.activatesAbove);
    to.int(this.trailBps);
    to.number(this.bestTicks);
    to.number(this.listId);
  }

  static readFrom(snapshot: SnapshotReader, orderId: number): OrderDetails {
    const details = new OrderDetails(orderId, restingTerms({}));
    const selfTradePrevention = snapshot.text() as SelfTradePrevention | "";
    const displayLots = snapshot.number() as Lots;
    details.hiddenLots = snapshot.number();
    const expiresAtMs = snapshot.number();
    details.waitsFor = snapshot.text() as WaitsFor;
    const orderType = snapshot.text() as OrderType;
    const timeInForce = snapshot.text() as TimeInForce;
    const priceTicks = snapshot.number() as Ticks;
    const quoteAmount = snapshot.number() as Amount;
    details.neededAmount = snapshot.number();
    details.heldAmount = snapshot.number();
    const kind = snapshot.text() as OrderTrigger["kind"] | typeof NO_TRIGGER;
    const triggerTicks = snapshot.number() as Ticks;
    details.triggerTicks = triggerTicks;
    details.activatesAbove = snapshot.flag();
    const trailBps = snapshot.int();
    details.bestTicks = snapshot.number();
    details.listId = snapshot.number();
    const conditions: OrderConditions = {
      ...(selfTradePrevention !== "" && { selfTradePrevention }),
      ...(displayLots !== 0 && { displayLots }),
      ...(expiresAtMs !== 0 && { expiresAtMs }),
      ...(kind !== NO_TRIGGER && {
        trigger: kind === "trailingStop" ? { kind, trailBps } : { kind, triggerTicks },
      }),
    };
    details.terms = { orderType, timeInForce, priceTicks, quoteAmount, conditions };
    return details;
  }
}

/** Written instead of a trigger's kind if there is no trigger. */
const NO_TRIGGER = "none";

export class DetailsTable {
  readonly #bySlot = new Map<number, OrderDetails>();

  /** How many more orders may have details. */
  get room(): number {
    return DETAILS_MAX - this.#bySlot.size;
  }

  at(slot: number): OrderDetails {
    return this.#bySlot.get(slot) as OrderDetails;
  }

  /** Stores the details of a slot; the caller marks the order's row. */
  keep(slot: number, details: OrderDetails): void {
    this.#bySlot.set(slot, details);
  }

  free(slot: number): void {
    this.#bySlot.delete(slot);
  }
}
