/**
 * The engine's complete state. Everything that affects an outcome is in here and in the state hash;
 * sequence and time of the last command belong to the engine's position in the journal.
 */
import { Accounts } from "./accounts/accounts.ts";
import { Activations } from "./orders/activations.ts";
import { readRules, writeRules } from "./orders/adopted-rules.ts";
import { PendingAdjustments } from "./accounts/pending-adjustments.ts";
import { NO_BALANCE_LIMIT, readBalanceLimit, writeBalanceLimit } from "./accounts/balance-limit.ts";
import { CancelTimers } from "./time/cancel-timers.ts";
import { Catalogue } from "./markets/catalogue.ts";
import { DailyCloses } from "./markets/daily-closes.ts";
import { ClientOrderIds, addClientOrder } from "./idempotency/client-order-ids.ts";
import type { EventBuffer } from "./event-buffer.ts";
import { FeeTiers } from "./accounts/fee-tiers.ts";
import { hasClientId, type RowFees } from "./accounts/packed-fees.ts";
import { IdempotencyKeys } from "./idempotency/idempotency-keys.ts";
import { KeyedHash } from "./idempotency/keyed-hash.ts";
import { Ledger } from "./accounts/ledger.ts";
import { LevelTable, NO_LEVEL } from "./book/level-table.ts";
import { MarketSchedules } from "./markets/market-schedules.ts";
import { isMarketStatus } from "./markets/market-statuses.ts";
import { OrderBook } from "./book/order-book.ts";
import { DetailsTable, OrderDetails } from "./orders/order-details.ts";
import { readLists, writeLists, type OrderList } from "./orders/order-lists.ts";
import { MASS_CANCELS, type PendingMassCancel } from "./orders/pending-mass-cancels.ts";
import { NO_ORDER, OrderTable } from "./book/order-table.ts";
import { Placement, type Placements } from "./orders/placement.ts";
import { PlanPeriods } from "./accounts/plan-periods.ts";
import { EXTERNAL_ACCOUNT, FIRST_USER_ACCOUNT } from "./accounts/postings.ts";
import { ASK, BID } from "./book/price-ladder.ts";
import { RecordFormat } from "./formats/record-format.ts";
import type { SnapshotReader, SnapshotWriter } from "./formats/snapshot.ts";
import { StateHash } from "./formats/state-hash.ts";
import type { StateWriter } from "./formats/state-writer.ts";
import { TIMER_MARKET_STATUS_END, TIMER_ORDER_EXPIRY, Timers } from "./time/timers.ts";
import {
  UNCROSSINGS,
  readUncrossings,
  type PendingUncrossing,
} from "./markets/pending-uncrossings.ts";
import { OpenTransfers } from "./transfers/open-transfers.ts";
import { NO_LIMIT, readWorkLimit, writeWorkLimit } from "./orders/work-limit.ts";

/** The state of a market, without its orders. */
const BOOK = new RecordFormat<
  Pick<OrderBook, "tradeId" | "lastTicks" | "status" | "untilMs" | "breakerWindow" | "breakerTicks">
>({
  tradeId: "number",
  lastTicks: "number",
  status: "text",
  untilMs: "number",
  breakerWindow: "number",
  breakerTicks: "number",
});

