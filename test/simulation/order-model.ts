/**
 * An exchange of every order type and market state, so simple that it can be checked by reading
 * docs/order-types.md: one array of open orders, BigInt, no index, everything found by looking at
 * everything. It predicts what each command does: for a refusal which reasons apply, else every
 * event. What happens around trading is the matter of house-model.ts.
 *
 * The order of events within a command is not predicted, except as it shows in their content (trade
 * and order numbers). It shares types with the engine and nothing else.
 */
import type {
  Command,
  MarketStatus,
  OrderListKind,
  OrderTerms,
  OrderTrigger,
  PlanDefinition,
  SelfTradePrevention,
  Side,
} from "#engine/commands.ts";
import type { MarketStatusCause, OrderEndReason, OrderEndStatus } from "#engine/events.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";
import { HouseModel, type ModelCoin } from "./house-model.ts";
import {
  auctionPrice,
  bandEdge,
  beginWindow,
  breakerEdge,
  centreOf,
  followerOf,
  isGathering,
  isInBand,
  neverCrosses,
  tighter,
  type ModelLevel,
  type ModelMarket,
} from "./market-model.ts";
import {
  DAY_MS,
  EXACT_MAX,
  ModelMoney,
  isPositive,
  isText,
  type CommandOf,
  type Fields,
  type Reasons,
} from "./model-parts.ts";

const EXPIRY_MS_MAX = 366 * DAY_MS;
const DEFAULT_PROTECTION_BPS = 500n;
const DEFAULT_AUCTION_MS = 60_000;
const FEES_ACCOUNT = 2;
const STATUSES: ReadonlySet<MarketStatus> = new Set<MarketStatus>([
  "preOpen",
  "auction",
  "trading",
  "postOnly",
  "cancelOnly",
  "halted",
  "closed",
]);

/** The exchange as it is when the model begins: nobody has any money. */
export interface ModelOpening {
  readonly coins: readonly ModelCoin[];
  readonly markets: readonly ModelMarket[];
  readonly plans: readonly PlanDefinition[];
  /** Of the accounts, from the first on. */
  readonly accounts: readonly ("person" | "participant")[];
}

interface Order {
  readonly id: number;
  readonly account: number;
  readonly market: ModelMarket;
  readonly side: Side;
  readonly terms: OrderTerms;
  readonly makerBps: bigint;
  readonly takerBps: bigint;
  price: bigint;
  total: bigint;
  /** Not traded yet, hidden lots included. */
  left: bigint;
  quoteLeft: bigint;
  shown: bigint;
  held: bigint;
  /** What it needs when its trigger is reached; more than it holds in a pair. */
  needed: bigint;
  state: "pending" | "waiting" | "matching" | "resting";
  /** Where it stands in the queue of its price. */
  rank: number;
  best: bigint;
  triggerAt: bigint;
  list: List | undefined;
  isQueued: boolean;
}

interface List {
  readonly id: number;
  /** Undefined where it has filled, or there is none. */
  working: Order | undefined;
  others: Order[];
  received: bigint;
}

interface CancelTimer {
  readonly account: number;
  readonly marketId: number;
  readonly atMs: number;
}

/** What is the same for a whole command. */
interface Opened {
  readonly open: number;
  readonly algo: number;
  readonly freed: bigint;
}
const NOTHING_OPENED: Opened = { open: 0, algo: 0, freed: 0n };

export class OrderModel {
  readonly orders: Order[] = [];
  readonly #markets: readonly ModelMarket[];
  readonly #money = new ModelMoney();
  readonly #house: HouseModel;
  #events: Fields[] = [];
  #timers: CancelTimer[] = [];
  #queue: Order[] = [];
  #orderCount = 0;
  #listCount = 0;
  #rank = 0;
  #nowMs = 0;

  constructor({ coins, markets, plans, accounts }: ModelOpening) {
    this.#markets = markets;
    const tell = (event: Fields) => void this.#events.push(event);
    this.#house = new HouseModel(this.#money, coins, plans, accounts, tell);
  }

  /** What must happen: events in any order, or events of what was due and the reasons that apply. */
  apply(command: Command, nowMs: number): { events: Fields[]; refused: Reasons | undefined } {
    this.#events = [];
    this.#nowMs = nowMs;
    this.#house.nowMs = nowMs;
    this.#letDueHappen();
    const reasons = this.#carryOut(command);
    this.#takeUp();
    return { events: this.#events, refused: reasons.size > 0 ? reasons : undefined };
  }

  balance(account: number, asset: number, kind: "available" | "held"): bigint {
    return this.#money.of(account, asset, kind);
  }

  /** Resting orders of a side as they would trade. */
  book(marketId: number, side: Side): Order[] {
    const sign = side === "sell" ? 1 : -1;
    return this.orders
      .filter((order) => order.state === "resting" && order.side === side)
      .filter((order) => order.market.id === marketId)
      .toSorted((a, b) => sign * Number(a.price - b.price) || a.rank - b.rank);
  }

  // Commands

  #carryOut(command: Command): Reasons {
    switch (command.type) {
      case "placeOrder":
        return this.#place(command, command.account, command.marketId);
      case "placeOrderList":
        return this.#placeList(command.kind, command.orders, command.account, command.marketId);
      case "amendOrder":
        return this.#amend(command);
      case "replaceOrder":
        return this.#replace(command);
      case "cancelOrder": {
        const order = this.#own(command.account, command.orderId);
        if (order === undefined) return new Set(["unknownOrder", "unknownAccount"]);
        this.#end(order, "cancelled", "byOwner");
        return new Set();
      }
      case "cancelAllOrders": {
        const { account, marketId, side } = command;
        const any = this.#cancelAll(account, marketId, side, "byOwner");
        return any ? new Set() : new Set(["unknownOrder", "unknownMarket", "unknownAccount"]);
      }
      case "setCancelTimer":
        return this.#setTimer(command.account, command.marketId, command.delayMs);
      case "advanceTime":
        this.#events.push({ type: "timeAdvanced" });
        return new Set();
      case "setMarketStatus":
        return this.#setStatus(command);
      case "updateMarket":
        return this.#updateMarket(command);
      case "setAccountFreeze":
        return this.#setFreeze(command);
      default: {
        const reasons = this.#house.carryOut(command);
        if (reasons === undefined) throw new Error(`the model knows no ${command.type}`);
        return reasons;
      }
    }
  }

  #place(terms: OrderTerms, account: number, marketId: number, opened = NOTHING_OPENED): Reasons {
    const market = this.#markets.find(({ id }) => id === marketId);
    if (market === undefined) return new Set(["unknownMarket", "unknownAccount"]);
    if (!this.#isAccount(account)) return new Set(["unknownAccount"]);
    const reasons = this.#refusals(terms, account, market, opened);
    if (reasons.size > 0) return reasons;
    this.#start(this.#open(terms, account, market, this.#needs(terms, market, account)));
    return reasons;
  }

