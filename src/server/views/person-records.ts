/**
 * What each person did lately: open orders, and the newest orders, fills, transfers, plan changes
 * and ledger entries. Older ones are history's. Simulated participants are not kept here.
 */
import type {
  AccountOpened,
  ExchangeEvent,
  OrderEnded,
  OrderPlaced,
  PlanAssigned,
  PracticeFundsTaken,
  Traded,
} from "#engine/events.ts";
import type { BalanceKind, Posting } from "#engine/postings.ts";
import type { MarketView } from "./catalog.ts";
import type {
  FillRecord,
  LedgerEntryRecord,
  OrderRecord,
  PlanChangeRecord,
  TransferRecord,
} from "./records.ts";

/** Ended orders, fills, transfers and ledger entries that are kept of a person. */
export const RECORDS_KEPT = 200;

type OrderState = { -readonly [Key in keyof OrderRecord]: OrderRecord[Key] };

/** The newest items; grows to twice what is kept before it is cut, so that most pushes only push. */
class Latest<T> {
  #items: T[] = [];

  push(item: T): void {
    this.#items.push(item);
    if (this.#items.length >= 2 * RECORDS_KEPT) this.#items = this.#items.slice(-RECORDS_KEPT);
  }
  newestFirst(): T[] {
    return this.#items.slice(-RECORDS_KEPT).toReversed();
  }
  newest(): T | undefined {
    return this.#items.at(-1);
  }
}

class Person {
  /** In the order they were placed. */
  readonly open = new Map<number, OrderState>();
  /** Open ones and the newest ended ones, in the order they were placed. */
  readonly orders = new Map<number, OrderState>();
  /** Ids of the kept ended orders, oldest first. */
  readonly ended: number[] = [];
  readonly fills = new Latest<FillRecord>();
  readonly transfers = new Latest<TransferRecord>();
  readonly planChanges = new Latest<PlanChangeRecord>();
  readonly ledgerEntries = new Latest<LedgerEntryRecord>();
}

export class PersonRecords {
  readonly #people: (Person | undefined)[] = [];

