/**
 * The book of one market: at each price a queue of orders, first come first served. Only the
 * visible part of an iceberg is in the queue; a level keeps the total of its hidden quantities.
 *
 * Invariants: while the market trades or takes post-only orders, the best bid is below the best
 * ask; a level's totals are the sums of the visible and hidden quantities of its orders; no level
 * is empty. Money, fees and events are in matching.ts, the liquidity for an incoming order is in
 * liquidity.ts.
 */
import { AMOUNT_MAX, type Ticks } from "../amount.ts";
import { assert } from "../assert.ts";
import type {
  BreakerTerms,
  MarketDefinition,
  MarketStatus,
  SelfTradePrevention,
} from "../commands.ts";
import { FEE_SOURCE_MARKET, packFees, type PackedFees } from "../accounts/packed-fees.ts";
import type { LevelTable } from "./level-table.ts";
import { gathersOrders, isUncrossed } from "../markets/market-statuses.ts";
import type { MarketUnits, UnitsPerLot, UnitsPerTickLot } from "../money-formulas.ts";
import type { OrderTable } from "./order-table.ts";
import { type DetailsTable } from "../orders/order-details.ts";
import { ASK, BID, PriceLadder } from "./price-ladder.ts";
import type { Timer } from "../time/timers.ts";
import { Triggers } from "./triggers.ts";

// Not imported, so that the compiler treats these as constants.
const NO_LEVEL = 0;
const NO_ORDER = 0;

/** The window of a breaker that has not begun any. */
export const NO_WINDOW = -1;

/** How far above its trigger price a market order may buy, unless the market defines it. */
export const PROTECTION_BPS = 500;

/** The terms that may be redefined while the market trades. */
type MarketTerms = Pick<
  MarketDefinition,
  | "notionalMin"
  | "notionalMax"
  | "quantityLotsMax"
  | "selfTradePrevention"
  | "protectionBps"
  | "priceBandBps"
  | "passiveBandBps"
  | "referenceTicks"
  | "feeOverride"
  | "breaker"
>;

export class OrderBook implements MarketUnits {
  readonly marketId: number;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
  readonly lotUnits: UnitsPerLot;
  readonly tickLotUnits: UnitsPerTickLot;
  notionalMin = 0;
  quantityLotsMax = 0;
  /** Whether orders that cross trade. */
  isTrading = false;
  /** Whether a trade could lift an account beyond its balance limit (balance-limit.ts). */
  checksReceipts = false;
  /**
   * Whether the market trades and a trade depends on nothing but its two orders (plain-orders.ts).
   */
  takesPlainOrders = false;
  /** Whether orders are accepted but do not trade yet. */
  isGathering = false;
  /** The self-trade mode of orders that do not name one. */
  selfTradePrevention: SelfTradePrevention = "expireTaker";
  protectionBps = 0;
  /** Id of the market's latest trade. */
  tradeId = 0;
  /** Price of the market's latest trade, 0 before the first. */
  lastTicks = 0;
  /** The number of open icebergs in the market; while there are none, nothing is hidden. */
  icebergCount = 0;
  readonly triggers = new Triggers();
  readonly ladder: PriceLadder;
  /** The market's state; only market-states.ts changes it. */
  status: MarketStatus;
  /** When the market's state ends automatically; 0 if it does not. */
  untilMs = 0;
  timer: Timer | undefined;
  /**
   * The market's reference price, which replaces the last price before the first trade; 0 if none.
   */
  referenceTicks = 0;
  /** Distance of the price band in basis points; 0 without a band. */
  priceBandBps = 0;
  passiveBandBps = 0;
  hasPassiveBand = false;
  notionalMax = AMOUNT_MAX;
  /** The packed fees of every order in this market (packed-fees.ts); 0 if each account has its own. */
  ownFees = 0 as PackedFees;
  breaker: BreakerTerms | undefined;
  /** The latest breaker window, and the price it began with. */
  breakerWindow = NO_WINDOW;
  breakerTicks = 0;
  readonly orders: OrderTable;
  readonly levels: LevelTable;
  readonly details: DetailsTable;
  /** The largest quantity of an order, whatever the market's definition allows. */
  #lotsMax = AMOUNT_MAX;