  #replace(command: Extract<Command, { type: "replaceOrder" }>): Reasons {
    const { account, marketId, mode, order: terms, orderId } = command;
    const old = this.#own(account, orderId);
    if (old === undefined && mode === "stopOnFailure") {
      return new Set(["unknownOrder", "unknownAccount"]);
    }
    if (old === undefined) return this.#place(terms, account, marketId);
    if (old.market.id !== marketId || old.side !== terms.side || old.list !== undefined) {
      return new Set(["invalidReplacement", "unknownMarket"]);
    }
    const opened = { open: -1, algo: isAlgorithmic(old) ? -1 : 0, freed: old.held };
    const reasons = this.#refusals(terms, account, old.market, opened);
    if (reasons.size > 0) return reasons;
    const needs = this.#needs(terms, old.market, account);
    this.#end(old, "cancelled", "replaced");
    this.#start(this.#open(terms, account, old.market, needs));
    return reasons;
  }

  #placeList(
    kind: OrderListKind,
    orders: readonly OrderTerms[],
    account: number,
    marketId: number,
  ): Reasons {
    const market = this.#markets.find(({ id }) => id === marketId);
    if (market === undefined) return new Set(["unknownMarket", "unknownAccount", "invalidList"]);
    if (!this.#isAccount(account)) return new Set(["unknownAccount", "invalidList"]);
    const pair = kind === "oto" ? [] : orders.slice(-2);
    const reasons: Reasons = new Set(isPair(pair) ? [] : ["invalidList"]);
    const [first, ...pending] = orders;
    if (kind !== "oco" && (isWaiting(first) || !fitsWorking(first, pending))) {
      reasons.add("invalidList");
    }
    const needs = this.#needsOrZero(first, market, account);
    if (kind === "oco") {
      const other = this.#needsOrZero(orders[1], market, account);
      this.#addAll(reasons, this.#refusals(first, account, market, { ...NOTHING_OPENED }));
      const freed = needs < other ? needs : other;
      this.#addAll(
        reasons,
        this.#refusals(orders[1], account, market, { open: 1, algo: 0, freed }),
      );
      const both = needs > other ? needs : other;
      if (both > this.balance(account, spentOf(first.side, market), "available")) {
        reasons.add("insufficientAvailable");
      } else reasons.delete("insufficientAvailable");
    } else {
      this.#addAll(reasons, this.#refusals(first, account, market, NOTHING_OPENED));
      // A working order that does not rest opens nothing beside its pending ones.
      const isOpen = mayRest(first) ? 1 : 0;
      for (const [index, terms] of pending.entries()) {
        this.#addAll(
          reasons,
          this.#pendingRefusals(terms, account, market, isOpen + index, index, first),
        );
      }
    }
    // Terms that no order could have make no list either.
    if (reasons.size > 0) return reasons.add("invalidList");

    const list: List = { id: ++this.#listCount, working: undefined, others: [], received: 0n };
    const opened: Order[] = [];
    if (kind === "oco") {
      const [limit, trigger] = orders.map((terms) => this.#needs(terms, market, account));
      opened.push(this.#open(first, account, market, limit, list));
      const more = trigger > limit ? trigger - limit : 0n;
      opened.push(this.#open(orders[1], account, market, more, list, trigger));
      list.others = opened;
    } else {
      opened.push(this.#open(first, account, market, needs, list));
      list.working = opened[0];
      for (const terms of pending) {
        const order = this.#open(terms, account, market, 0n, list);
        order.state = "pending";
        list.others.push(order);
        opened.push(order);
      }
    }
    this.#events.push({
      type: "orderListPlaced",
      listId: list.id,
      account,
      marketId,
      kind,
      orderIds: opened.map(({ id }) => id),
    });
    // Whatever waits does so before the first order goes to the market.
    for (const order of opened.slice(1)) {
      // Where a trailing stop will stand is known only when it begins to follow.
      const isTrailing = order.terms.conditions?.trigger?.kind === "trailingStop";
      const known = isTrailing ? 0n : order.triggerAt;
      if (order.state === "pending") this.#tellWaiting(order, "workingOrder", known);
      else this.#start(order);
    }
    this.#start(opened[0]);
    return reasons;
  }

  #amend(command: Extract<Command, { type: "amendOrder" }>): Reasons {
    const { account, priceTicks, quantityLots } = command;
    const order = this.#own(account, command.orderId);
    if (order === undefined) return new Set(["unknownOrder", "unknownAccount"]);
    if (order.state !== "resting") return new Set(["orderNotResting"]);
    const reasons: Reasons = new Set();
    const { list, market, side } = order;
    if (this.#house.isFrozen(account)) reasons.add("accountFrozen");
    const { status } = market;
    if (!neverCrosses(status) && !isGathering(market)) reasons.add("marketNotTrading");
    if (list !== undefined && list.working !== order) reasons.add("invalidList");
    if (priceTicks !== 0 && !isPositive(priceTicks)) return reasons.add("invalidPrice");
    if (quantityLots !== 0 && !isPositive(quantityLots)) return reasons.add("invalidQuantity");
    const price = priceTicks === 0 ? order.price : BigInt(priceTicks);
    const total = quantityLots === 0 ? order.total : BigInt(quantityLots);
    const left = total - (order.total - order.left);
    if (left <= 0n) reasons.add("invalidQuantity");
    const moves = price !== order.price;
    if (!moves && total === order.total) reasons.add("nothingToChange");
    const display = order.terms.conditions?.displayLots;
    if (moves && (display !== undefined || list !== undefined)) reasons.add("invalidPrice");
    if (display !== undefined && !isDisplay(BigInt(display), total)) reasons.add("invalidDisplay");
    this.#addSize(reasons, price, total, market);
    if (price * total * tickOf(market) > this.#notionalMax(account, market)) {
      reasons.add("notionalTooLarge");
    }
    if (moves && !isInBand(market, price)) reasons.add("priceOutsideBand");
    if (isGathering(market)) {
      if (this.#crossesOwn(account, side, price, market)) reasons.add("wouldCrossOwnOrder");
    } else if (moves && (order.terms.postOnly || status === "postOnly")) {
      if (this.#crosses(side, price, market)) reasons.add("wouldCross");
    }
    const needs = restingNeeds(side, price, left, market);
    const asset = spentOf(side, market);
    if (needs - order.held > this.balance(account, asset, "available")) {
      reasons.add("insufficientAvailable");
    }
    if (reasons.size > 0) return reasons;

    const previous = { previousPriceTicks: Number(order.price), previousVisibleLots: order.shown };
    const more = needs - order.held;
    this.#hold(order, more);
    const keptPriority = !moves && total < order.total;
    const hiddenBefore = order.left - order.shown;
    const lost = order.left - left;
    Object.assign(order, { price, total, left });
    order.shown = !keptPriority
      ? 0n
      : order.shown - (lost > hiddenBefore ? lost - hiddenBefore : 0n);
    this.#events.push({
      type: "orderAmended",
      ...naming(order),
      priceTicks: Number(price),
      quantityLots: Number(total),
      remainingLots: Number(left),
      heldAmount: Number(more > 0n ? more : 0n),
      releasedAmount: Number(more < 0n ? -more : 0n),
      keptPriority,
      previousPriceTicks: previous.previousPriceTicks,
      previousVisibleLots: Number(previous.previousVisibleLots),
      visibleLots: Number(order.shown),
    });
    if (!keptPriority) this.#toMarket(order, price, true);
    return reasons;
  }

  #setTimer(account: number, marketId: number, delayMs: number): Reasons {
    const reasons: Reasons = new Set();
    if (!this.#isAccount(account)) reasons.add("unknownAccount");
    if (marketId !== 0 && !this.#markets.some(({ id }) => id === marketId)) {
      reasons.add("unknownMarket");
    }
    if (delayMs !== 0 && (delayMs < 1000 || delayMs > DAY_MS)) reasons.add("invalidDelay");
    if (reasons.size > 0) return reasons;
    this.#timers = this.#timers.filter(
      (timer) => timer.account !== account || timer.marketId !== marketId,
    );
    const firesAtMs = delayMs === 0 ? 0 : this.#nowMs + delayMs;
    if (delayMs !== 0) this.#timers.push({ account, marketId, atMs: firesAtMs });
    this.#events.push({ type: "cancelTimerSet", account, marketId, firesAtMs });
    return reasons;
  }

  #cancelAll(
    account: number,
    marketId: number,
    side: Side | undefined,
    reason: OrderEndReason,
  ): boolean {
    const found = this.orders
      .filter((order) => order.account === account)
      .filter((order) => marketId === 0 || order.market.id === marketId)
      .filter((order) => side === undefined || order.side === side);
    // Ending one may end others of its list.
    for (const order of found) if (this.#isOpen(order)) this.#end(order, "cancelled", reason);
    return found.length > 0;
  }

  /** By time; at one time ends of orders, cancel timers, periods of plans, states of markets. */
  #letDueHappen(): void {
    for (;;) {
      const due: { atMs: number; kind: number; id: number; happen: () => void }[] = [
        ...this.orders.map((order) => ({
          atMs: expiryOf(order),
          kind: 0,
          id: order.id,
          happen: () => this.#end(order, "expired", "expired"),
        })),
        ...this.#timers.map((timer) => ({
          atMs: timer.atMs,
          kind: 1,
          id: timer.account * 1_000_000 + timer.marketId,
          happen: () => this.#fire(timer),
        })),
        ...this.#house.due().map((end) => ({ ...end, kind: 2 })),
        ...this.#markets
          .filter(({ untilMs }) => untilMs !== 0)
          .map((market) => ({
            atMs: market.untilMs,
            kind: 3,
            id: market.id,
            happen: () => this.#endState(market),
          })),
      ];
      const [first] = due
        .filter(({ atMs }) => atMs <= this.#nowMs)
        .toSorted((a, b) => a.atMs - b.atMs || a.kind - b.kind || a.id - b.id);
      if (first === undefined) return;
      first.happen();
    }
  }

  #fire(timer: CancelTimer): void {
    this.#timers.splice(this.#timers.indexOf(timer), 1);
    const { account, marketId } = timer;
    this.#events.push({ type: "cancelTimerFired", account, marketId });
    this.#cancelAll(account, marketId, undefined, "cancelTimer");
  }

  // Markets and freezes

  #setStatus(command: CommandOf<"setMarketStatus">): Reasons {
    const { marketId, status, forMs, byAdmin, reason } = command;
    const reasons: Reasons = new Set();
    if (!STATUSES.has(status) || !isText(byAdmin, 64) || !isText(reason, 200)) {
      reasons.add("invalidCommand");
    }
    const isTime = Number.isSafeInteger(forMs) && forMs >= 0 && forMs <= EXPIRY_MS_MAX;
    if (!isTime || (forMs > 0 && followerOf(status) === undefined)) reasons.add("invalidDelay");
    const market = this.#markets.find(({ id }) => id === marketId);
    if (market === undefined) reasons.add("unknownMarket");
    if (market === undefined || reasons.size > 0) return reasons;
    this.#enter(market, status, "admin", forMs === 0 ? 0 : this.#nowMs + forMs);
    return reasons;
  }

  #endState(market: ModelMarket): void {
    const next = followerOf(market.status) as MarketStatus;
    const auctionMs = market.terms.breaker?.auctionMs ?? DEFAULT_AUCTION_MS;
    this.#enter(market, next, "timer", next === "auction" ? market.untilMs + auctionMs : 0);
  }

  #enter(
    market: ModelMarket,
    status: MarketStatus,
    cause: MarketStatusCause,
    untilMs: number,
  ): void {
    const before = market.status;
    this.#events.push({
      type: "marketStatusChanged",
      marketId: market.id,
      status,
      cause,
      untilMs,
    });
    if (neverCrosses(status) && !neverCrosses(before)) this.#uncross(market);
    market.status = status;
    market.untilMs = untilMs;
    if (status === "closed") {
      const open = this.orders.filter((order) => order.market === market);
      for (const order of open.toSorted((a, b) => a.id - b.id)) {
        if (this.#isOpen(order)) this.#end(order, "cancelled", "marketClosed");
      }
    }
    if (status !== "trading") return;
    market.window = undefined;
    if (market.last !== 0n) this.#see(market, market.last);
    const pending = this.orders
      .filter((order) => order.market === market && order.state === "pending" && !order.isQueued)
      .filter(({ list }) => list?.working === undefined)
      .filter((order) => order.list?.others[0] === order);
    for (const order of pending.toSorted((a, b) => listOf(a) - listOf(b))) this.#free(order);
  }

  /** Every match at one price, the better price and the older order first on both sides. */
  #uncross(market: ModelMarket): void {
    const levels = (side: Side): ModelLevel[] =>
      this.book(market.id, side).map(({ price, left }) => ({ price, lots: left }));
    const found = auctionPrice(levels("buy"), levels("sell"), centreOf(market));
    if (found === undefined) return;
    const { price, surplus, volume } = found;
    this.#events.push({
      type: "auctionUncrossed",
      marketId: market.id,
      priceTicks: Number(price),
      volumeLots: Number(volume),
      surplusLots: Number(surplus),
    });
    let left = volume;
    while (left > 0n) {
      const [[buyer], [seller]] = [this.book(market.id, "buy"), this.book(market.id, "sell")];
      const shown = buyer.shown < seller.shown ? buyer.shown : seller.shown;
      const lots = left < shown ? left : shown;
      this.#tradeInAuction(market, buyer, seller, lots, price);
      left -= lots;
    }
    market.last = price;
  }

  #tradeInAuction(
    market: ModelMarket,
    buyer: Order,
    seller: Order,
    lots: bigint,
    price: bigint,
  ): void {
    if (buyer.account === seller.account) throw new Error("nobody trades with himself");
    const notional = lots * price * tickOf(market);
    const base = lots * lotOf(market);
    const released = lots * buyer.price * tickOf(market) - notional;
    const fees = new Map([
      [buyer, feeOn(base, buyer.makerBps)],
      [seller, feeOn(notional, seller.makerBps)],
    ]);
    const feeOf = (order: Order) => fees.get(order) as bigint;
    this.#pay(buyer, seller, market.quote, notional, feeOf(seller));
    this.#pay(seller, buyer, market.base, base, feeOf(buyer));
    if (released > 0n) this.#hold(buyer, -released);
    for (const order of [buyer, seller]) {
      order.left -= lots;
      order.shown -= lots;
      this.#house.traded(order.account, market.quote, notional);
    }
    const [maker, taker] = buyer.id < seller.id ? [buyer, seller] : [seller, buyer];
    this.#events.push({
      type: "traded",
      marketId: market.id,
      tradeId: ++market.trades,
      takerSide: taker.side,
      priceTicks: Number(price),
      quantityLots: Number(lots),
      notional: Number(notional),
      baseAmount: Number(base),
      makerOrderId: maker.id,
      takerOrderId: taker.id,
      makerAccount: maker.account,
      takerAccount: taker.account,
      makerFee: Number(feeOf(maker)),
      takerFee: Number(feeOf(taker)),
      makerRemainingLots: Number(maker.left),
      takerReleased: taker === buyer ? Number(released) : 0,
      auction: {
        makerReleased: maker === buyer ? Number(released) : 0,
        makerTicks: Number(maker.price),
        takerTicks: Number(taker.price),
      },
    });
    for (const order of [buyer, seller]) {
      this.#tradedInList(order, (order === buyer ? base : notional) - feeOf(order));
      if (order.left === 0n) this.#end(order, "filled", "filled");
      else if (order.shown === 0n) this.#refill(order);
    }
  }

  #updateMarket({ marketId, market: terms }: CommandOf<"updateMarket">): Reasons {
    const reasons: Reasons = new Set();
    const market = this.#markets.find(({ id }) => id === marketId);
    if (market === undefined) return reasons.add("unknownMarket");
    const { lotUnits, status, symbol, tickLotUnits } = market.terms;
    const isSame =
      terms.lotUnits === lotUnits &&
      terms.tickLotUnits === tickLotUnits &&
      terms.symbol === symbol &&
      terms.status === status;
    const least = Math.max(1, terms.notionalMin);
    const isLarge = terms.notionalMax === undefined || terms.notionalMax >= least;
    const band = terms.priceBandBps;
    const isBand = band === undefined || (band >= 1 && band <= 9_999);
    if (!isSame || !isLarge || !isBand) return reasons.add("invalidCommand");
    market.terms = terms;
    const version = ++market.version;
    this.#events.push({ type: "marketUpdated", marketId, version, market: terms });
    return reasons;
  }

  #setFreeze(command: CommandOf<"setAccountFreeze">): Reasons {
    const { account, isFrozen, cancelsOrders, byAdmin, reason } = command;
    const reasons: Reasons = new Set();
    if (!isText(byAdmin, 64) || !isText(reason, 200)) reasons.add("invalidCommand");
    if (!isFrozen && cancelsOrders) reasons.add("invalidCommand");
    if (!this.#isAccount(account)) reasons.add("unknownAccount");
    if (reasons.size > 0) return reasons;
    this.#house.setFrozen(account, isFrozen);
    this.#events.push({ type: "accountFreezeChanged", account, isFrozen, byAdmin, reason });
    if (cancelsOrders) this.#cancelAll(account, 0, undefined, "accountFrozen");
    return reasons;
  }

  // Refusals

  /** Every reason that speaks against the order. */
  #refusals(terms: OrderTerms, account: number, market: ModelMarket, opened: Opened): Reasons {
    if (this.#house.isFrozen(account)) return new Set(["accountFrozen"]);
    if (!isLetIn(terms, market)) return new Set(["marketNotTrading"]);
    const reasons = this.#badTerms(terms, market);
    if (mayRest(terms) || isWaiting(terms)) {
      this.#addLimits(reasons, account, opened.open, isAlgorithmicTerms(terms), opened.algo);
    }
    if (reasons.size > 0) return reasons;
    const { conditions, side } = terms;
    const price = BigInt(terms.priceTicks);
    const total = BigInt(terms.quantityLots);
    const trigger = conditions?.trigger;
    const notionalMax = this.#notionalMax(account, market);
    if (trigger !== undefined) {
      if (market.last === 0n) return reasons.add("noReferencePrice");
      const at = triggerPrice(trigger, side, market.last);
      if (isReached(trigger, side, at, market.last)) reasons.add("wouldTriggerAtOnce");
      if (terms.orderType === "market" && terms.quoteAmount === 0) {
        const notional = at * total * tickOf(market);
        if (notional < BigInt(market.terms.notionalMin)) reasons.add("notionalTooSmall");
      }
      const unit = terms.orderType === "limit" ? price : at;
      const notional =
        terms.quoteAmount === 0 ? unit * total * tickOf(market) : BigInt(terms.quoteAmount);
      if (notional > notionalMax) reasons.add("notionalTooLarge");
    } else if (terms.orderType === "limit") {
      if (price * total * tickOf(market) > notionalMax) reasons.add("notionalTooLarge");
      if (!isInBand(market, price)) reasons.add("priceOutsideBand");
      if (isGathering(market)) {
        if (this.#crossesOwn(account, side, price, market)) reasons.add("wouldCrossOwnOrder");
      } else if (terms.postOnly && this.#crosses(side, price, market)) {
        reasons.add("wouldCross");
      }
      if (terms.timeInForce === "fok" && !this.#canFill(terms, account, market, price, total)) {
        reasons.add("wouldNotFill");
      }
    } else {
      const best = this.book(market.id, opposite(side))[0];
      if (best === undefined) return reasons.add("noLiquidity");
      const lotCost = best.price * tickOf(market);
      const isSmall =
        terms.quoteAmount === 0
          ? lotCost * total < BigInt(market.terms.notionalMin)
          : lotCost > BigInt(terms.quoteAmount);
      if (isSmall) reasons.add("notionalTooSmall");
      const notional = terms.quoteAmount === 0 ? lotCost * total : BigInt(terms.quoteAmount);
      if (notional > notionalMax) reasons.add("notionalTooLarge");
    }
    const needs = this.#needs(terms, market, account);
    if (needs > EXACT_MAX) return reasons.add("notionalTooLarge");
    const available = this.balance(account, spentOf(side, market), "available");
    if (needs > available + opened.freed) reasons.add("insufficientAvailable");
    return reasons;
  }

  /** A pending order's size, hold and place in the book are looked at when its time comes. */
  #pendingRefusals(
    terms: OrderTerms,
    account: number,
    market: ModelMarket,
    open: number,
    algo: number,
    working: OrderTerms,
  ): Reasons {
    const isOpenEnded = terms.quantityLots === 0 && terms.quoteAmount === 0;
    const lots = market.terms.quantityLotsMax;
    const reasons = this.#badTerms(isOpenEnded ? { ...terms, quantityLots: lots } : terms, market);
    if (isOpenEnded) {
      for (const reason of ["notionalTooSmall", "notionalTooLarge", "quantityTooLarge"] as const) {
        reasons.delete(reason);
      }
    }
    const workingAlgo = isAlgorithmicTerms(working) ? 1 : 0;
    this.#addLimits(reasons, account, open, true, algo + workingAlgo);
    return reasons;
  }

  #addLimits(reasons: Reasons, account: number, open: number, isAlgo: boolean, algo: number): void {
    const mine = this.orders.filter((order) => order.account === account);
    const { openOrdersMax, algoOrdersMax = openOrdersMax } = this.#house.planOf(account);
    if (mine.length + open >= openOrdersMax) reasons.add("tooManyOpenOrders");
    if (isAlgo && mine.filter(isAlgorithmic).length + algo >= algoOrdersMax) {
      reasons.add("tooManyAlgoOrders");
    }
  }

  #badTerms(terms: OrderTerms, market: ModelMarket): Reasons {
    const reasons: Reasons = new Set();
    const {
      conditions = {},
      orderType,
      priceTicks,
      quantityLots,
      quoteAmount,
      timeInForce,
    } = terms;
    const { displayLots, expiresAtMs, trigger } = conditions;
    if ((timeInForce === "gtd") !== (expiresAtMs !== undefined)) reasons.add("invalidTimeInForce");
    if (expiresAtMs !== undefined) {
      const after = expiresAtMs - this.#nowMs;
      if (!isPositive(after) || after > EXPIRY_MS_MAX) reasons.add("invalidTimeInForce");
    }
    if (displayLots !== undefined) {
      const fits =
        isPositive(displayLots) &&
        isPositive(quantityLots) &&
        isDisplay(BigInt(displayLots), BigInt(quantityLots));
      if (!fits || orderType !== "limit" || !mayRest(terms)) reasons.add("invalidDisplay");
    }
    if (trigger !== undefined) {
      const size = trigger.kind === "trailingStop" ? trigger.trailBps : trigger.triggerTicks;
      const max = trigger.kind === "trailingStop" ? 9_999 : Infinity;
      if (!isPositive(size) || size > max) reasons.add("invalidTrigger");
    }
    if (orderType === "limit") {
      if (terms.postOnly && !mayRest(terms)) reasons.add("invalidTimeInForce");
      if (!isPositive(priceTicks)) reasons.add("invalidPrice");
      if (!isPositive(quantityLots)) reasons.add("invalidQuantity");
      if (quoteAmount !== 0) reasons.add("invalidAmount");
      if (isPositive(priceTicks) && isPositive(quantityLots)) {
        this.#addSize(reasons, BigInt(priceTicks), BigInt(quantityLots), market);
      }
      return reasons;
    }
    if (timeInForce !== "ioc" || terms.postOnly) reasons.add("invalidTimeInForce");
    if (priceTicks !== 0) reasons.add("invalidPrice");
    if (quantityLots !== 0) {
      if (!isPositive(quantityLots)) reasons.add("invalidQuantity");
      if (quoteAmount !== 0) reasons.add("invalidAmount");
      if (quantityLots > market.terms.quantityLotsMax) reasons.add("quantityTooLarge");
      return reasons;
    }
    if (!isPositive(quoteAmount)) reasons.add("invalidAmount");
    if (quoteAmount < market.terms.notionalMin) reasons.add("notionalTooSmall");
    // How much it takes to receive a total is known only when it trades.
    if (trigger !== undefined && terms.side === "sell") reasons.add("invalidAmount");
    return reasons;
  }

  #addSize(reasons: Reasons, price: bigint, lots: bigint, market: ModelMarket): void {
    if (lots > BigInt(market.terms.quantityLotsMax)) reasons.add("quantityTooLarge");
    const notional = price * lots * tickOf(market);
    if (notional > EXACT_MAX) reasons.add("notionalTooLarge");
    if (notional < BigInt(market.terms.notionalMin)) reasons.add("notionalTooSmall");
  }

  /** Of the market and, where it counts in the market's currency, of the account's plan. */
  #notionalMax(account: number, market: ModelMarket): bigint {
    const ofMarket = BigInt(market.terms.notionalMax ?? EXACT_MAX);
    const ofPlan = this.#house.notionalMaxOf(account, market.quote);
    return ofMarket < ofPlan ? ofMarket : ofPlan;
  }

  #crossesOwn(account: number, side: Side, price: bigint, market: ModelMarket): boolean {
    const own = this.book(market.id, opposite(side)).filter((order) => order.account === account);
    return own.some((order) => reaches(side, price, order.price));
  }

  #crosses(side: Side, price: bigint, market: ModelMarket): boolean {
    return this.book(market.id, opposite(side)).some((maker) => reaches(side, price, maker.price));
  }

  /** Hidden lots trade after all that is shown at their price, so own shown ones stand before them. */
  #canFill(
    terms: OrderTerms,
    account: number,
    market: ModelMarket,
    price: bigint,
    lots: bigint,
  ): boolean {
    const passes = this.#modeOf(terms, market) === "expireMaker";
    const edge = breakerEdge(market, terms.side, this.#nowMs);
    const worst = tighter(terms.side, price, edge) as bigint;
    const makers = this.book(market.id, opposite(terms.side)).filter((maker) =>
      reaches(terms.side, worst, maker.price),
    );
    let left = lots;
    for (const level of new Set(makers.map((maker) => maker.price))) {
      const queue = makers.filter((maker) => maker.price === level);
      for (const maker of queue) {
        if (maker.account !== account) left -= maker.shown;
        else if (!passes) return left <= 0n;
        if (left <= 0n) return true;
      }
      for (const maker of queue) {
        if (maker.account !== account) left -= maker.left - maker.shown;
      }
      if (left <= 0n) return true;
    }
    return false;
  }

  // Holds

  #needsOrZero(terms: OrderTerms, market: ModelMarket, account: number): bigint {
    return this.#badTerms(terms, market).size > 0 ? 0n : this.#needs(terms, market, account);
  }

  /** What the order must hold from its placement on. */
  #needs(terms: OrderTerms, market: ModelMarket, account: number): bigint {
    const { conditions, orderType, side } = terms;
    const total = BigInt(terms.quantityLots);
    const quote = BigInt(terms.quoteAmount);
    if (orderType === "limit") return restingNeeds(side, BigInt(terms.priceTicks), total, market);
    if (side === "buy" && quote > 0n) return quote;
    const trigger = conditions?.trigger;
    if (trigger !== undefined) {
      if (side === "sell") return total * lotOf(market);
      return capOf(triggerPrice(trigger, side, market.last), market) * total * tickOf(market);
    }
    const passes = this.#modeOf(terms, market) === "expireMaker";
    const edge = bandEdge(market, side);
    const makers = this.book(market.id, opposite(side))
      .filter((maker) => !passes || maker.account !== account)
      .filter((maker) => edge === undefined || reaches(side, edge, maker.price));
    if (side === "sell" && quote === 0n) return total * lotOf(market);
    let lotsLeft = total;
    let quoteLeft = quote;
    let sum = 0n;
    for (const level of new Set(makers.map((maker) => maker.price))) {
      const there = makers
        .filter((maker) => maker.price === level)
        .reduce((lots, maker) => lots + maker.left, 0n);
      const lotCost = level * tickOf(market);
      if (side === "sell") {
        const affordable = quoteLeft / lotCost;
        const lots = there < affordable ? there : affordable;
        sum += lots * lotOf(market);
        quoteLeft -= lots * lotCost;
        if (affordable < there) break;
      } else {
        const lots = there < lotsLeft ? there : lotsLeft;
        sum += lots * lotCost;
        lotsLeft -= lots;
      }
    }
    return sum;
  }

  #hold(order: Order, amount: bigint): void {
    const asset = spentOf(order.side, order.market);
    this.#money.add(order.account, asset, "available", -amount);
    this.#money.add(order.account, asset, "held", amount);
    order.held += amount;
  }

  // The life of an order

  #open(
    terms: OrderTerms,
    account: number,
    market: ModelMarket,
    held: bigint,
    list?: List,
    needed = held,
  ): Order {
    const { conditions, side } = terms;
    const trigger = conditions?.trigger;
    const total = BigInt(terms.quantityLots);
    const own = market.terms.feeOverride;
    const fees =
      own === undefined ? this.#house.feesOf(account) : { ...own, feeSource: "market" as const };
    const order: Order = {
      id: ++this.#orderCount,
      account,
      market,
      side,
      terms,
      makerBps: BigInt(fees.makerFeeBps),
      takerBps: BigInt(fees.takerFeeBps),
      price: BigInt(terms.priceTicks),
      total,
      left: total,
      quoteLeft: BigInt(terms.quoteAmount),
      shown: 0n,
      held: 0n,
      needed,
      state: "matching",
      rank: 0,
      best: market.last,
      triggerAt: trigger === undefined ? 0n : triggerPrice(trigger, side, market.last),
      list,
      isQueued: false,
    };
    this.orders.push(order);
    this.#hold(order, held);
    const { clientOrderId, orderType, postOnly, priceTicks, quantityLots, quoteAmount } = terms;
    this.#events.push({
      type: "orderPlaced",
      orderId: order.id,
      account,
      marketId: market.id,
      side,
      orderType,
      timeInForce: terms.timeInForce,
      postOnly,
      priceTicks,
      quantityLots,
      quoteAmount,
      heldAmount: Number(held),
      ...fees,
      clientOrderId,
      ...(conditions === undefined ? {} : { conditions }),
      ...(list === undefined ? {} : { listId: list.id }),
    });
    return order;
  }

  #start(order: Order): void {
    if (order.terms.conditions?.trigger === undefined) {
      const isLimit = order.terms.orderType === "limit";
      this.#toMarket(order, isLimit ? order.price : bandEdge(order.market, order.side), isLimit);
    } else {
      order.state = "waiting";
      this.#tellWaiting(order, "trigger", order.triggerAt);
    }
  }

  #tellWaiting(order: Order, waitsFor: "trigger" | "workingOrder", triggerAt: bigint): void {
    const triggerTicks = Number(triggerAt);
    this.#events.push({ type: "orderWaiting", ...naming(order), waitsFor, triggerTicks });
  }

  /** Trades within `limit`, undefined for any price, and rests or ends. */
  #toMarket(order: Order, limit: bigint | undefined, holdsAtLimit: boolean): void {
    order.state = "matching";
    const { market, side, terms } = order;
    const isByQuote = terms.quoteAmount !== 0;
    const held = holdsAtLimit ? limit : undefined;
    let stopped = false;
    let metBreaker = false;
    if (market.status === "trading") beginWindow(market, this.#nowMs);
    const edge = breakerEdge(market, side, this.#nowMs);
    while (market.status === "trading" && (isByQuote ? order.quoteLeft : order.left) > 0n) {
      const maker = this.book(market.id, opposite(side))[0];
      if (maker === undefined) break;
      if (limit !== undefined && !reaches(side, limit, maker.price)) break;
      if (edge !== undefined && !reaches(side, edge, maker.price)) {
        metBreaker = true;
        const { haltMs } = market.terms.breaker as { haltMs: number };
        this.#enter(market, "halted", "breaker", this.#nowMs + haltMs);
        stopped = mayRest(terms) && this.#crossesOwn(order.account, side, limit as bigint, market);
        break;
      }
      const lotCost = maker.price * tickOf(market);
      const wanted = isByQuote ? order.quoteLeft / lotCost : order.left;
      if (maker.account === order.account) {
        stopped = this.#preventSelfTrade(order, maker, wanted, held);
        if (stopped) break;
        continue;
      }
      if (wanted === 0n) break;
      this.#trade(order, maker, wanted < maker.shown ? wanted : maker.shown, held);
    }
    const next = this.book(market.id, opposite(side))[0];
    const isUsedUp =
      order.quoteLeft === 0n ||
      (next !== undefined && order.quoteLeft < next.price * tickOf(market));
    const isDone = isByQuote ? isUsedUp : order.left === 0n;
    if (stopped) return this.#end(order, "expired", "selfTrade");
    if (isDone) return this.#end(order, "filled", "filled");
    if (!mayRest(terms)) {
      let reason: OrderEndReason = "priceBand";
      if (metBreaker) reason = "breaker";
      else if (holdsAtLimit) reason = "immediateOrCancel";
      else if (next === undefined) reason = "bookExhausted";
      return this.#end(order, "expired", reason);
    }
    const display = BigInt(terms.conditions?.displayLots ?? 0);
    order.state = "resting";
    order.rank = ++this.#rank;
    order.shown = display === 0n || display > order.left ? order.left : display;
    this.#events.push({
      type: "orderRested",
      ...naming(order),
      priceTicks: Number(order.price),
      remainingLots: Number(order.left),
      visibleLots: Number(order.shown),
    });
  }

  #trade(taker: Order, maker: Order, lots: bigint, limit: bigint | undefined): void {
    const { market, side } = taker;
    const notional = lots * maker.price * tickOf(market);
    const base = lots * lotOf(market);
    const released =
      side === "buy" && limit !== undefined ? lots * limit * tickOf(market) - notional : 0n;
    const [buyer, seller] = side === "buy" ? [taker, maker] : [maker, taker];
    const fees = new Map([
      [maker, feeOn(maker === buyer ? base : notional, maker.makerBps)],
      [taker, feeOn(taker === buyer ? base : notional, taker.takerBps)],
    ]);
    this.#pay(buyer, seller, market.quote, notional, fees.get(seller) as bigint);
    this.#pay(seller, buyer, market.base, base, fees.get(buyer) as bigint);
    if (released > 0n) this.#hold(taker, -released);
    for (const order of [maker, taker]) {
      this.#house.traded(order.account, market.quote, notional);
      order.left -= lots;
      if (order.terms.quoteAmount !== 0) {
        order.quoteLeft -= notional;
        order.left = 0n;
      }
    }
    maker.shown -= lots;
    market.last = maker.price;
    this.#events.push({
      type: "traded",
      marketId: market.id,
      tradeId: ++market.trades,
      takerSide: side,
      priceTicks: Number(maker.price),
      quantityLots: Number(lots),
      notional: Number(notional),
      baseAmount: Number(base),
      makerOrderId: maker.id,
      takerOrderId: taker.id,
      makerAccount: maker.account,
      takerAccount: taker.account,
      makerFee: Number(fees.get(maker)),
      takerFee: Number(fees.get(taker)),
      makerRemainingLots: Number(maker.left),
      takerReleased: Number(released),
    });
    for (const order of [maker, taker]) {
      const gross = order === buyer ? base : notional;
      this.#tradedInList(order, gross - (fees.get(order) as bigint));
    }
    if (maker.left === 0n) this.#end(maker, "filled", "filled");
    else if (maker.shown === 0n) this.#refill(maker);
    this.#see(market, maker.price);
  }

  #pay(payer: Order, receiver: Order, asset: number, amount: bigint, fee: bigint): void {
    this.#money.add(payer.account, asset, "held", -amount);
    payer.held -= amount;
    this.#money.add(receiver.account, asset, "available", amount - fee);
    this.#money.add(FEES_ACCOUNT, asset, "available", fee);
  }

  #refill(order: Order): void {
    const display = BigInt(order.terms.conditions?.displayLots ?? 0);
    order.shown = display < order.left ? display : order.left;
    order.rank = ++this.#rank;
    this.#events.push({
      type: "icebergRefilled",
      ...naming(order),
      priceTicks: Number(order.price),
      visibleLots: Number(order.shown),
      remainingLots: Number(order.left),
    });
  }

  /** Whether the incoming order stops. */
  #preventSelfTrade(
    taker: Order,
    maker: Order,
    wanted: bigint,
    limit: bigint | undefined,
  ): boolean {
    const mode = this.#modeOf(taker.terms, taker.market);
    if (mode === "expireTaker") return true;
    if (mode !== "decrement") {
      this.#end(maker, "expired", "selfTrade");
      return mode === "expireBoth";
    }
    const lots = wanted < maker.left ? wanted : maker.left;
    if (lots === 0n) return true;
    const { market } = taker;
    const shownBefore = maker.shown;
    const hidden = maker.left - maker.shown;
    this.#lose(maker, lots, restingNeeds(maker.side, maker.price, lots, market));
    maker.shown -= lots > hidden ? lots - hidden : 0n;
    this.#tellDecremented(maker, true, lots, maker.left, shownBefore);

    const isByQuote = taker.terms.quoteAmount !== 0;
    if (isByQuote) taker.quoteLeft -= lots * maker.price * tickOf(market);
    let given = 0n;
    if (taker.side === "sell") given = lots * lotOf(market);
    else if (limit !== undefined) given = lots * limit * tickOf(market);
    this.#lose(taker, isByQuote ? 0n : lots, given);
    this.#tellDecremented(taker, false, lots, isByQuote ? 0n : taker.left, 0n, given);
    if (maker.left === 0n) this.#end(maker, "expired", "selfTrade");
    else this.#tradedInList(maker, 0n);
    this.#tradedInList(taker, 0n);
    return lots === wanted;
  }

  #lose(order: Order, lots: bigint, released: bigint): void {
    order.left -= lots;
    order.total -= lots;
    this.#hold(order, -released);
  }

  #tellDecremented(
    order: Order,
    wasResting: boolean,
    lots: bigint,
    left: bigint,
    shownBefore: bigint,
    released = restingNeeds(order.side, order.price, lots, order.market),
  ): void {
    this.#events.push({
      type: "quantityDecremented",
      ...naming(order),
      wasResting,
      priceTicks: wasResting ? Number(order.price) : 0,
      decrementedLots: Number(lots),
      remainingLots: Number(left),
      releasedAmount: Number(released),
      previousVisibleLots: Number(shownBefore),
      visibleLots: wasResting ? Number(order.shown) : 0,
    });
  }

  #end(order: Order, status: OrderEndStatus, reason: OrderEndReason, kept = 0n): void {
    const wasResting = order.state === "resting";
    const released = order.held - kept;
    this.#hold(order, -released);
    this.orders.splice(this.orders.indexOf(order), 1);
    const isByQuote = order.terms.quoteAmount !== 0;
    this.#events.push({
      type: "orderEnded",
      ...naming(order),
      status,
      reason,
      priceTicks: Number(order.price),
      remainingLots: isByQuote ? 0 : Number(order.left),
      releasedAmount: Number(released),
      wasResting,
      visibleLots: Number(order.shown),
    });
    const { list } = order;
    if (list === undefined) return;
    if (status === "filled" && list.working === order) {
      list.working = undefined;
      this.#free(list.others[0]);
    } else {
      this.#endRest(list, order);
    }
  }

  // Lists and triggers

  #tradedInList(order: Order, received: bigint): void {
    const { list } = order;
    if (list === undefined) return;
    if (list.working === order) list.received += received;
    else if (list.working === undefined) this.#endRest(list, order);
  }

  #endRest(list: List, except: Order): void {
    const rest = [...(list.working === undefined ? [] : [list.working]), ...list.others];
    for (const order of [except, ...rest]) order.list = undefined;
    for (const order of rest) {
      if (order !== except && this.#isOpen(order)) this.#end(order, "cancelled", "listEnded");
    }
  }

  /** A trade at this price: what it reaches is set free, the lower id first. */
  #see(market: ModelMarket, price: bigint): void {
    for (const order of this.orders.toSorted((a, b) => a.id - b.id)) {
      const trigger = order.terms.conditions?.trigger;
      if (order.state !== "waiting" || order.market !== market || trigger === undefined) continue;
      if (order.isQueued) continue;
      if (trigger.kind === "trailingStop") {
        const isBetter = order.side === "sell" ? price > order.best : price < order.best;
        if (isBetter) order.best = price;
        order.triggerAt = triggerPrice(trigger, order.side, order.best);
      }
      if (isReached(trigger, order.side, order.triggerAt, price)) this.#free(order);
    }
  }

  #free(order: Order): void {
    order.isQueued = true;
    this.#queue.push(order);
  }

  #takeUp(): void {
    for (let order = this.#queue.shift(); order !== undefined; order = this.#queue.shift()) {
      order.isQueued = false;
      if (!this.#isOpen(order)) continue;
      // Where the market has stopped meanwhile it waits on.
      if (order.market.status !== "trading") continue;
      if (order.state === "pending") this.#placePending(order.list as List);
      else this.#activate(order);
    }
  }

  #activate(order: Order): void {
    const { list, market, side, terms } = order;
    if (list !== undefined) {
      // Of what the pair holds together the trigger order keeps what it needs.
      const [limit] = list.others;
      for (const each of list.others) each.list = undefined;
      const kept = limit.held < order.needed ? limit.held : order.needed;
      const whole = limit.held;
      this.#end(limit, "cancelled", "listEnded", kept);
      order.held = order.held + whole - (whole - kept);
    }
    this.#tellActivated(order, "trigger", 0n);
    const edge = bandEdge(market, side);
    let limit: bigint | undefined = order.price;
    let holdsAtLimit = true;
    if (terms.orderType === "market") {
      holdsAtLimit = side === "buy" && terms.quoteAmount === 0;
      limit = holdsAtLimit ? tighter(side, capOf(order.triggerAt, market), edge) : edge;
    }
    if (limit !== undefined && !isInBand(market, limit)) {
      return this.#end(order, "expired", "priceOutsideBand");
    }
    if (terms.postOnly && this.#crosses(side, order.price, market)) {
      return this.#end(order, "expired", "wouldCross");
    }
    if (terms.timeInForce === "fok") {
      const fills = this.#canFill(terms, order.account, market, order.price, order.left);
      if (!fills) return this.#end(order, "expired", "wouldNotFill");
    }
    this.#toMarket(order, limit, holdsAtLimit);
  }

  #tellActivated(order: Order, cause: "trigger" | "workingOrder", held: bigint): void {
    this.#events.push({
      type: "orderActivated",
      ...naming(order),
      cause,
      lastTicks: Number(order.market.last),
      heldAmount: Number(held),
      quantityLots: Number(order.left),
    });
  }

  #placePending(list: List): void {
    const { others, received } = list;
    const lots = others.map((order) => this.#pendingLots(order, received));
    const least = lots.reduce((a, b) => (a < b ? a : b));
    const sized = others.map(({ terms }): OrderTerms => {
      const quantityLots = Number(
        terms.quoteAmount === 0 ? least : 0n,
      ) as OrderTerms["quantityLots"];
      return { ...terms, quantityLots };
    });
    const { account, market, side } = others[0];
    // They are open and algorithmic already.
    const opened: Opened = { open: -1, algo: -1, freed: EXACT_MAX };
    for (const [index, terms] of sized.entries()) {
      const [refusal] = this.#refusals(terms, account, market, opened);
      if (refusal !== undefined) return this.#refusePending(others[index], refusal);
    }
    const needs = sized.map((terms) => this.#needs(terms, market, account));
    const both = needs.reduce((a, b) => (a > b ? a : b));
    if (both > this.balance(account, spentOf(side, market), "available")) {
      return this.#refusePending(others[0], "insufficientAvailable");
    }
    for (const [index, order] of others.entries()) {
      order.total = BigInt(sized[index].quantityLots);
      order.left = order.total;
      order.best = market.last;
      const trigger = order.terms.conditions?.trigger;
      if (trigger !== undefined) order.triggerAt = triggerPrice(trigger, side, market.last);
      order.needed = needs[index];
      const held = index === 0 ? needs[0] : needs[1] > needs[0] ? needs[1] - needs[0] : 0n;
      this.#hold(order, held);
      this.#tellActivated(order, "workingOrder", held);
    }
    if (others.length === 1) others[0].list = undefined;
    for (const order of others.toReversed()) this.#start(order);
  }

  /** The refusal's own reason may be one of several: the event names which. */
  #refusePending(order: Order, reason: RejectReason): void {
    this.#end(order, "expired", reason);
  }

  #pendingLots(order: Order, received: bigint): bigint {
    const { market, side, terms } = order;
    if (terms.quoteAmount !== 0) return EXACT_MAX;
    if (terms.quantityLots !== 0) return order.total;
    if (side === "sell") return received / lotOf(market);
    const trigger = terms.conditions?.trigger;
    let price = order.price;
    if (terms.orderType === "market") {
      if (trigger !== undefined) price = capOf(triggerPrice(trigger, side, market.last), market);
      else price = this.book(market.id, "sell")[0]?.price ?? 1n;
    }
    return received / (price * tickOf(market));
  }

  // Small things

  #own(account: number, orderId: number): Order | undefined {
    return this.orders.find((order) => order.id === orderId && order.account === account);
  }

  #isOpen(order: Order): boolean {
    return this.orders.includes(order);
  }

  #isAccount(account: number): boolean {
    return this.#house.isAccount(account);
  }

  #modeOf(terms: OrderTerms, market: ModelMarket): SelfTradePrevention {
    const given = terms.conditions?.selfTradePrevention;
    return given ?? market.terms.selfTradePrevention ?? "expireTaker";
  }

  #addAll(reasons: Reasons, more: Reasons): void {
    for (const reason of more) reasons.add(reason);
  }
}

