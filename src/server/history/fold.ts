/**
 * Folds events into rows of the history's tables. Pure: the same events give the same rows, however
 * they are batched. It keeps the objects to which later events refer (names, people, their open
 * orders), so it must receive every event, from sequence 1 or from a restored state on; events already
 * in the tables are folded without rows.
 */
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import { postingsOf, type MarketAssets, type Posting } from "#engine/accounts/postings.ts";
import {
  type AccountActivity,
  accountActivityOf,
  type AccountActivityEvent,
} from "../records/activity.ts";
import { candleOfTrade } from "../records/candles.ts";
import { type LedgerEntryRecord, ledgerEntryOf } from "../records/ledger-entries.ts";
import {
  applyChange,
  applyEnd,
  applyTrade,
  type OrderChange,
  type OrderRecord,
  ORDERS,
  type OrderState,
  placedOrder,
} from "../records/orders.ts";
import { type OrderListRecord, placedList } from "../records/order-lists.ts";
import { orderChangeOf, type OrderChangeRecord } from "../records/order-changes.ts";
import { type PreventedMatchRecord, preventedMatchOf } from "../records/prevented-matches.ts";
import { fillOf, type FillRecord, tradeOf, type TradeRecord } from "../records/trades.ts";
import { TrailingStops } from "../records/trailing-stops.ts";
import { AdminChangeFold } from "./admin-change-fold.ts";
import type { AdminChangeRecord } from "../records/admin-changes.ts";
import { activityRow } from "./activity-rows.ts";
import { CandleDeltas } from "./candle-deltas.ts";
import type { ActivityTable, CandlesTable } from "../database/history-tables.ts";

interface MarketNames extends MarketAssets {
  readonly symbol: string;
}

interface SimulatedMarket {
  readonly symbol: string;
  readonly tickLotUnits: number;
}

interface OpenOrder {
  readonly order: OrderState;
  /** The activity row of the order's placement. */
  readonly activity: ActivityTable;
}

/**
 * The rows that a batch of events adds to the tables; only the last state of a row that changes
 * repeatedly. An open order is the object that the fold changes: it is written before later events are
 * folded.
 */
export class HistoryRows {
  readonly orders = new Map<number, OrderRecord>();
  readonly orderChanges: OrderChangeRecord[] = [];
  readonly orderLists: OrderListRecord[] = [];
  readonly preventedMatches: PreventedMatchRecord[] = [];
  readonly fills: FillRecord[] = [];
  readonly trades: TradeRecord[] = [];
  readonly ledgerEntries: LedgerEntryRecord[] = [];
  readonly adminChanges: AdminChangeRecord[] = [];
  /** By `account sequence position`. */
  readonly activity = new Map<string, ActivityTable>();
  readonly #candles = new CandleDeltas();

  get candles(): readonly CandlesTable[] {
    return this.#candles.rows;
  }
  addTrade(event: EventOf<"traded">): void {
    this.trades.push(tradeOf(event));
    this.#candles.add(event.marketId, candleOfTrade(event));
  }
  setActivity(row: ActivityTable): void {
    this.activity.set(`${row.account} ${row.sequence} ${row.position}`, row);
  }
}

export type HistoryFoldState = ReturnType<HistoryFold["state"]>;