  constructor(
    marketId: number,
    market: MarketTerms & Pick<MarketDefinition, "lotUnits" | "tickLotUnits" | "status">,
    assets: { baseAssetId: number; quoteAssetId: number },
    orders: OrderTable,
    levels: LevelTable,
    details: DetailsTable,
  ) {
    this.marketId = marketId;
    this.baseAssetId = assets.baseAssetId;
    this.quoteAssetId = assets.quoteAssetId;
    this.lotUnits = market.lotUnits as UnitsPerLot;
    this.tickLotUnits = market.tickLotUnits as UnitsPerTickLot;
    this.status = market.status;
    this.isTrading = market.status === "trading";
    this.takesPlainOrders = this.isTrading;
    this.isGathering = gathersOrders(market.status);
    this.setTerms(market);
    this.orders = orders;
    this.levels = levels;
    this.details = details;
    this.ladder = new PriceLadder(marketId, levels);
    this.ladder.mayCross = !isUncrossed(market.status);
  }

  /** Enters a state. If the book may not cross in it, the caller has uncrossed the book before. */
  setStatus(status: MarketStatus, untilMs: number): void {
    const neverCrosses = isUncrossed(status);
    assert(!neverCrosses || this.bestTicks(BID) < this.bestTicks(ASK), "it has been uncrossed");
    this.ladder.mayCross = !neverCrosses;
    this.status = status;
    this.isTrading = status === "trading";
    this.takesPlainOrders = this.isTrading && !this.checksReceipts;
    this.isGathering = gathersOrders(status);
    this.untilMs = untilMs;
  }

  checkReceipts(isNeeded: boolean): void {
    this.checksReceipts = isNeeded;
    this.takesPlainOrders = this.isTrading && !isNeeded;
  }

  /**
   * Limits the quantity of orders that arrive from now on, whatever the market's definition allows.
   */
  limitLots(lotsMax: number): void {
    this.#lotsMax = lotsMax;
    this.quantityLotsMax = Math.min(this.quantityLotsMax, lotsMax);
  }

