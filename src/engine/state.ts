/**
 * Everything the engine remembers, in one place. Whatever decides an outcome is in here and in the
 * state hash; sequence and time of the last command belong to the engine's position in the journal.
 */
import { Accounts } from "./accounts.ts";
import { PendingAdjustments } from "./adjustments.ts";
import { Catalogue } from "./catalogue.ts";
import { ClientOrderIds, addClientOrder } from "./client-order-ids.ts";
import { FeeTiers } from "./fee-tiers.ts";
import { IdempotencyKeys } from "./idempotency-keys.ts";
import { Ledger } from "./ledger.ts";
import { LevelTable } from "./level-table.ts";
import { OrderBook } from "./order-book.ts";
import {
  ORDER_ACCOUNT,
  ORDER_FEE_AND_CLIENT,
  ORDER_FLOATS,
  ORDER_ID,
  ORDER_INTS,
  ORDER_MARKET_AND_SIDE,
  ORDER_PRICE_TICKS,
  ORDER_REMAINING_LOTS,
  OrderTable,
} from "./order-table.ts";
import { PlanPeriods } from "./plan-changes.ts";
import { EXTERNAL_ACCOUNT, FIRST_USER_ACCOUNT } from "./postings.ts";
import { ASK, BID } from "./price-ladder.ts";
import type { SnapshotReader, SnapshotWriter } from "./snapshot.ts";
import { StateHash } from "./state-hash.ts";

export class EngineState {
  readonly catalogue = new Catalogue();
  readonly ledger = new Ledger();
  readonly orders = new OrderTable();
  readonly levels = new LevelTable();
  readonly accounts = new Accounts(this.orders);
  readonly feeTiers = new FeeTiers(this.accounts, this.catalogue);
  readonly planPeriods = new PlanPeriods();
  readonly adjustments = new PendingAdjustments();
  readonly clientOrderIds = new ClientOrderIds();
  readonly idempotencyKeys = new IdempotencyKeys();
  /** By market id; there is no market 0. */
  readonly books: (OrderBook | undefined)[] = [undefined];
  nextOrderId = 1;
  simulationStarted = false;

  /** Order-sensitive over all of it, independent of slots, windows and free lists. */
  hash(): string {
    const hash = new StateHash();
    hash.number(this.nextOrderId);
    hash.number(this.simulationStarted ? 1 : 0);
    this.catalogue.addTo(hash);
    this.#addAccounts(hash);
    this.planPeriods.addTo(hash);
    this.adjustments.addTo(hash);
    for (const book of this.books) if (book !== undefined) this.#addBook(hash, book);
    this.clientOrderIds.addTo(hash);
    this.idempotencyKeys.addTo(hash);
    return hash.digest();
  }

  /** Everything that the hash covers, in an order in which it can be built up again. */
  writeTo(snapshot: SnapshotWriter): void {
    snapshot.part("state");
    snapshot.number(this.nextOrderId);
    snapshot.flag(this.simulationStarted);
    this.catalogue.writeTo(snapshot);
    this.accounts.writeTo(snapshot);
    this.ledger.writeTo(snapshot, this.accounts.nextId, this.catalogue.coins.size);
    this.planPeriods.writeTo(snapshot);
    this.adjustments.writeTo(snapshot);
    for (const book of this.books) if (book !== undefined) this.#writeBook(snapshot, book);
    this.accounts.writeOpenOrdersTo(snapshot);
    this.clientOrderIds.writeTo(snapshot);
    this.idempotencyKeys.writeTo(snapshot);
  }

  /** Into a state that nothing has happened to. */
  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("state");
    this.nextOrderId = snapshot.number();
    this.simulationStarted = snapshot.flag();
    this.catalogue.readFrom(snapshot);
    this.accounts.readFrom(snapshot);
    this.ledger.readFrom(snapshot, this.accounts.nextId, this.catalogue.coins.size);
    this.planPeriods.readFrom(snapshot);
    this.adjustments.readFrom(snapshot);
    const { coins, markets } = this.catalogue;
    for (let marketId = 1; marketId <= markets.size; marketId++) {
      const market = markets.get(marketId);
      const assets = {
        baseAssetId: coins.find(market.base),
        quoteAssetId: coins.find(market.quote),
      };
      const book = new OrderBook(marketId, market, assets, this.orders, this.levels);
      this.books.push(book);
      this.#readBook(snapshot, book);
    }
    this.accounts.readOpenOrdersFrom(snapshot);
    this.clientOrderIds.readFrom(snapshot);
    this.idempotencyKeys.readFrom(snapshot);
  }

  #writeBook(snapshot: SnapshotWriter, book: OrderBook): void {
    const { floats, ints } = this.orders;
    snapshot.part("book");
    snapshot.number(book.tradeId);
    for (const side of [BID, ASK]) {
      book.forEachOrder(side, (slot) => {
        snapshot.number(floats[slot * ORDER_FLOATS + ORDER_ID]);
        snapshot.number(floats[slot * ORDER_FLOATS + ORDER_PRICE_TICKS]);
        snapshot.number(floats[slot * ORDER_FLOATS + ORDER_REMAINING_LOTS]);
        snapshot.int(ints[slot * ORDER_INTS + ORDER_ACCOUNT]);
        snapshot.int(ints[slot * ORDER_INTS + ORDER_FEE_AND_CLIENT]);
      });
      snapshot.number(0);
    }
  }

  #readBook(snapshot: SnapshotReader, book: OrderBook): void {
    const { orders } = this;
    snapshot.part("book");
    book.tradeId = snapshot.number();
    for (const side of [BID, ASK]) {
      for (let orderId = snapshot.number(); orderId !== 0; orderId = snapshot.number()) {
        if (orders.isFull) snapshot.refuse("more open orders than there can be");
        const slot = orders.allocate(orderId);
        book.append(side, slot, snapshot.number(), snapshot.number());
        // Only after `allocate`, which may move the rows.
        const row = slot * ORDER_INTS;
        orders.ints[row + ORDER_MARKET_AND_SIDE] = (book.marketId << 1) + side;
        orders.ints[row + ORDER_ACCOUNT] = snapshot.int();
        orders.ints[row + ORDER_FEE_AND_CLIENT] = snapshot.int();
      }
    }
  }

  #addAccounts(hash: StateHash): void {
    const { accounts, ledger } = this;
    const assetCount = this.catalogue.coins.size;
    hash.number(accounts.nextId);
    for (let account = EXTERNAL_ACCOUNT; account < accounts.nextId; account++) {
      if (account >= FIRST_USER_ACCOUNT) accounts.addTo(hash, account);
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

  #addBook(hash: StateHash, book: OrderBook): void {
    const { floats, ints } = this.orders;
    hash.number(book.marketId);
    hash.number(book.tradeId);
    for (const side of [BID, ASK]) {
      hash.number(side);
      book.forEachOrder(side, (slot) => {
        const orderId = floats[slot * ORDER_FLOATS + ORDER_ID];
        hash.number(orderId);
        hash.number(floats[slot * ORDER_FLOATS + ORDER_PRICE_TICKS]);
        hash.number(floats[slot * ORDER_FLOATS + ORDER_REMAINING_LOTS]);
        hash.number(ints[slot * ORDER_INTS + ORDER_ACCOUNT]);
        const feeAndClient = ints[slot * ORDER_INTS + ORDER_FEE_AND_CLIENT];
        hash.number(feeAndClient);
        const clientOrder =
          (feeAndClient & 1) === 1 ? this.clientOrderIds.ofOpenOrder(orderId) : undefined;
        if (clientOrder !== undefined) addClientOrder(hash, clientOrder);
      });
    }
  }
}