export class HistoryFold {
  #assets = new Map<number, string>();
  #markets = new Map<number, MarketNames>();
  #simulatedMarkets = new Map<number, SimulatedMarket>();
  #plans = new Map<number, string>();
  #people = new Set<number>();
  readonly #openOrders = new Map<number, OpenOrder>();
  readonly #trailingStops = new TrailingStops();
  /** The list placed last: its orders follow in the same command. */
  #newestList: OrderListRecord | undefined;
  readonly #adminChanges = new AdminChangeFold();
  /** Number of rows created in the sequence being folded, per account; number of changes, per order. */
  readonly #positions = {
    sequence: 0,
    entries: new Map<number, number>(),
    activity: new Map<number, number>(),
    changes: new Map<number, number>(),
  };

  /** Markets with simulated counterparties, by id. */
  get simulatedMarkets(): ReadonlyMap<number, SimulatedMarket> {
    return this.#simulatedMarkets;
  }

  /** The data that later events may refer to, as plain data; captured between two commands. */
  state() {
    return {
      assets: this.#assets,
      markets: this.#markets,
      simulatedMarkets: this.#simulatedMarkets,
      plans: this.#plans,
      people: this.#people,
      openOrders: new Map(
        Array.from(this.#openOrders, ([orderId, { order, activity }]) => [
          orderId,
          { row: ORDERS.toRow(order), activity },
        ]),
      ),
      adminChanges: this.#adminChanges.state(),
    };
  }

  /** Restores another fold's state instead of folding earlier events. */
  restore(state: HistoryFoldState): void {
    this.#assets = state.assets;
    this.#markets = state.markets;
    this.#simulatedMarkets = state.simulatedMarkets;
    this.#plans = state.plans;
    this.#people = state.people;
    this.#adminChanges.restore(state.adminChanges);
    for (const [orderId, { row, activity }] of state.openOrders) {
      const order: OrderState = ORDERS.fromRow(row);
      this.#openOrders.set(orderId, { order, activity });
      this.#trailingStops.note(order);
    }
  }

  /** Folds one event; adds rows to `rows`, or none if the tables already have them. */
  fold(event: ExchangeEvent, rows: HistoryRows | undefined): void {
    switch (event.type) {
      case "coinListed":
        this.#assets.set(event.assetId, event.coin.symbol);
        break;
      case "marketListed": {
        const { marketId, baseAssetId, quoteAssetId, market } = event;
        this.#markets.set(marketId, { symbol: market.symbol, baseAssetId, quoteAssetId });
        const { symbol, tickLotUnits } = market;
        if (market.simulated) this.#simulatedMarkets.set(marketId, { symbol, tickLotUnits });
        break;
      }
      case "planDefined":
      case "planUpdated":
        this.#plans.set(event.planId, `${event.plan.slug} ${event.plan.name}`);
        break;
      case "accountOpened":
        if (event.kind === "person") this.#people.add(event.account);
        break;
      case "planChosen":
      case "planAssigned":
      case "planLapsed":
      case "planPeriodBegan":
      case "practiceFundsTaken":
      case "adjustmentApproved":
      case "transferChanged":
      case "dustForfeited":
        if (this.#people.has(event.account)) this.#foldAccountActivity(event, rows);
        break;
      case "orderListPlaced":
        if (!this.#people.has(event.account)) break;
        this.#newestList = placedList(event);
        rows?.orderLists.push(this.#newestList);
        break;
      case "selfTradePrevented":
        if (this.#people.has(event.account)) rows?.preventedMatches.push(preventedMatchOf(event));
        break;
      case "orderPlaced":
        if (this.#people.has(event.account)) this.#foldPlaced(event, rows);
        break;
      case "traded":
        this.#foldTraded(event, rows);
        break;
      case "orderWaiting":
      case "orderActivated":
      case "orderAmended":
      case "waitingOrderAmended":
      case "quantityDecremented":
        if (this.#people.has(event.account)) this.#foldChanged(event, rows);
        break;
      case "orderEnded":
        if (this.#people.has(event.account)) this.#foldEnded(event, rows);
        break;
      default:
        break;
    }
    const adminChange = this.#adminChanges.fold(event);
    if (adminChange !== undefined) rows?.adminChanges.push(adminChange);
    if (rows !== undefined) this.#addLedgerEntries(event, rows);
  }

  #foldAccountActivity(event: AccountActivityEvent, rows: HistoryRows | undefined): void {
    const activity = accountActivityOf(event);
    if (activity === undefined) return;
    const { account, sequence, timestampMs } = event;
    const position = this.#nextPosition("activity", sequence, account);
    const record = { ...activity, sequence, position, timestampMs };
    rows?.setActivity(activityRow(record, this.#wordsOf(activity)));
  }

  #wordsOf(activity: AccountActivity): string {
    if (activity.kind === "plan") {
      const { planId, amount } = activity.planChange;
      return `plan ${amount > 0 ? "paid" : "change"} ${this.#plans.get(planId)}`;
    }
    const { reason, note, assetId } = activity.transfer;
    const words = reason === "practiceFunds" ? "practice funds" : `${reason} ${note}`;
    return `transfer ${words} ${this.#assets.get(assetId)}`;
  }

  #foldPlaced(event: EventOf<"orderPlaced">, rows: HistoryRows | undefined): void {
    const { sequence, timestampMs } = event;
    const list = event.listId === this.#newestList?.listId ? this.#newestList : undefined;
    const order = placedOrder(event, list);
    const { orderId, side, orderType, timeInForce, clientOrderId } = order;
    const position = this.#nextPosition("activity", sequence, order.account);
    const words = `order ${side} ${orderType} ${timeInForce} ${this.#namesOf(order.marketId)} ${orderId} ${clientOrderId} open`;
    const activity = activityRow({ kind: "order", order, sequence, position, timestampMs }, words);
    this.#openOrders.set(orderId, { order, activity });
    rows?.orders.set(orderId, order);
    rows?.setActivity(activity);
  }

  #foldTraded(event: EventOf<"traded">, rows: HistoryRows | undefined): void {
    rows?.addTrade(event);
    this.#trailingStops.follow(event);
    if (this.#people.has(event.makerAccount)) this.#foldFill(event, "maker", rows);
    if (this.#people.has(event.takerAccount)) this.#foldFill(event, "taker", rows);
  }

  #foldFill(
    event: EventOf<"traded">,
    role: "maker" | "taker",
    rows: HistoryRows | undefined,
  ): void {
    const orderId = role === "maker" ? event.makerOrderId : event.takerOrderId;
    const { order } = this.#openOrder(orderId);
    applyTrade(order, event);
    const position = this.#nextPosition("activity", event.sequence, order.account);
    if (rows === undefined) return;
    const { sequence, timestampMs } = event;
    const fill = fillOf(event, order, role, this.#market(event.marketId));
    const words = `fill trade ${order.side} ${order.side === "buy" ? "bought" : "sold"} ${role} ${this.#namesOf(event.marketId)} ${orderId} ${order.clientOrderId}`;
    rows.orders.set(orderId, order);
    rows.fills.push(fill);
    rows.setActivity(activityRow({ kind: "fill", fill, sequence, position, timestampMs }, words));
  }

  #foldChanged(event: OrderChange, rows: HistoryRows | undefined): void {
    const { order } = this.#openOrder(event.orderId);
    const before = { ...order };
    applyChange(order, event);
    this.#trailingStops.note(order);
    const position = this.#nextPosition("changes", event.sequence, event.orderId);
    rows?.orders.set(event.orderId, order);
    rows?.orderChanges.push(orderChangeOf(event, before, order, position));
  }

  #foldEnded(event: EventOf<"orderEnded">, rows: HistoryRows | undefined): void {
    const { order, activity } = this.#openOrder(event.orderId);
    this.#openOrders.delete(event.orderId);
    applyEnd(order, event);
    this.#trailingStops.note(order);
    rows?.orders.set(event.orderId, order);
    const words = activity.search_text.replace(/ open$/, ` ${event.status}`);
    rows?.setActivity({ ...activity, search_text: words });
  }

  #addLedgerEntries(event: ExchangeEvent, rows: HistoryRows): void {
    for (const posting of postingsOf(event, (marketId) => this.#market(marketId))) {
      this.#enter(event, posting, "debit", posting.debitAccount, rows);
      this.#enter(event, posting, "credit", posting.creditAccount, rows);
    }
  }

  #enter(
    event: ExchangeEvent,
    posting: Posting,
    entered: "debit" | "credit",
    account: number,
    rows: HistoryRows,
  ): void {
    if (!this.#people.has(account)) return;
    const position = this.#nextPosition("entries", event.sequence, account);
    rows.ledgerEntries.push(ledgerEntryOf(event, posting, entered, position));
  }

  #nextPosition(of: "entries" | "activity" | "changes", sequence: number, owner: number): number {
    const positions = this.#positions;
    if (positions.sequence !== sequence) {
      positions.sequence = sequence;
      positions.entries.clear();
      positions.activity.clear();
      positions.changes.clear();
    }
    const position = positions[of].get(owner) ?? 0;
    positions[of].set(owner, position + 1);
    return position;
  }

  #namesOf(marketId: number): string {
    const { symbol, baseAssetId, quoteAssetId } = this.#market(marketId);
    return `${symbol} ${this.#assets.get(baseAssetId)} ${this.#assets.get(quoteAssetId)}`;
  }

  #market(marketId: number): MarketNames {
    const market = this.#markets.get(marketId);
    if (market === undefined) throw new Error(`no event listed the market ${marketId}`);
    return market;
  }

  #openOrder(orderId: number): OpenOrder {
    const order = this.#openOrders.get(orderId);
    if (order === undefined) throw new Error(`no event placed the order ${orderId}`);
    return order;
  }
}
