/**
 * What only conditional orders need, beside their row in the table of orders: what an iceberg hides,
 * when an order expires, what it waits for and on which terms, which list it is part of. They are
 * found by the order's slot; its row says whether there are any, and nearly always there are none.
 *
 * Everything here decides outcomes and is in the state hash, except `timer`, which says where the
 * expiry stands in the heap, and `isReached`, which says that it is among the activations.
 */
import type { OrderType, SelfTradePrevention, TimeInForce } from "../commands.ts";
import type { SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import type { StateHash } from "../formats/state-hash.ts";
import type { Timer } from "../time/timers.ts";

/** Orders with details over all markets. */
const DETAILS_MAX = 1 << 20;

export type WaitsFor = "nothing" | "trigger" | "workingOrder";
export type TriggerKind = "none" | "stop" | "takeProfit" | "trailingStop";

export class OrderDetails {
  readonly orderId: number;
  /** "" where the order names no mode: then the market's holds. */
  readonly selfTradePrevention: SelfTradePrevention | "";
  /** Of an iceberg, how much a part shows; 0 of any other order. */
  displayLots = 0;
  /** What an iceberg has left beside what its row shows. */
  hiddenLots = 0;
  /** Milliseconds since 1970 UTC, 0 for an order without an end. */
  expiresAtMs = 0;
  timer: Timer | undefined;

  /** A waiting order is open, but in no book. */
  waitsFor: WaitsFor = "nothing";
  // Its terms, meaningful while it waits; quantity, side, fees and post-only are in its row.
  orderType: OrderType = "limit";
  timeInForce: TimeInForce = "gtc";
  /** 0 for a market order. */
  priceTicks = 0;
  quoteAmount = 0;
  /** What it needs to go to the market. */
  neededAmount = 0;
  /** What it holds itself: of an OCO pair, only what it needs beyond the limit order's hold. */
  heldAmount = 0;

  trigger: TriggerKind = "none";
  /** What the last price must reach; of a trailing stop, for now. */
  triggerTicks = 0;
  /** True where a price at or above the trigger price reaches it, false where one at or below. */
  activatesAbove = false;
  trailBps = 0;
  /** The best price since placement, which a trailing stop follows. */
  bestTicks = 0;
  /**
   * A trade has reached it: it is among the state's activations. False, too, of those that are there by
   * whole pages, which their market's triggers know no more.
   */
  isReached = false;

  /** The list that it is part of, 0 where of none. */
  listId = 0;

  constructor(orderId: number, selfTradePrevention: SelfTradePrevention | "") {
    this.orderId = orderId;
    this.selfTradePrevention = selfTradePrevention;
  }

  /** Counts towards the plan's limit of algorithmic orders. */
  get isAlgorithmic(): boolean {
    return this.waitsFor !== "nothing" || this.displayLots > 0;
  }

  addTo(hash: StateHash): void {
    hash.text(this.selfTradePrevention);
    hash.number(this.displayLots);
    hash.number(this.hiddenLots);
    hash.number(this.expiresAtMs);
    hash.text(this.waitsFor);
    hash.text(this.orderType);
    hash.text(this.timeInForce);
    hash.number(this.priceTicks);
    hash.number(this.quoteAmount);
    hash.number(this.neededAmount);
    hash.number(this.heldAmount);
    hash.text(this.trigger);
    hash.number(this.triggerTicks);
    hash.number(this.activatesAbove ? 1 : 0);
    hash.number(this.trailBps);
    hash.number(this.bestTicks);
    hash.number(this.listId);
  }

  /** All but the order id, which stands with its row. */
  writeTo(snapshot: SnapshotWriter): void {
    snapshot.text(this.selfTradePrevention);
    snapshot.number(this.displayLots);
    snapshot.number(this.hiddenLots);
    snapshot.number(this.expiresAtMs);
    snapshot.text(this.waitsFor);
    snapshot.text(this.orderType);
    snapshot.text(this.timeInForce);
    snapshot.number(this.priceTicks);
    snapshot.number(this.quoteAmount);
    snapshot.number(this.neededAmount);
    snapshot.number(this.heldAmount);
    snapshot.text(this.trigger);
    snapshot.number(this.triggerTicks);
    snapshot.flag(this.activatesAbove);
    snapshot.int(this.trailBps);
    snapshot.number(this.bestTicks);
    snapshot.number(this.listId);
  }

  static readFrom(snapshot: SnapshotReader, orderId: number): OrderDetails {
    const details = new OrderDetails(orderId, snapshot.text() as SelfTradePrevention | "");
    details.displayLots = snapshot.number();
    details.hiddenLots = snapshot.number();
    details.expiresAtMs = snapshot.number();
    details.waitsFor = snapshot.text() as WaitsFor;
    details.orderType = snapshot.text() as OrderType;
    details.timeInForce = snapshot.text() as TimeInForce;
    details.priceTicks = snapshot.number();
    details.quoteAmount = snapshot.number();
    details.neededAmount = snapshot.number();
    details.heldAmount = snapshot.number();
    details.trigger = snapshot.text() as TriggerKind;
    details.triggerTicks = snapshot.number();
    details.activatesAbove = snapshot.flag();
    details.trailBps = snapshot.int();
    details.bestTicks = snapshot.number();
    details.listId = snapshot.number();
    return details;
  }
}

export class DetailsTable {
  readonly #bySlot = new Map<number, OrderDetails>();

  /** How many more orders may have details. */
  get room(): number {
    return DETAILS_MAX - this.#bySlot.size;
  }

  /** The details of an order that has some. */
  at(slot: number): OrderDetails {
    return this.#bySlot.get(slot) as OrderDetails;
  }

  /** The caller marks the order's row. */
  keep(slot: number, details: OrderDetails): void {
    this.#bySlot.set(slot, details);
  }

  free(slot: number): void {
    this.#bySlot.delete(slot);
  }
}
