/**
 * Reads the engine's state without changing it: for tests, for verification after a recovery and for
 * comparing read models with it. Reads allocate; none is on the hot path.
 */
import { AMOUNT_MAX, type Amount, type Lots, type Ticks } from "./amount.ts";
import { assert } from "./assert.ts";
import { holdFor } from "./money-formulas.ts";
import { mustCheckReceipts } from "./accounts/balance-limit.ts";
import type { AccountKind, MarketStatus, Side, Transfer } from "./commands.ts";
import { isUncrossed } from "./markets/market-statuses.ts";
import type { OrderBook } from "./book/order-book.ts";
import { isEndingOrders } from "./orders/pending-mass-cancels.ts";
import { holdOf } from "./orders/ending.ts";
import { type OrderDetails, type WaitsFor } from "./orders/order-details.ts";
import { NO_ORDER } from "./book/order-table.ts";
import { ADJUSTMENTS_ACCOUNT, EXTERNAL_ACCOUNT, FIRST_USER_ACCOUNT } from "./accounts/postings.ts";
import type { MarketAssets } from "./accounts/postings.ts";
import { ASK, BID } from "./book/price-ladder.ts";
import type { EngineState } from "./state.ts";
import { NO_LIMIT } from "./orders/work-limit.ts";

export interface Balance {
  readonly available: Amount;
  readonly held: Amount;
}
export interface BookLevel {
  readonly priceTicks: Ticks;
  readonly quantityLots: Lots;
  readonly orderCount: number;
}
export interface OpenOrder {
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
  /** 0 for a market order that waits. */
  readonly priceTicks: Ticks;
  /** The requested quantity, including the filled part. */
  readonly quantityLots: Lots;
  readonly remainingLots: Lots;
  /** The quantity that the book shows: all, except for icebergs and waiting orders. */
  readonly visibleLots: Lots;
  readonly waitsFor: WaitsFor;
  readonly clientOrderId: string;
}
export interface AccountSummary {
  readonly userId: string;
  readonly kind: AccountKind;
  readonly planId: number;
  readonly openOrderCount: number;
  readonly isFrozen: boolean;
  /** The 30-day volume that determines its fees today, in units of the settlement coin. */
  readonly volume: number;
}

export class StateReader {
  readonly #state: EngineState;

  constructor(state: EngineState) {
    this.#state = state;
  }

  /** Numbers of assets and markets; their ids run from 1 to these. */
  get assetCount(): number {
    return this.#state.catalogue.coins.size;
  }
  get marketCount(): number {
    return this.#state.catalogue.markets.size;
  }
  get openOrderCount(): number {
    return this.#state.orders.count;
  }
  /** The limit of work; Infinity without one (work-limit.ts). */
  get ordersPerCommandMax(): number {
    return this.#state.ordersPerCommandMax;
  }
  /** Whether the limit of work also applies to mass cancels and uncrossing auctions. */
  get marketsInParts(): boolean {
    return this.#state.marketsInParts;
  }
  symbolOf(assetId: number): string {
    return this.#state.catalogue.coins.get(assetId).symbol;
  }
  /** Whether an order stops at the first price at which it cannot pay for a lot (adopted-rules.ts). */
  get spentOrdersStop(): boolean {
    return this.#state.spentOrdersStop;
  }
  /** Whether pending orders have their places among the triggers (adopted-rules.ts). */
  get pendingTakePlaces(): boolean {
    return this.#state.pendingTakePlaces;
  }
  /** The newest account's id plus 1. */
  get accountEnd(): number {
    return this.#state.accounts.nextId;
  }

  account(account: number): AccountSummary | undefined {
    const { accounts } = this.#state;
    if (!accounts.exists(account)) return undefined;
    return {
      userId: accounts.userIdOf(account),
      kind: accounts.kindOf(account),
      planId: accounts.planOf(account),
      openOrderCount: accounts.openOrderCount(account),
      isFrozen: accounts.isFrozen(account),
      volume: this.#state.feeTiers.volumeOf(account),
    };
  }