const opposite = (side: Side): Side => (side === "buy" ? "sell" : "buy");
const tickOf = (market: ModelMarket): bigint => BigInt(market.terms.tickLotUnits);
const lotOf = (market: ModelMarket): bigint => BigInt(market.terms.lotUnits);
const spentOf = (side: Side, market: ModelMarket): number =>
  side === "buy" ? market.quote : market.base;
const reaches = (side: Side, limit: bigint, price: bigint): boolean =>
  side === "buy" ? price <= limit : price >= limit;
const mayRest = ({ timeInForce }: OrderTerms): boolean =>
  timeInForce === "gtc" || timeInForce === "gtd";
const isWaiting = (terms: OrderTerms): boolean => terms.conditions?.trigger !== undefined;
const isDisplay = (display: bigint, total: bigint): boolean =>
  display >= 1n && display < total && total <= display * 100n;
const listOf = (order: Order): number => order.list?.id ?? 0;
const expiryOf = (order: Order): number => order.terms.conditions?.expiresAtMs ?? Infinity;
/** Rounded up to the next unit. */
const feeOn = (amount: bigint, bps: bigint): bigint => (amount * bps + 9_999n) / 10_000n;

function restingNeeds(side: Side, price: bigint, lots: bigint, market: ModelMarket): bigint {
  return side === "buy" ? price * lots * tickOf(market) : lots * lotOf(market);
}

