/**
 * What each person did lately: open orders, and the newest orders, fills, transfers, ledger entries
 * and rows of activity. Older ones are history's. Simulated participants are not kept here.
 */
import type {
  AccountOpened,
  AdjustmentApproved,
  ExchangeEvent,
  OrderActivated,
  OrderAmended,
  OrderEnded,
  OrderPlaced,
  OrderWaiting,
  PlanAssigned,
  PlanChosen,
  PlanLapsed,
  PlanPeriodBegan,
  PracticeFundsTaken,
  QuantityDecremented,
  Traded,
} from "#engine/events.ts";
import type { BalanceKind, Posting } from "#engine/postings.ts";
import type { MarketView } from "./catalog.ts";
import type {
  ActivityRecord,
  FillRecord,
  LedgerEntryRecord,
  OrderRecord,
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
  state(): T[] {
    return this.#items;
  }
  restore(items: T[]): void {
    this.#items = items;
  }
}

class Person {
  /** In the order they were placed. */
  open = new Map<number, OrderState>();
  /** Open ones and the newest ended ones, in the order they were placed. */
  orders = new Map<number, OrderState>();
  /** Ids of the kept ended orders, oldest first. */
  ended: number[] = [];
  readonly fills = new Latest<FillRecord>();
  readonly transfers = new Latest<TransferRecord>();
  readonly activity = new Latest<ActivityRecord>();
  readonly ledgerEntries = new Latest<LedgerEntryRecord>();

  /** An order is one object wherever it stands, also in the activity; whoever copies keeps that. */
  state() {
    return {
      open: this.open,
      orders: this.orders,
      ended: this.ended,
      fills: this.fills.state(),
      transfers: this.transfers.state(),
      activity: this.activity.state(),
      ledgerEntries: this.ledgerEntries.state(),
    };
  }

  restore(state: ReturnType<Person["state"]>): void {
    this.open = state.open;
    this.orders = state.orders;
    this.ended = state.ended;
    this.fills.restore(state.fills);
    this.transfers.restore(state.transfers);
    this.activity.restore(state.activity);
    this.ledgerEntries.restore(state.ledgerEntries);
  }
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
  activity(account: number): ActivityRecord[] {
    return this.#people[account]?.activity.newestFirst() ?? [];
  }
  ledgerEntries(account: number): LedgerEntryRecord[] {
    return this.#people[account]?.ledgerEntries.newestFirst() ?? [];
  }
  /**
   * The entries of one sequence in their order; undefined where it is too long ago to know that all
   * of them are here.
   */
  ledgerEntriesOf(account: number, sequence: number): LedgerEntryRecord[] | undefined {
    const entries = this.ledgerEntries(account).toReversed();
    if (entries.length === RECORDS_KEPT && sequence <= entries[0].sequence) return undefined;
    return entries.filter((entry) => entry.sequence === sequence);
  }

  foldOpened(event: AccountOpened): void {
    this.#people[event.account] = new Person();
  }

  state() {
    return this.#people.map((person) => person?.state());
  }

  restore(state: ReturnType<PersonRecords["state"]>): void {
    state.forEach((kept, account) => {
      if (kept === undefined) return;
      const person = new Person();
      person.restore(kept);
      this.#people[account] = person;
    });
  }

  /** The account has come to a plan. */
  foldPlanChange(event: PlanAssigned | PlanChosen | PlanLapsed): void {
    const { account, planId, timestampMs, sequence } = event;
    const planChange = { account, planId, amount: 0, assetId: 0, timestampMs, sequence };
    this.#act(event, account, { kind: "plan", planChange });
  }

  foldPlanPeriod(event: PlanPeriodBegan): void {
    const { account, planId, amount, assetId, timestampMs, sequence } = event;
    if (amount === 0) return;
    const planChange = { account, planId, amount, assetId, timestampMs, sequence };
    this.#act(event, account, { kind: "plan", planChange });
  }

  foldPracticeFunds(event: PracticeFundsTaken): void {
    this.#transfer(event, "practiceFunds", "");
  }

  foldAdjustment(event: AdjustmentApproved): void {
    this.#transfer(event, "adjustment", event.reason);
  }

