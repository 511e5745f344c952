/**
 * Turns events into rows of the history's tables. Pure: the same events give the same rows, however
 * they are cut into batches. It remembers what later events refer to (names, people, their open
 * orders), so it must see every event from sequence 1, or from a restored state, on; those that are
 * in the tables already are folded without rows.
 */
import type {
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
import { postingsOf, type BalanceKind, type Posting } from "#engine/accounts/postings.ts";
import { CandleDeltas } from "./candle-deltas.ts";
import type {
  ActivityTable,
  CandlesTable,
  FillsTable,
  LedgerEntriesTable,
  OrdersTable,
  TradesTable,
} from "../database/history-tables.ts";

interface MarketNames {
  readonly symbol: string;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
}

interface OpenOrder {
  row: OrdersTable;
  activity: ActivityTable;
}

/** The rows of a batch of events; of what changes more than once only the last state. */
export class HistoryRows {
  readonly orders = new Map<number, OrdersTable>();
  readonly fills: FillsTable[] = [];
  readonly trades: TradesTable[] = [];
  readonly ledgerEntries: LedgerEntriesTable[] = [];
  /** By `account sequence position`. */
  readonly activity = new Map<string, ActivityTable>();
  readonly #candles = new CandleDeltas();

  get candles(): readonly CandlesTable[] {
    return this.#candles.rows;
  }
  addTrade(trade: TradesTable): void {
    this.trades.push(trade);
    this.#candles.add(trade);
  }
  setActivity(row: ActivityTable): void {
    this.activity.set(`${row.account} ${row.sequence} ${row.position}`, row);
  }
}

export type HistoryFoldState = ReturnType<HistoryFold["state"]>;

export class HistoryFold {
  #assets = new Map<number, string>();
  #markets = new Map<number, MarketNames>();
  #simulatedMarkets = new Map<number, string>();
  #plans = new Map<number, string>();
  #people = new Set<number>();
  #openOrders = new Map<number, OpenOrder>();
  /** Rows given out per account in the sequence being folded. */
  readonly #positions = {
    sequence: 0,
    entries: new Map<number, number>(),
    activity: new Map<number, number>(),
  };

  /** Market numbers and symbols whose counterparties are simulated. */
  get simulatedMarkets(): ReadonlyMap<number, string> {
    return this.#simulatedMarkets;
  }

  /** What later events may refer to, as plain data; taken between two commands. */
  state() {
    return {
      assets: this.#assets,
      markets: this.#markets,
      simulatedMarkets: this.#simulatedMarkets,
      plans: this.#plans,
      people: this.#people,
      openOrders: this.#openOrders,
    };
  }

  /** Takes over what another fold remembered, instead of the events until then. */
  restore(state: HistoryFoldState): void {
    this.#assets = state.assets;
    this.#markets = state.markets;
    this.#simulatedMarkets = state.simulatedMarkets;
    this.#plans = state.plans;
    this.#people = state.people;
    this.#openOrders = state.openOrders;
  }

  /** Folds one event; its rows go to `rows`, or nowhere where the tables have them already. */
  fold(event: ExchangeEvent, rows: HistoryRows | undefined): void {
    switch (event.type) {
      case "coinListed":
        this.#assets.set(event.assetId, event.coin.symbol);
        break;
      case "marketListed": {
        const { marketId, baseAssetId, quoteAssetId, market } = event;
        this.#markets.set(marketId, { symbol: market.symbol, baseAssetId, quoteAssetId });
        if (market.simulated) this.#simulatedMarkets.set(marketId, market.symbol);
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
        if (event.effectiveAtMs > event.timestampMs) break;
        this.#foldPlan(event, "change", 0, 0, rows);
        break;
      case "planAssigned":
      case "planLapsed":
        this.#foldPlan(event, "change", 0, 0, rows);
        break;
      case "planPeriodBegan":
        if (event.amount > 0) this.#foldPlan(event, "paid", event.assetId, event.amount, rows);
        break;
      case "practiceFundsTaken":
        this.#foldTransfer(event, "practiceFunds", "", rows);
        break;
      case "adjustmentApproved":
        this.#foldTransfer(event, "adjustment", event.reason, rows);
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
      case "quantityDecremented":
        if (this.#people.has(event.account)) this.#foldChanged(event, rows);
        break;
      case "orderEnded":
        if (this.#people.has(event.account)) this.#foldEnded(event, rows);
        break;
      default:
        break;
    }
    if (rows !== undefined) this.#addLedgerEntries(event, rows);
  }

  #foldPlan(
    event: PlanAssigned | PlanChosen | PlanLapsed | PlanPeriodBegan,
    what: "change" | "paid",
    assetId: number,
    amount: number,
    rows: HistoryRows | undefined,
  ): void {
    if (!this.#people.has(event.account)) return;
    rows?.setActivity({
      ...this.#activityOf(event, "plan", `${what} ${this.#plans.get(event.planId)}`),
      plan_id: event.planId,
      asset_id: assetId,
      amount,
    });
  }

  #foldTransfer(
    event: PracticeFundsTaken | AdjustmentApproved,
    reason: "practiceFunds" | "adjustment",
    note: string,
    rows: HistoryRows | undefined,
  ): void {
    if (!this.#people.has(event.account)) return;
    const words = reason === "practiceFunds" ? "practice funds" : `correction ${note}`;
    rows?.setActivity({
      ...this.#activityOf(event, "transfer", `${words} ${this.#assets.get(event.assetId)}`),
      asset_id: event.assetId,
      amount: event.amount,
      reason,
      note,
    });
  }

  #foldPlaced(event: OrderPlaced, rows: HistoryRows | undefined): void {
    const { orderId, account, marketId, side, orderType, timeInForce, clientOrderId } = event;
    const row: OrdersTable = {
      order_id: orderId,
      account,
      market_id: marketId,
      side,
      order_type: orderType,
      time_in_force: timeInForce,
      post_only: event.postOnly ? 1 : 0,
      price_ticks: event.priceTicks,
      quantity_lots: event.quantityLots,
      quote_amount: event.quoteAmount,
      client_order_id: clientOrderId,
      maker_fee_bps: event.makerFeeBps,
      taker_fee_bps: event.takerFeeBps,
      fee_source: event.feeSource,
      conditions: event.conditions === undefined ? "" : JSON.stringify(event.conditions),
      list_id: event.listId ?? 0,
      waits_for: "nothing",
      trigger_ticks: 0,
      filled_lots: 0,
      filled_quote: 0,
      status: "open",
      end_reason: "",
      placed_at: event.timestampMs,
      updated_at: event.timestampMs,
      placed_sequence: event.sequence,
      updated_sequence: event.sequence,
    };
    const words = `${side} ${orderType} ${timeInForce} ${this.#namesOf(marketId)} ${orderId} ${clientOrderId}`;
    const activity: ActivityTable = {
      ...this.#activityOf(event, "order", words),
      market_id: marketId,
      order_id: orderId,
    };
    this.#openOrders.set(orderId, { row, activity });
    rows?.orders.set(orderId, row);
    rows?.setActivity(activity);
  }

  #foldTraded(event: Traded, rows: HistoryRows | undefined): void {
    rows?.addTrade({
      market_id: event.marketId,
      trade_id: event.tradeId,
      sequence: event.sequence,
      price_ticks: event.priceTicks,
      quantity_lots: event.quantityLots,
      taker_side: event.takerSide,
      time: event.timestampMs,
    });
    if (this.#people.has(event.makerAccount)) this.#foldFill(event, "maker", rows);
    if (this.#people.has(event.takerAccount)) this.#foldFill(event, "taker", rows);
  }

  #foldFill(event: Traded, role: "maker" | "taker", rows: HistoryRows | undefined): void {
    const orderId = role === "maker" ? event.makerOrderId : event.takerOrderId;
    const order = this.#openOrder(orderId);
    const { account, side, maker_fee_bps, taker_fee_bps } = order.row;
    const row: OrdersTable = {
      ...order.row,
      filled_lots: order.row.filled_lots + event.quantityLots,
      filled_quote: order.row.filled_quote + event.notional,
      updated_at: event.timestampMs,
      updated_sequence: event.sequence,
    };
    order.row = row;
    if (rows === undefined) return;
    const { baseAssetId, quoteAssetId } = this.#market(event.marketId);
    rows.orders.set(orderId, row);
    rows.fills.push({
      account,
      sequence: event.sequence,
      trade_id: event.tradeId,
      market_id: event.marketId,
      order_id: orderId,
      side,
      role,
      price_ticks: event.priceTicks,
      quantity_lots: event.quantityLots,
      quote_amount: event.notional,
      fee: role === "maker" ? event.makerFee : event.takerFee,
      fee_asset_id: side === "buy" ? baseAssetId : quoteAssetId,
      // In an auction both pay as makers.
      fee_bps: role === "maker" || event.auction !== undefined ? maker_fee_bps : taker_fee_bps,
      fee_source: order.row.fee_source,
      time: event.timestampMs,
    });
    const words = `trade ${side} ${side === "buy" ? "bought" : "sold"} ${role} ${this.#namesOf(event.marketId)} ${orderId} ${order.row.client_order_id}`;
    rows.setActivity({
      ...this.#activityOf({ ...event, account }, "fill", words),
      market_id: event.marketId,
      order_id: orderId,
      trade_id: event.tradeId,
    });
  }

  /** What an open order asks for, or waits for, is another now. */
  #foldChanged(event: OrderChange, rows: HistoryRows | undefined): void {
    const order = this.#openOrder(event.orderId);
    const row: OrdersTable = {
      ...order.row,
      ...changedBy(event, order.row),
      updated_at: event.timestampMs,
      updated_sequence: event.sequence,
    };
    order.row = row;
    rows?.orders.set(event.orderId, row);
  }

  #foldEnded(event: OrderEnded, rows: HistoryRows | undefined): void {
    const { row, activity } = this.#openOrder(event.orderId);
    this.#openOrders.delete(event.orderId);
    rows?.orders.set(event.orderId, {
      ...row,
      status: event.status,
      end_reason: event.reason,
      waits_for: "nothing",
      updated_at: event.timestampMs,
      updated_sequence: event.sequence,
    });
    const words = activity.search_text.replace(/ open$/, ` ${event.status}`);
    rows?.setActivity({ ...activity, search_text: words });
  }

  #addLedgerEntries(event: ExchangeEvent, rows: HistoryRows): void {
    for (const posting of postingsOf(event, (marketId) => this.#market(marketId))) {
      const { debitAccount, debitBalance, creditAccount, creditBalance, amount } = posting;
      this.#addLedgerEntry(event, posting, debitAccount, debitBalance, 0 - amount, rows);
      this.#addLedgerEntry(event, posting, creditAccount, creditBalance, amount, rows);
    }
  }

  #addLedgerEntry(
    event: ExchangeEvent,
    { assetId, reason }: Posting,
    account: number,
    balance: BalanceKind,
    amount: number,
    rows: HistoryRows,
  ): void {
    if (!this.#people.has(account)) return;
    rows.ledgerEntries.push({
      account,
      sequence: event.sequence,
      position: this.#nextPosition("entries", event.sequence, account),
      asset_id: assetId,
      amount,
      balance,
      reason,
      order_id: orderOf(event, account),
      time: event.timestampMs,
    });
  }

  #activityOf(
    event: { account: number; sequence: number; timestampMs: number },
    kind: ActivityTable["kind"],
    words: string,
  ): ActivityTable {
    const { account, sequence } = event;
    return {
      account,
      sequence,
      position: this.#nextPosition("activity", sequence, account),
      kind,
      time: event.timestampMs,
      market_id: 0,
      order_id: 0,
      trade_id: 0,
      asset_id: 0,
      amount: 0,
      plan_id: 0,
      reason: "",
      note: "",
      search_text: `${kind} ${words}${kind === "order" ? " open" : ""}`.toLowerCase(),
    };
  }

  #nextPosition(of: "entries" | "activity", sequence: number, account: number): number {
    const positions = this.#positions;
    if (positions.sequence !== sequence) {
      positions.sequence = sequence;
      positions.entries.clear();
      positions.activity.clear();
    }
    const position = positions[of].get(account) ?? 0;
    positions[of].set(account, position + 1);
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

type OrderChange = OrderActivated | OrderAmended | OrderWaiting | QuantityDecremented;

function changedBy(event: OrderChange, row: OrdersTable): Partial<OrdersTable> {
  switch (event.type) {
    case "orderWaiting":
      return { waits_for: event.waitsFor, trigger_ticks: event.triggerTicks };
    case "orderActivated":
      return { waits_for: "nothing", quantity_lots: event.quantityLots };
    case "orderAmended":
      return { price_ticks: event.priceTicks, quantity_lots: event.quantityLots };
    default:
      // An order by quote amount names no quantity.
      return row.quote_amount === 0
        ? { quantity_lots: row.quantity_lots - event.decrementedLots }
        : {};
  }
}

/** The account's order that an event's money belongs to, 0 where no order caused it. */
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