  /** Sets the terms for orders that arrive from now on. */
  setTerms(market: MarketTerms): void {
    this.notionalMin = market.notionalMin;
    this.quantityLotsMax = Math.min(market.quantityLotsMax, this.#lotsMax);
    this.selfTradePrevention = market.selfTradePrevention ?? "expireTaker";
    this.protectionBps = market.protectionBps ?? PROTECTION_BPS;
    this.notionalMax = market.notionalMax ?? AMOUNT_MAX;
    this.referenceTicks = market.referenceTicks ?? 0;
    this.priceBandBps = market.priceBandBps ?? 0;
    this.passiveBandBps = market.passiveBandBps ?? this.priceBandBps;
    this.hasPassiveBand = market.passiveBandBps !== undefined;
    this.breaker = market.breaker;
    const { feeOverride } = market;
    this.ownFees =
      feeOverride === undefined
        ? (0 as PackedFees)
        : packFees(feeOverride.makerFeeBps, feeOverride.takerFeeBps, FEE_SOURCE_MARKET);
  }

  /** The best price of a side; if the side is empty, worse than every price. */
  bestTicks(side: number): number {
    const level = this.ladder.best(side);
    if (level === NO_LEVEL) return side === BID ? 0 : Infinity;
    return this.levels.priceOf(level);
  }

  /** Whether an order of this side and price would trade at once. */
  crosses(side: number, priceTicks: number): boolean {
    return side === BID ? priceTicks >= this.bestTicks(ASK) : priceTicks <= this.bestTicks(BID);
  }

  /** The price of an order in the book. */
  priceOf(slot: number): Ticks {
    const level = this.orders.levelOf(slot);
    return this.levels.priceOf(level);
  }

  /** Appends an order to the queue of its price; its hidden quantity is in its details already. */
  append(side: number, slot: number, priceTicks: number, visibleLots: number): void {
    const { levels, orders } = this;
    const level = this.ladder.findOrAdd(side, priceTicks);
    const last = levels.lastOrderOf(level);
    orders.setVisibleLots(slot, visibleLots);
    orders.setLevel(slot, level);
    orders.setPrevious(slot, last);
    orders.setNext(slot, NO_ORDER);
    if (last === NO_ORDER) levels.setFirstOrder(level, slot);
    else orders.setNext(last, slot);
    levels.setLastOrder(level, slot);
    levels.setTotalLots(level, levels.totalLotsOf(level) + visibleLots);
    if (this.icebergCount !== 0) this.#countHidden(slot, level, 1);
  }

  /**
   * Reduces an order's visible quantity. The order keeps its place in the queue, even with none
   * left.
   */
  reduce(slot: number, lots: number): void {
    const { levels, orders } = this;
    const level = orders.levelOf(slot);
    orders.setVisibleLots(slot, orders.visibleLotsOf(slot) - lots);
    levels.setTotalLots(level, levels.totalLotsOf(level) - lots);
  }

  /** Removes an order from its queue, and its level from the book if that is now empty. */
  remove(side: number, slot: number): void {
    const { levels, orders } = this;
    const level = orders.levelOf(slot);
    const previous = orders.previousOf(slot);
    const next = orders.nextOf(slot);
    if (previous === NO_ORDER) levels.setFirstOrder(level, next);
    else orders.setNext(previous, next);
    if (next === NO_ORDER) levels.setLastOrder(level, previous);
    else orders.setPrevious(next, previous);
    const total = levels.totalLotsOf(level) - orders.visibleLotsOf(slot);
    levels.setTotalLots(level, total);
    if (this.icebergCount !== 0) this.#countHidden(slot, level, -1);
    orders.setMarketAndSide(slot, this.marketId * 2 + side);
    if (previous === NO_ORDER && next === NO_ORDER) {
      assert(total === 0, "an empty level has no lots");
      this.ladder.remove(level);
    }
  }

  /** Removes the first order of a level, whose last lot has traded. */
  removeFirst(level: number, slot: number): void {
    const { levels, orders } = this;
    const next = orders.nextOf(slot);
    const total = levels.totalLotsOf(level) - orders.visibleLotsOf(slot);
    levels.setTotalLots(level, total);
    if (next !== NO_ORDER) {
      levels.setFirstOrder(level, next);
      orders.setPrevious(next, NO_ORDER);
    } else {
      assert(total === 0, "an empty level has no lots");
      this.ladder.remove(level);
    }
  }

  /** The remaining quantity of a resting order, visible and hidden. */
  leftOf(slot: number): number {
    return this.orders.visibleLotsOf(slot) + this.hiddenLotsOf(slot);
  }

  /** The hidden quantity of an order; 0 unless it is an iceberg. */
  hiddenLotsOf(slot: number): number {
    return this.orders.hasDetails(slot) ? this.details.at(slot).hiddenLots : 0;
  }

  /** All lots of a level, visible and hidden. */
  lotsAt(level: number): number {
    const visibleLots = this.levels.totalLotsOf(level);
    return this.icebergCount === 0 ? visibleLots : visibleLots + this.levels.hiddenLotsOf(level);
  }

  /** Reduces the hidden quantity of a resting order. */
  reduceHidden(slot: number, lots: number): void {
    this.details.at(slot).hiddenLots -= lots;
    this.levels.addHiddenLots(this.orders.levelOf(slot), -lots);
  }

  /** Adds an order's hidden quantity to its level's total, or subtracts it. */
  #countHidden(slot: number, level: number, sign: 1 | -1): void {
    const hiddenLots = this.hiddenLotsOf(slot);
    if (hiddenLots !== 0) this.levels.addHiddenLots(level, sign * hiddenLots);
  }

  /** Visits the orders of a side in the order in which they would trade. */
  forEachOrder(side: number, visit: (slot: number) => void): void {
    let level = this.ladder.best(side);
    while (level !== NO_LEVEL) {
      let slot = this.levels.firstOrderOf(level);
      while (slot !== NO_ORDER) {
        visit(slot);
        slot = this.orders.nextOf(slot);
      }
      level = this.ladder.nextWorse(level);
    }
  }
}