  /**
   * The balance of any account, the exchange's own included; those saturate at AMOUNT_MAX: see
   * `exactBalance`.
   */
  balance(account: number, assetId: number): Balance {
    assert(account >= 1 && account < this.accountEnd, "the account is in the ledger");
    assert(this.#state.catalogue.coins.has(assetId), "the asset is in the catalogue");
    const { ledger } = this.#state;
    return { available: ledger.available(account, assetId), held: ledger.held(account, assetId) };
  }

  /** The exact balance, however large. */
  exactBalance(account: number, assetId: number): { available: bigint; held: bigint } {
    const { held } = this.balance(account, assetId);
    const available = this.#state.ledger.exactAvailable(account, assetId);
    return { available, held: BigInt(held) };
  }

  /** How much of a coin one account may own; Infinity if not limited (balance-limit.ts). */
  get balanceUnitsMax(): number {
    return this.#state.balanceUnitsMax;
  }

  /** The sum of all positive balances of an asset. */
  supply(assetId: number): bigint {
    return this.#state.ledger.supply(assetId);
  }

  /** The sum of an asset over all accounts; zero unless the engine is broken. */
  assetSum(assetId: number): bigint {
    return this.#state.ledger.sum(assetId);
  }

  marketAssets(marketId: number): MarketAssets {
    const { baseAssetId, quoteAssetId } = this.#book(marketId);
    return { baseAssetId, quoteAssetId };
  }

  /** The market's state and the price of its latest trade; 0 before the first. */
  marketState(marketId: number): { status: MarketStatus; untilMs: number; lastTicks: Ticks } {
    const { status, untilMs, lastTicks } = this.#book(marketId);
    const uncrossing = this.#state.uncrossings.find((each) => each.marketId === marketId);
    return { status: uncrossing?.status ?? status, untilMs, lastTicks: lastTicks as Ticks };
  }

  /** The levels of a side, best first, as the public sees them. */
  bookLevels(marketId: number, side: Side, depthMax = Infinity): BookLevel[] {
    const levels: { priceTicks: Ticks; quantityLots: Lots; orderCount: number }[] = [];
    for (const { priceTicks, visibleLots } of this.bookOrders(marketId, side)) {
      const last = levels.at(-1);
      if (last?.priceTicks === priceTicks) {
        last.quantityLots = (last.quantityLots + visibleLots) as Lots;
        last.orderCount++;
      } else {
        if (levels.length === depthMax) break;
        levels.push({ priceTicks, quantityLots: visibleLots, orderCount: 1 });
      }
    }
    return levels;
  }

  /** The resting orders of a side in order of priority. */
  bookOrders(marketId: number, side: Side): OpenOrder[] {
    const found: OpenOrder[] = [];
    this.#book(marketId).forEachOrder(side === "buy" ? BID : ASK, (slot) => {
      found.push(this.#openOrder(slot));
    });
    return found;
  }

  /** Deposits and withdrawals that have not ended, oldest first. */
  openTransfers(): Transfer[] {
    return this.#state.transfers.all();
  }