function isAlgorithmicTerms({ conditions }: OrderTerms): boolean {
  return conditions?.trigger !== undefined || conditions?.displayLots !== undefined;
}

/** Waiting for whatever it may be, or an iceberg. */
function isAlgorithmic(order: Order): boolean {
  const isIceberg = order.terms.conditions?.displayLots !== undefined;
  return isIceberg || order.state === "pending" || order.state === "waiting";
}

function roundedUpBps(price: bigint, bps: bigint): bigint {
  return (price * bps + 9_999n) / 10_000n;
}

function capOf(triggerAt: bigint, market: ModelMarket): bigint {
  const { protectionBps } = market.terms;
  const bps = protectionBps === undefined ? DEFAULT_PROTECTION_BPS : BigInt(protectionBps);
  return triggerAt + roundedUpBps(triggerAt, bps);
}

/** For a trailing one from the best price seen so far. */
function triggerPrice(trigger: OrderTrigger, side: Side, best: bigint): bigint {
  if (trigger.kind !== "trailingStop") return BigInt(trigger.triggerTicks);
  const distance = roundedUpBps(best, BigInt(trigger.trailBps));
  return side === "sell" ? best - distance : best + distance;
}

function isReached(trigger: OrderTrigger, side: Side, at: bigint, last: bigint): boolean {
  const isAbove = (side === "buy") === (trigger.kind !== "takeProfit");
  return isAbove ? last >= at : last <= at;
}

/** Nothing, or a limit order that rests and a trigger order of the same side and quantity. */
function isPair(pair: readonly OrderTerms[]): boolean {
  if (pair.length === 0) return true;
  const [limit, trigger] = pair;
  return (
    limit.orderType === "limit" &&
    mayRest(limit) &&
    !isWaiting(limit) &&
    isWaiting(trigger) &&
    limit.side === trigger.side &&
    limit.quantityLots === trigger.quantityLots
  );
}

/** A pending order that is to spend what was received stands on the other side. */
function fitsWorking(working: OrderTerms, pending: readonly OrderTerms[]): boolean {
  return pending.every((terms) => terms.side !== working.side || terms.quantityLots !== 0);
}

function naming(order: Order): { orderId: number; account: number; marketId: number; side: Side } {
  const { account, id: orderId, market, side } = order;
  return { orderId, account, marketId: market.id, side };
}

/** Whether the market's state takes such an order. */
function isLetIn(terms: OrderTerms, market: ModelMarket): boolean {
  if (market.status === "trading") return true;
  const rests = terms.orderType === "limit" && mayRest(terms) && !isWaiting(terms);
  return rests && (market.status === "postOnly" ? terms.postOnly : isGathering(market));
}