  #transfer(
    event: PracticeFundsTaken | AdjustmentApproved,
    reason: TransferRecord["reason"],
    note: string,
  ): void {
    const { account, assetId, amount, timestampMs, sequence } = event;
    const transfer = { account, reason, assetId, amount, note, timestampMs, sequence };
    this.#people[account]?.transfers.push(transfer);
    this.#act(event, account, { kind: "transfer", transfer });
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
      feeSource: event.feeSource,
      ...(event.conditions !== undefined && { conditions: event.conditions }),
      listId: event.listId ?? 0,
      waitsFor: "nothing",
      triggerTicks: 0,
      placedAtMs: event.timestampMs,
      placedSequence: event.sequence,
      status: "open",
      endReason: "",
      filledLots: 0,
      filledNotional: 0,
      updatedAtMs: event.timestampMs,
      updatedSequence: event.sequence,
    };
    person.open.set(order.orderId, order);
    person.orders.set(order.orderId, order);
    this.#act(event, order.account, { kind: "order", order });
  }

  foldWaiting(event: OrderWaiting): void {
    this.#change(event, (order) => {
      order.waitsFor = event.waitsFor;
      order.triggerTicks = event.triggerTicks;
    });
  }

  foldActivated(event: OrderActivated): void {
    this.#change(event, (order) => {
      order.waitsFor = "nothing";
      order.quantityLots = event.quantityLots;
    });
  }

  foldAmended(event: OrderAmended): void {
    this.#change(event, (order) => {
      order.priceTicks = event.priceTicks;
      order.quantityLots = event.quantityLots;
    });
  }

  /** The order asks for so much less; one by quote amount names no quantity. */
  foldDecremented(event: QuantityDecremented): void {
    this.#change(event, (order) => {
      if (order.quoteAmount === 0) order.quantityLots -= event.decrementedLots;
    });
  }

  #change(
    event: { account: number; orderId: number; timestampMs: number; sequence: number },
    change: (order: OrderState) => void,
  ): void {
    const order = this.#people[event.account]?.open.get(event.orderId);
    if (order === undefined) return;
    change(order);
    order.updatedAtMs = event.timestampMs;
    order.updatedSequence = event.sequence;
  }

  foldTraded(event: Traded, market: MarketView): void {
    const maker = this.#people[event.makerAccount]?.open.get(event.makerOrderId);
    const taker = this.#people[event.takerAccount]?.open.get(event.takerOrderId);
    if (maker !== undefined) this.#fill(event, maker, "maker", market);
    if (taker !== undefined) this.#fill(event, taker, "taker", market);
  }

  foldEnded(event: OrderEnded): void {
    const person = this.#people[event.account];
    const order = person?.open.get(event.orderId);
    if (person === undefined || order === undefined) return;
    order.status = event.status;
    order.endReason = event.reason;
    order.waitsFor = "nothing";
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
      this.#enter(event, posting, debitAccount, posting.debitBalance, 0 - amount);
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
      position: previous?.sequence === sequence ? previous.position + 1 : 0,
      account,
      assetId: posting.assetId,
      amount,
      balance,
      reason: posting.reason,
      orderId: orderOf(event, account),
      timestampMs,
    });
  }

  #fill(event: Traded, order: OrderState, role: "maker" | "taker", market: MarketView): void {
    order.filledLots += event.quantityLots;
    order.filledNotional += event.notional;
    order.updatedAtMs = event.timestampMs;
    order.updatedSequence = event.sequence;
    const fill = fillOf(event, order, role, market);
    this.#people[order.account]?.fills.push(fill);
    this.#act(event, order.account, { kind: "fill", fill });
  }

  #act(event: ExchangeEvent, account: number, what: ActivityOf): void {
    const activity = this.#people[account]?.activity;
    if (activity === undefined) return;
    const { sequence, timestampMs } = event;
    const previous = activity.newest();
    const position = previous?.sequence === sequence ? previous.position + 1 : 0;
    activity.push({ ...what, sequence, position, timestampMs });
  }
}

type ActivityOf = ActivityRecord extends infer Row
  ? Row extends ActivityRecord
    ? Omit<Row, "sequence" | "position" | "timestampMs">
    : never
  : never;

/** One party's view of a trade. */
export function fillOf(
  event: Traded,
  order: OrderRecord,
  role: "maker" | "taker",
  market: MarketView,
): FillRecord {
  return {
    tradeId: event.tradeId,
    orderId: order.orderId,
    account: order.account,
    marketId: event.marketId,
    side: order.side,
    priceTicks: event.priceTicks,
    quantityLots: event.quantityLots,
    notional: event.notional,
    fee: role === "maker" ? event.makerFee : event.takerFee,
    feeAssetId: order.side === "buy" ? market.baseAssetId : market.quoteAssetId,
    // In an auction both pay as makers.
    feeBps: role === "maker" || event.auction !== undefined ? order.makerFeeBps : order.takerFeeBps,
    feeSource: order.feeSource,
    role,
    timestampMs: event.timestampMs,
    sequence: event.sequence,
  };
}

/** The order of this account that an event speaks of, 0 where there is none. */
function orderOf(event: ExchangeEvent, account: number): number {
  switch (event.type) {
    case "orderPlaced":
    case "orderActivated":
    case "orderAmended":
    case "quantityDecremented":
    case "orderEnded":
      return event.orderId;
    case "traded":
      return event.makerAccount === account ? event.makerOrderId : event.takerOrderId;
    default:
      return 0;
  }
}