  /** Oldest first. */
  openOrders(account: number): OrderRecord[] {
    return [...(this.#people[account]?.open.values() ?? [])];
  }
  openOrderCount(account: number): number {
    return this.#people[account]?.open.size ?? 0;
  }
  /** Open orders and at least the newest 200 ended ones, newest first. */
  recentOrders(account: number): OrderRecord[] {
    return [...(this.#people[account]?.orders.values() ?? [])].toReversed();
  }
  /** An open or lately ended order of this account; undefined for one of anybody else. */
  order(account: number, orderId: number): OrderRecord | undefined {
    return this.#people[account]?.orders.get(orderId);
  }
  /** Newest first, as are the following. */
  fills(account: number): FillRecord[] {
    return this.#people[account]?.fills.newestFirst() ?? [];
  }
  transfers(account: number): TransferRecord[] {
    return this.#people[account]?.transfers.newestFirst() ?? [];
  }
  planChanges(account: number): PlanChangeRecord[] {
    return this.#people[account]?.planChanges.newestFirst() ?? [];
  }
  ledgerEntries(account: number): LedgerEntryRecord[] {
    return this.#people[account]?.ledgerEntries.newestFirst() ?? [];
  }

  foldOpened(event: AccountOpened): void {
    this.#people[event.account] = new Person();
  }

  foldPlanAssigned(event: PlanAssigned): void {
    const { account, planId, timestampMs, sequence } = event;
    this.#people[account]?.planChanges.push({ account, planId, timestampMs, sequence });
  }

  foldPracticeFunds(event: PracticeFundsTaken): void {
    const { account, assetId, amount, timestampMs, sequence } = event;
    this.#people[account]?.transfers.push({ account, assetId, amount, timestampMs, sequence });
  }

  foldPlaced(event: OrderPlaced): void {
    const person = this.#people[event.account];
    if (person === undefined) return;
    const order: OrderState = {
      orderId: event.orderId,
      account: event.account,
      marketId: event.marketId,
      clientOrderId: event.clientOrderId,
      side: event.side,
      orderType: event.orderType,
      timeInForce: event.timeInForce,
      postOnly: event.postOnly,
      priceTicks: event.priceTicks,
      quantityLots: event.quantityLots,
      quoteAmount: event.quoteAmount,
      makerFeeBps: event.makerFeeBps,
      takerFeeBps: event.takerFeeBps,
      placedAtMs: event.timestampMs,
      placedSequence: event.sequence,
      status: "open",
      filledLots: 0,
      filledNotional: 0,
      updatedAtMs: event.timestampMs,
      updatedSequence: event.sequence,
    };
    person.open.set(order.orderId, order);
    person.orders.set(order.orderId, order);
  }

  foldTraded(event: Traded, market: MarketView): void {
    const takerBuys = event.takerSide === "buy";
    const maker = this.#people[event.makerAccount]?.open.get(event.makerOrderId);
    const taker = this.#people[event.takerAccount]?.open.get(event.takerOrderId);
    if (maker !== undefined) {
      const feeAssetId = takerBuys ? market.quoteAssetId : market.baseAssetId;
      this.#fill(event, maker, "maker", event.makerFee, feeAssetId);
    }
    if (taker !== undefined) {
      const feeAssetId = takerBuys ? market.baseAssetId : market.quoteAssetId;
      this.#fill(event, taker, "taker", event.takerFee, feeAssetId);
    }
  }

  foldEnded(event: OrderEnded): void {
    const person = this.#people[event.account];
    const order = person?.open.get(event.orderId);
    if (person === undefined || order === undefined) return;
    order.status = event.status;
    order.updatedAtMs = event.timestampMs;
    order.updatedSequence = event.sequence;
    person.open.delete(event.orderId);
    person.ended.push(event.orderId);
    if (person.ended.length >= 2 * RECORDS_KEPT) {
      for (const orderId of person.ended.splice(0, RECORDS_KEPT)) person.orders.delete(orderId);
    }
  }

  /** Ledger entries of the people among the postings' accounts. */
  foldPostings(event: ExchangeEvent, postings: readonly Posting[]): void {
    for (const posting of postings) {
      const { debitAccount, creditAccount, amount } = posting;
      this.#enter(event, posting, debitAccount, posting.debitBalance, -amount);
      this.#enter(event, posting, creditAccount, posting.creditBalance, amount);
    }
  }

  #enter(
    event: ExchangeEvent,
    posting: Posting,
    account: number,
    balance: BalanceKind,
    amount: number,
  ): void {
    const entries = this.#people[account]?.ledgerEntries;
    if (entries === undefined) return;
    const { sequence, timestampMs } = event;
    const previous = entries.newest();
    entries.push({
      sequence,
      index: previous?.sequence === sequence ? previous.index + 1 : 0,
      account,
      assetId: posting.assetId,
      amount,
      balance,
      reason: posting.reason,
      orderId: orderOf(event, account),
      timestampMs,
    });
  }

  #fill(
    event: Traded,
    order: OrderState,
    role: "maker" | "taker",
    fee: number,
    feeAssetId: number,
  ): void {
    order.filledLots += event.quantityLots;
    order.filledNotional += event.notional;
    order.updatedAtMs = event.timestampMs;
    order.updatedSequence = event.sequence;
    this.#people[order.account]?.fills.push({
      tradeId: event.tradeId,
      orderId: order.orderId,
      account: order.account,
      marketId: event.marketId,
      side: order.side,
      priceTicks: event.priceTicks,
      quantityLots: event.quantityLots,
      notional: event.notional,
      fee,
      feeAssetId,
      feeBps: role === "maker" ? order.makerFeeBps : order.takerFeeBps,
      role,
      timestampMs: event.timestampMs,
      sequence: event.sequence,
    });
  }
}

/** The order of this account that an event speaks of, 0 where there is none. */
function orderOf(event: ExchangeEvent, account: number): number {
  switch (event.type) {
    case "orderPlaced":
    case "orderEnded":
      return event.orderId;
    case "traded":
      return event.makerAccount === account ? event.makerOrderId : event.takerOrderId;
    default:
      return 0;
  }
}