export class EngineState {
  readonly catalogue = new Catalogue();
  readonly ledger = new Ledger();
  readonly levels = new LevelTable();
  readonly orders = new OrderTable(this.levels);
  readonly details = new DetailsTable();
  readonly timers = new Timers();
  readonly cancelTimers = new CancelTimers(this.timers);
  readonly schedules = new MarketSchedules(this.timers);
  readonly lists = new Map<number, OrderList>();
  /** How many orders a command ends or activates beyond those that it names (work-limit.ts). */
  ordersPerCommandMax = NO_LIMIT;
  /** How many levels a fill-or-kill or market order visits (work-limit.ts). */
  levelsPerOrderMax = NO_LIMIT;
  /** Whether administrators' commands on whole markets and accounts are limited too (work-limit.ts). */
  marketsInParts = false;
  /** Whether an order stops at the first price at which it cannot pay for a lot (adopted-rules.ts). */
  spentOrdersStop = false;
  /** Whether pending orders have their places among the triggers (adopted-rules.ts). */
  pendingTakePlaces = false;
  /** Mass cancels in progress, the next first. */
  readonly massCancels: PendingMassCancel[] = [];
  /** Uncrossing auctions in progress, the next first. */
  readonly uncrossings: PendingUncrossing[] = [];
  /** How much of a coin one account may own (balance-limit.ts). */
  balanceUnitsMax = NO_BALANCE_LIMIT;
  /** The queue of orders due for activation; between two commands, those beyond the limit of work. */
  readonly activations = new Activations();
  readonly accounts = new Accounts(this.orders);
  readonly feeTiers = new FeeTiers(this.accounts, this.catalogue);
  readonly planPeriods = new PlanPeriods(this.timers);
  readonly adjustments = new PendingAdjustments();
  readonly transfers = new OpenTransfers(this.timers);
  readonly dailyCloses = new DailyCloses();
  /** Random keys of the hash tables: of this process, not part of the state. */
  readonly textHash = new KeyedHash();
  readonly clientOrderIds = new ClientOrderIds(this.textHash);
  readonly idempotencyKeys = new IdempotencyKeys(this.textHash);
  /** By market id; there is no market 0. */
  readonly books: (OrderBook | undefined)[] = [undefined];
  nextOrderId = 1;
  nextListId = 1;
  simulationStarted = false;

  // About the current command, or the last one: the engine's position and working storage, not
  // state.
  sequence = 0;
  nowMs = 0;
  /** Receives the command's events. */
  events!: EventBuffer;
  /** The orders that the command places, refilled for each. */
  readonly placements: Placements = { first: new Placement(), second: new Placement() };
  /** The order id up to which the last `cancelAllOrders` left orders open; 0 if none. */
  leftUpToOrderId = 0;

  /** Whether a mass cancel or an uncrossing auction is in progress. */
  get hasWork(): boolean {
    return this.massCancels.length > 0 || this.uncrossings.length > 0;
  }

  /** Adds an empty book for the newest market. */
  addBook(marketId: number): OrderBook {
    const { details, levels, orders } = this;
    const { coins, markets } = this.catalogue;
    const market = markets.get(marketId);
    const baseAssetId = coins.find(market.base);
    const assets = { baseAssetId, quoteAssetId: coins.find(market.quote) };
    const book = new OrderBook(marketId, market, assets, orders, levels, details);
    this.books.push(book);
    return book;
  }

  /** Covers everything in order, independent of slots, windows and free lists. */
  hash(): string {
    const hash = new StateHash();
    this.#writeCounters(hash);
    this.catalogue.writeTo(hash);
    this.#addAccounts(hash);
    this.planPeriods.writeTo(hash);
    this.adjustments.writeTo(hash);
    for (const book of this.books) if (book !== undefined) this.#writeBook(hash, book);
    writeLists(hash, this.lists);
    this.cancelTimers.writeTo(hash);
    this.clientOrderIds.addTo(hash);
    this.idempotencyKeys.addTo(hash);
    writeWorkLimit(hash, this);
    writeBalanceLimit(hash, this);
    MASS_CANCELS.writePartTo(hash, this.massCancels);
    UNCROSSINGS.writePartTo(hash, this.uncrossings);
    this.schedules.writeTo(hash);
    this.transfers.writeTo(hash);
    this.dailyCloses.writeTo(hash);
    writeRules(hash, this);
    return hash.digest();
  }

  /**
   * Writes everything that the hash covers, in an order in which it can be rebuilt: references come
   * after their targets, and fields have the types of their rows. A hash iterates by account and skips
   * empty balances instead, so that it does not depend on the layout.
   */
  writeTo(snapshot: SnapshotWriter): void {
    const { accounts } = this;
    this.#writeCounters(snapshot);
    this.catalogue.writeTo(snapshot);
    snapshot.part("accounts");
    snapshot.int(accounts.nextId);
    this.#forEachAccount((account) => accounts.writeAccount(snapshot, account));
    this.ledger.writeTo(snapshot, accounts.nextId, this.catalogue.coins.size);
    this.planPeriods.writeTo(snapshot);
    this.adjustments.writeTo(snapshot);
    for (const book of this.books) if (book !== undefined) this.#writeBook(snapshot, book);
    this.#writeWaiting(snapshot);
    snapshot.part("open orders of accounts");
    this.#forEachAccount((account) => accounts.writeOpenOrders(snapshot, account));
    writeLists(snapshot, this.lists);
    this.cancelTimers.writeTo(snapshot);
    this.clientOrderIds.writeTo(snapshot);
    this.idempotencyKeys.writeTo(snapshot);
    writeWorkLimit(snapshot, this);
    MASS_CANCELS.writePartTo(snapshot, this.massCancels);
    UNCROSSINGS.writePartTo(snapshot, this.uncrossings);
    this.schedules.writeTo(snapshot);
    this.transfers.writeTo(snapshot);
    this.dailyCloses.writeTo(snapshot);
    writeRules(snapshot, this);
    writeBalanceLimit(snapshot, this);
  }