  /** The open orders of an account, oldest first. */
  openOrdersOf(account: number): OpenOrder[] {
    const { accounts, orders } = this.#state;
    const found: OpenOrder[] = [];
    if (!accounts.exists(account)) return found;
    let slot = accounts.firstOpenOrder(account);
    while (slot !== NO_ORDER) {
      found.push(this.#openOrder(slot));
      slot = orders.nextOfAccount(slot);
    }
    return found;
  }

  /**
   * Checks the invariants that hold between two commands, and throws `InvariantError` if one does not:
   * each asset sums to zero, no balance is negative, no book is crossed, each level's totals are those
   * of its orders, and each account holds exactly the highest cost of its open orders and the amounts of
   * its withdrawals.
   */
  checkInvariants(): void {
    const { catalogue, ledger, orders } = this.#state;
    const holds = new Map<string, number>();
    let resting = 0;
    for (let marketId = 1; marketId <= catalogue.markets.size; marketId++) {
      const book = this.#book(marketId);
      assert(
        !isUncrossed(book.status) || book.bestTicks(BID) < book.bestTicks(ASK),
        `market ${marketId} is not crossed`,
      );
      const isEmpty = book.bestTicks(BID) === 0 && book.bestTicks(ASK) === Infinity;
      assert(
        book.status !== "closed" || isEmpty || isEndingOrders(this.#state, marketId),
        `market ${marketId} keeps no orders once it is closed`,
      );
      for (const side of [BID, ASK]) resting += this.#checkSide(book, side, holds);
      assert(
        book.checksReceipts === mustCheckReceipts(this.#state, book),
        `market ${marketId} knows whether balances could become too large`,
      );
    }
    const waiting = this.#checkWaiting(holds);
    for (const { account, amount, assetId, fee, kind } of this.openTransfers()) {
      if (kind === "deposit") continue;
      const key = `${account} ${assetId}`;
      holds.set(key, (holds.get(key) ?? 0) + amount + fee);
    }
    assert(resting + waiting === orders.count, "each open order rests in a book or waits");
    const isLimited = this.ordersPerCommandMax !== NO_LIMIT;
    assert(isLimited || this.#state.activations.length === 0, "nothing set free is left behind");
    for (let assetId = 1; assetId <= catalogue.coins.size; assetId++) {
      assert(ledger.sum(assetId) === 0n, `asset ${assetId} sums to zero`);
      for (let account = EXTERNAL_ACCOUNT + 1; account < this.accountEnd; account++) {
        const { available, held } = this.balance(account, assetId);
        const mayOwe = account === ADJUSTMENTS_ACCOUNT;
        assert(
          (available >= 0 || mayOwe) && held >= 0,
          `account ${account} owes nothing of ${assetId}`,
        );
        const isExact = account < FIRST_USER_ACCOUNT || available + held <= AMOUNT_MAX;
        assert(isExact, `what account ${account} has of ${assetId} is exact`);
        const expected = holds.get(`${account} ${assetId}`) ?? 0;
        assert(
          held === expected,
          `account ${account} holds what orders and withdrawals need of ${assetId}`,
        );
      }
    }
    for (let account = FIRST_USER_ACCOUNT; account < this.accountEnd; account++) {
      const count = this.#state.accounts.openOrderCount(account);
      assert(count === this.openOrdersOf(account).length, `account ${account} lists its orders`);
    }
  }

  #checkSide(book: OrderBook, side: number, holds: Map<string, number>): number {
    const { levels } = this.#state;
    let count = 0;
    let total = 0;
    let hidden = 0;
    const checkTotals = (priceTicks: number) => {
      const level = book.ladder.find(side, priceTicks);
      const isKnown = levels.totalLotsOf(level) === total && levels.hiddenLotsOf(level) === hidden;
      assert(isKnown, "a level knows its totals");
    };
    let lastTicks = side === BID ? Infinity : 0;
    for (const order of this.bookOrders(book.marketId, side === BID ? "buy" : "sell")) {
      const { account, priceTicks, remainingLots, visibleLots } = order;
      if (priceTicks === lastTicks) {
        total += visibleLots;
        hidden += remainingLots - visibleLots;
      } else {
        const isWorse = side === BID ? priceTicks < lastTicks : priceTicks > lastTicks;
        assert(isWorse, "levels stand in order of price");
        if (count > 0) checkTotals(lastTicks);
        total = visibleLots;
        hidden = remainingLots - visibleLots;
      }
      assert(visibleLots > 0, "a resting order shows what it has left");
      assert(remainingLots <= order.quantityLots, "an order has no more left than was asked for");
      lastTicks = priceTicks;
      count++;
      const assetId = side === BID ? book.quoteAssetId : book.baseAssetId;
      const hold = holdFor(book, side, priceTicks, remainingLots);
      const key = `${account} ${assetId}`;
      holds.set(key, (holds.get(key) ?? 0) + hold);
    }
    if (count > 0) checkTotals(lastTicks);
    return count;
  }

  /** The number of waiting orders; adds their holds to `holds`. */
  #checkWaiting(holds: Map<string, number>): number {
    const { details: table, orders } = this.#state;
    let count = 0;
    const expected = this.#state.books.map(() => 0);
    for (let account = FIRST_USER_ACCOUNT; account < this.accountEnd; account++) {
      let algorithmic = 0;
      for (const { orderId, marketId, side, waitsFor } of this.openOrdersOf(account)) {
        const slot = orders.find(orderId);
        if (!orders.hasDetails(slot)) continue;
        const details = table.at(slot);
        assert(details.orderId === orderId, "details are those of their order");
        if (details.isAlgorithmic) algorithmic++;
        if (waitsFor === "nothing") continue;
        count++;
        const hasTrigger = details.terms.conditions.trigger !== undefined;
        if (waitsFor === "workingOrder" && hasTrigger) expected[marketId]++;
        const { baseAssetId, quoteAssetId } = this.#book(marketId);
        const key = `${account} ${side === "buy" ? quoteAssetId : baseAssetId}`;
        holds.set(key, (holds.get(key) ?? 0) + details.heldAmount);
        assert(
          waitsFor === "workingOrder" || this.#sharedHold(details) >= details.neededAmount,
          "an order that waits for a price holds what it then needs",
        );
      }
      const counted = this.#state.accounts.algoOrderCount(account);
      assert(counted === algorithmic, `account ${account} counts its algorithmic orders`);
    }
    for (const book of this.#state.books) {
      if (book === undefined) continue;
      const isCounted = book.triggers.expected === expected[book.marketId];
      assert(isCounted, "a market counts the pending orders that will wait for a price");
    }
    return count;
  }

  /** The hold of an order that waits for a price, with the limit order of its pair, if it has one. */
  #sharedHold({ heldAmount, listId }: OrderDetails): number {
    const { lists, orders } = this.#state;
    const list = lists.get(listId);
    if (list === undefined) return heldAmount;
    return heldAmount + holdOf(this.#state, orders.find(list.otherOrderIds[0]));
  }

  #openOrder(slot: number): OpenOrder {
    const { orders } = this.#state;
    const orderId = orders.idOf(slot);
    const marketAndSide = orders.marketAndSideOf(slot);
    const details = orders.hasDetails(slot) ? this.#state.details.at(slot) : undefined;
    const waitsFor = details?.waitsFor ?? "nothing";
    const quantityLots = orders.totalLotsOf(slot);
    const visibleLots = orders.visibleLotsOf(slot);
    const isResting = waitsFor === "nothing";
    const priceTicks = isResting
      ? this.#book(marketAndSide >> 1).priceOf(slot)
      : (details?.terms.priceTicks ?? 0);
    return {
      orderId,
      account: orders.accountOf(slot),
      marketId: marketAndSide >> 1,
      side: (marketAndSide & 1) === BID ? "buy" : "sell",
      priceTicks: priceTicks as Ticks,
      quantityLots,
      remainingLots: (isResting ? visibleLots + (details?.hiddenLots ?? 0) : quantityLots) as Lots,
      visibleLots,
      waitsFor,
      clientOrderId: this.#state.clientOrderIds.ofOpenOrder(orderId)?.clientOrderId ?? "",
    };
  }

  #book(marketId: number): OrderBook {
    const book = this.#state.books[marketId];
    assert(book !== undefined, "the market is in the catalogue");
    return book;
  }
}