  /** Requires a state to which nothing has been applied. */
  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("state");
    this.nextOrderId = snapshot.number();
    this.nextListId = snapshot.number();
    this.simulationStarted = snapshot.flag();
    this.catalogue.readFrom(snapshot);
    snapshot.part("accounts");
    this.accounts.readFrom(snapshot);
    this.ledger.readFrom(snapshot, this.accounts.nextId, this.catalogue.coins.size);
    this.planPeriods.readFrom(snapshot);
    this.adjustments.readFrom(snapshot);
    for (let marketId = 1; marketId <= this.catalogue.markets.size; marketId++) {
      this.#readBook(snapshot, this.addBook(marketId));
    }
    this.#readWaiting(snapshot);
    snapshot.part("open orders of accounts");
    this.accounts.readOpenOrdersFrom(snapshot);
    readLists(snapshot, this.lists);
    this.cancelTimers.readFrom(snapshot);
    this.clientOrderIds.readFrom(snapshot);
    this.idempotencyKeys.readFrom(snapshot);
    readWorkLimit(snapshot, this);
    this.massCancels.push(...MASS_CANCELS.readPartFrom(snapshot));
    readUncrossings(snapshot, this.uncrossings);
    this.schedules.readFrom(snapshot);
    this.transfers.readFrom(snapshot);
    this.dailyCloses.readFrom(snapshot);
    readRules(snapshot, this);
    readBalanceLimit(snapshot, this);
  }

  #writeCounters(to: StateWriter): void {
    to.part("state");
    to.number(this.nextOrderId);
    to.number(this.nextListId);
    to.flag(this.simulationStarted);
  }

  /** A hash also includes the market and side, and the price before each order. */
  #writeBook(to: StateWriter, book: OrderBook): void {
    to.part("book");
    if (to.isHash) to.int(book.marketId);
    BOOK.writeTo(to, book);
    for (const side of [BID, ASK]) {
      if (to.isHash) to.int(side);
      book.forEachOrder(side, (slot) => {
        if (to.isHash) to.number(book.priceOf(slot));
        this.#writeOrder(to, slot);
        if (!to.isHash) to.number(book.priceOf(slot));
      });
      if (!to.isHash) to.number(0);
    }
  }

  #readBook(snapshot: SnapshotReader, book: OrderBook): void {
    snapshot.part("book");
    const { marketId, status, untilMs } = Object.assign(book, BOOK.readFrom(snapshot));
    if (!isMarketStatus(status)) snapshot.refuse("a market in no state");
    book.setStatus(status, untilMs);
    if (untilMs !== 0) book.timer = this.timers.add(untilMs, TIMER_MARKET_STATUS_END, marketId);
    for (const side of [BID, ASK]) {
      for (let orderId = snapshot.number(); orderId !== 0; orderId = snapshot.number()) {
        const slot = this.#readOrder(snapshot, orderId, book, side);
        const visibleLots = this.orders.visibleLotsOf(slot);
        book.append(side, slot, snapshot.number(), visibleLots);
      }
    }
  }

  /** Writes the orders that are in no book, by account. */
  #writeWaiting(snapshot: SnapshotWriter): void {
    const { orders } = this;
    snapshot.part("waiting orders");
    this.#forEachAccount((account) => {
      this.#forEachWaiting(account, (slot) => {
        this.#writeOrder(snapshot, slot);
        snapshot.int(orders.marketAndSideOf(slot));
      });
    });
    snapshot.number(0);
  }

  #readWaiting(snapshot: SnapshotReader): void {
    snapshot.part("waiting orders");
    for (let orderId = snapshot.number(); orderId !== 0; orderId = snapshot.number()) {
      const slot = this.#readOrder(snapshot, orderId, undefined, BID);
      const { orders } = this;
      const marketAndSide = snapshot.int();
      const book = this.books[marketAndSide >> 1];
      if (book === undefined) snapshot.refuse("an order waits in a market that is not there");
      orders.setMarketAndSide(slot, marketAndSide);
      if (!orders.hasDetails(slot)) snapshot.refuse("an order waits for nothing");
      const details = this.details.at(slot);
      if (details.waitsFor === "trigger") book.triggers.add(details);
      if (details.waitsFor === "workingOrder") book.triggers.expect(details);
      if (details.displayLots > 0) book.icebergCount++;
    }
  }

  /** Client order ids are written separately; a hash also includes the order's here. */
  #writeOrder(to: StateWriter, slot: number): void {
    const { orders } = this;
    const orderId = orders.idOf(slot);
    const feesAndFlags = orders.feesOf(slot);
    const hasDetails = orders.hasDetails(slot);
    to.number(orderId);
    to.number(orders.visibleLotsOf(slot));
    to.number(orders.totalLotsOf(slot));
    to.int(orders.accountOf(slot));
    to.int(feesAndFlags);
    if (!to.isHash) {
      to.flag(hasDetails);
    } else if (hasClientId(feesAndFlags)) {
      const clientOrder = this.clientOrderIds.ofOpenOrder(orderId);
      if (clientOrder !== undefined) addClientOrder(to, clientOrder);
    }
    if (hasDetails) this.details.at(slot).writeTo(to);
  }

  /** Reads an order's row, with its details and their timer; the caller puts the order into a book. */
  #readOrder(
    snapshot: SnapshotReader,
    orderId: number,
    book: OrderBook | undefined,
    side: number,
  ): number {
    const { accounts, details: table, orders, timers } = this;
    if (orders.isFull) snapshot.refuse("more open orders than there can be");
    const slot = orders.allocate(orderId);
    orders.setVisibleLots(slot, snapshot.number());
    orders.setTotalLots(slot, snapshot.number());
    const account = snapshot.int();
    if (!accounts.exists(account)) snapshot.refuse("an order has no account");
    orders.setAccount(slot, account);
    const fees = snapshot.int() as RowFees;
    orders.setFees(slot, fees);
    if (orders.feesOf(slot) !== fees) snapshot.refuse("fees that are none");
    if (book !== undefined) orders.setMarketAndSide(slot, book.marketId * 2 + side);
    if (!snapshot.flag()) return slot;
    const details = OrderDetails.readFrom(snapshot, orderId);
    table.keep(slot, details);
    orders.getsDetails(slot);
    const { expiresAtMs } = details;
    if (expiresAtMs !== 0) details.timer = timers.add(expiresAtMs, TIMER_ORDER_EXPIRY, orderId);
    if (details.isAlgorithmic) accounts.countAlgoOrders(account, 1);
    if (book !== undefined && details.displayLots > 0) book.icebergCount++;
    return slot;
  }

  #forEachAccount(visit: (account: number) => void): void {
    for (let account = FIRST_USER_ACCOUNT; account < this.accounts.nextId; account++) {
      visit(account);
    }
  }

  /** Visits the account's orders that are in no book, in order of placement. */
  #forEachWaiting(account: number, visit: (slot: number) => void): void {
    const { orders } = this;
    let slot = this.accounts.firstOpenOrder(account);
    while (slot !== NO_ORDER) {
      if (orders.levelOf(slot) === NO_LEVEL) visit(slot);
      slot = orders.nextOfAccount(slot);
    }
  }

  #addAccounts(hash: StateHash): void {
    const { accounts, ledger } = this;
    const assetCount = this.catalogue.coins.size;
    hash.number(accounts.nextId);
    for (let account = EXTERNAL_ACCOUNT; account < accounts.nextId; account++) {
      if (account >= FIRST_USER_ACCOUNT) {
        accounts.writeAccount(hash, account);
        accounts.writeOpenOrders(hash, account);
        this.#forEachWaiting(account, (slot) => {
          hash.number(this.orders.marketAndSideOf(slot));
          this.#writeOrder(hash, slot);
        });
      }
      for (let assetId = 1; assetId <= assetCount; assetId++) {
        const available = ledger.available(account, assetId);
        const held = ledger.held(account, assetId);
        if (available === 0 && held === 0) continue;
        hash.number(assetId);
        hash.number(available);
        hash.number(held);
      }
    }
  }
}
