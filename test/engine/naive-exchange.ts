/**
 * An exchange simple enough to be obviously correct: one array of open orders, one map of balances,
 * BigInt arithmetic, no index. It predicts every event of the engine, and shares only the types of
 * commands and events with it.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type {
  Command,
  MarketDefinition,
  PlaceOrder,
  PlanDefinition,
  Side,
} from "#engine/commands.ts";
import type { ExchangeEvent, OrderEndReason, OrderEndStatus } from "#engine/events.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";

const EXACT_MAX = 2n ** 53n - 1n;
const WINDOW_MS = 3 * 86_400_000;
const DAY_MS = 86_400_000;

type Unstamped<E> = E extends ExchangeEvent ? Omit<E, "sequence" | "timestampMs"> : never;
type Outcome = Unstamped<ExchangeEvent>[];

interface NaiveOrder {
  id: number;
  account: number;
  marketId: number;
  side: Side;
  price: bigint;
  remaining: bigint;
  makerFeeBps: number;
}
interface NaiveMarket {
  definition: MarketDefinition;
  base: number;
  quote: number;
  trades: number;
}
interface NaiveAccount {
  userId: string;
  kind: "person" | "participant";
  planId: number;
  practiceDay: number;
}
interface Placed {
  command: PlaceOrder;
  orderId: number;
  sequence: number;
  timestampMs: number;
}

export class NaiveExchange {
  readonly balances = new Map<string, bigint>();
  readonly orders: NaiveOrder[] = [];
  readonly coins: string[] = [];
  readonly markets: NaiveMarket[] = [];
  readonly plans: PlanDefinition[] = [];
  readonly accounts: NaiveAccount[] = [];
  #orderCount = 0;
  #simulated = false;
  readonly #accepted: { key: string; sequence: number; timestampMs: number; orderId: number }[] =
    [];
  readonly #withClientId: Placed[] = [];

  apply(sequence: number, timestampMs: number, key: string, command: Command): ExchangeEvent[] {
    const stamp = (events: Outcome): ExchangeEvent[] =>
      events.map((event) => ({ ...event, sequence, timestampMs }));
    const known = this.#accepted.find(
      (request) => request.key === key && timestampMs < request.timestampMs + WINDOW_MS,
    );
    if (key !== "" && known !== undefined) {
      const { sequence: originalSequence, orderId } = known;
      return stamp([{ type: "requestRepeated", originalSequence, orderId }]);
    }
    const outcome = this.#execute(command, sequence, timestampMs);
    if (typeof outcome === "string") return stamp([{ type: "commandRejected", reason: outcome }]);
    const first = outcome[0];
    if (first?.type !== "requestRepeated" && key !== "") {
      const orderId = first?.type === "orderPlaced" ? first.orderId : 0;
      this.#accepted.push({ key, sequence, timestampMs, orderId });
    }
    return stamp(outcome);
  }

  balance(account: number, asset: number, kind: "available" | "held"): bigint {
    return this.balances.get(`${account}/${asset}/${kind}`) ?? 0n;
  }

  /** Resting orders of a side in the order in which they trade: best price first, then oldest first. */
  queue(marketId: number, side: Side): NaiveOrder[] {
    const sign = side === "sell" ? 1 : -1;
    return this.orders
      .filter((order) => order.marketId === marketId && order.side === side)
      .toSorted((a, b) => sign * Number(a.price - b.price) || a.id - b.id);
  }

  #add(account: number, asset: number, kind: "available" | "held", amount: bigint): void {
    this.balances.set(`${account}/${asset}/${kind}`, this.balance(account, asset, kind) + amount);
  }

  #execute(command: Command, sequence: number, now: number): Outcome | RejectReason {
    switch (command.type) {
      case "listCoin":
        if (this.coins.includes(command.coin.symbol)) return "duplicateSymbol";
        this.coins.push(command.coin.symbol);
        return [{ type: "coinListed", assetId: this.coins.length, coin: command.coin }];
      case "listMarket": {
        const { market } = command;
        const baseAssetId = this.coins.indexOf(market.base) + 1;
        const quoteAssetId = this.coins.indexOf(market.quote) + 1;
        if (baseAssetId === 0 || quoteAssetId === 0) return "unknownAsset";
        if (this.markets.some(({ definition }) => definition.symbol === market.symbol)) {
          return "duplicateSymbol";
        }
        this.markets.push({
          definition: market,
          base: baseAssetId,
          quote: quoteAssetId,
          trades: 0,
        });
        const marketId = this.markets.length;
        return [{ type: "marketListed", marketId, baseAssetId, quoteAssetId, market }];
      }
      case "definePlan":
        if (this.plans.some(({ slug }) => slug === command.plan.slug)) return "duplicateSymbol";
        this.plans.push(command.plan);
        return [{ type: "planDefined", planId: this.plans.length, plan: command.plan }];
      case "openAccount": {
        const { userId, kind } = command;
        if (this.accounts.some((account) => account.userId === userId)) return "duplicateAccount";
        if (this.plans.length === 0) return "unknownPlan";
        const account = 16 + this.accounts.push({ userId, kind, planId: 1, practiceDay: -1 }) - 1;
        return [
          { type: "accountOpened", account, userId, kind },
          { type: "planAssigned", account, planId: 1 },
        ];
      }
      case "assignPlan": {
        const account = this.accounts[command.account - 16];
        if (account === undefined) return "unknownAccount";
        if (this.plans[command.planId - 1] === undefined) return "unknownPlan";
        account.planId = command.planId;
        return [{ type: "planAssigned", account: command.account, planId: command.planId }];
      }
      case "takePracticeFunds":
      case "fundParticipant":
        return this.#fund(command, Math.floor(now / DAY_MS));
      case "adoptRules":
        return [{ ...command, type: "rulesAdopted" }];
      case "startSimulation":
        if (this.#simulated) return "simulationAlreadyStarted";
        this.#simulated = true;
        return [{ type: "simulationStarted", seed: command.seed }];
      case "cancelOrder": {
        if (this.accounts[command.account - 16] === undefined) return "unknownAccount";
        const order = this.orders.find(({ id }) => id === command.orderId);
        if (order?.account !== command.account) return "unknownOrder";
        return this.#cancel(order);
      }
      case "cancelAllOrders": {
        const { account, marketId } = command;
        if (this.accounts[account - 16] === undefined) return "unknownAccount";
        if (marketId !== 0 && this.markets[marketId - 1] === undefined) return "unknownMarket";
        const orders = this.orders
          .filter((order) => order.account === account)
          .filter((order) => marketId === 0 || order.marketId === marketId);
        return orders.length === 0
          ? "unknownOrder"
          : orders.flatMap((order) => this.#cancel(order));
      }
      case "placeOrder":
        return this.#place(command, sequence, now);
      default:
        throw new Error(`the model knows no ${command.type}`);
    }
  }

  #fund(
    command: Extract<Command, { type: "takePracticeFunds" | "fundParticipant" }>,
    day: number,
  ): Outcome | RejectReason {
    const { account, assetId, amount } = command;
    const isPractice = command.type === "takePracticeFunds";
    const given = [{ assetId, amount }, ...((isPractice && command.otherCoins) || [])];
    if (given.length > 1 + this.coins.length) return "invalidCommand";
    const owner = this.accounts[account - 16];
    if (owner === undefined) return "unknownAccount";
    for (const coin of given) {
      if (this.coins[coin.assetId - 1] === undefined) return "unknownAsset";
      if (!Number.isSafeInteger(coin.amount) || coin.amount < 1) return "invalidAmount";
    }
    if (given.some((coin, at) => given.slice(0, at).some((it) => it.assetId === coin.assetId)))
      return "invalidCommand";
    if (isPractice && owner.kind !== "person") return "invalidCommand";
    if (!isPractice && owner.kind !== "participant") return "notAParticipant";
    if (isPractice && owner.practiceDay === day) return "practiceFundsTakenToday";
    for (const coin of given) {
      const supply = -this.balance(1, coin.assetId, "available");
      if (supply + BigInt(coin.amount) > EXACT_MAX) return "supplyExceeded";
    }
    if (isPractice) owner.practiceDay = day;
    const type = isPractice ? "practiceFundsTaken" : "participantFunded";
    return given.map((coin) => {
      this.#add(1, coin.assetId, "available", -BigInt(coin.amount));
      this.#add(account, coin.assetId, "available", BigInt(coin.amount));
      return { type, account, assetId: coin.assetId, amount: coin.amount };
    });
  }

  #cancel(order: NaiveOrder): Outcome {
    const market = this.markets[order.marketId - 1];
    const released = holdOf(market, order.side, order.price, order.remaining);
    const asset = order.side === "buy" ? market.quote : market.base;
    this.#add(order.account, asset, "held", -released);
    this.#add(order.account, asset, "available", released);
    this.orders.splice(this.orders.indexOf(order), 1);
    return [ended(order, "cancelled", "byOwner", released, true)];
  }

  #place(command: PlaceOrder, sequence: number, now: number): Outcome | RejectReason {
    if (!/^[A-Za-z0-9._:/-]{0,36}$/.test(command.clientOrderId)) return "invalidCommand";
    const owner = this.accounts[command.account - 16];
    if (owner === undefined) return "unknownAccount";
    const same = this.#withClientId.find(
      (placed) =>
        placed.command.account === command.account &&
        placed.command.clientOrderId === command.clientOrderId &&
        (now < placed.timestampMs + WINDOW_MS ||
          this.orders.some(({ id }) => id === placed.orderId)),
    );
    if (same !== undefined) {
      if (JSON.stringify(same.command) !== JSON.stringify(command)) return "duplicateClientOrderId";
      const { sequence: originalSequence, orderId } = same;
      return [{ type: "requestRepeated", originalSequence, orderId }];
    }
    const market = this.markets[command.marketId - 1];
    if (market === undefined) return "unknownMarket";
    if (market.definition.status !== "trading") return "marketNotTrading";
    const badTerms =
      command.orderType === "limit" ? badLimit(command, market) : badMarket(command, market);
    if (badTerms !== undefined) return badTerms;
    const plan = this.plans[owner.planId - 1];
    if (command.orderType === "limit" && command.timeInForce === "gtc") {
      const open = this.orders.filter(({ account }) => account === command.account).length;
      if (open >= plan.openOrdersMax) return "tooManyOpenOrders";
    }
    const held = this.#hold(command, market);
    if (typeof held === "string") return held;
    const spent = command.side === "buy" ? market.quote : market.base;
    if (this.balance(command.account, spent, "available") < held) return "insufficientAvailable";

    const orderId = ++this.#orderCount;
    this.#add(command.account, spent, "available", -held);
    this.#add(command.account, spent, "held", held);
    if (command.clientOrderId !== "") {
      this.#withClientId.push({ command: { ...command }, orderId, sequence, timestampMs: now });
    }
    const { type: _type, ...terms } = command;
    const placed: Outcome = [
      {
        type: "orderPlaced",
        orderId,
        ...terms,
        heldAmount: Number(held) as Amount,
        makerFeeBps: plan.makerFeeBps,
        takerFeeBps: plan.takerFeeBps,
        feeSource: "plan",
      },
    ];
    return [...placed, ...this.#trade(command, orderId, market, plan, held)];
  }

  /** The amount that the order must hold, or why it is refused. */
  #hold(command: PlaceOrder, market: NaiveMarket): bigint | RejectReason {
    const { side, priceTicks, quantityLots, quoteAmount } = command;
    const opposite = this.queue(command.marketId, side === "buy" ? "sell" : "buy");
    const lotCost = (order: NaiveOrder) => order.price * BigInt(market.definition.tickLotUnits);
    if (command.orderType === "limit") {
      const price = BigInt(priceTicks);
      const crossing = opposite.filter((order) =>
        side === "buy" ? order.price <= price : order.price >= price,
      );
      if (command.postOnly && crossing.length > 0) return "wouldCross";
      if (command.timeInForce === "fok") {
        const own = crossing.findIndex(({ account }) => account === command.account);
        const reachable = own < 0 ? crossing : crossing.slice(0, own);
        const lots = reachable.reduce((sum, order) => sum + order.remaining, 0n);
        if (lots < BigInt(quantityLots)) return "wouldNotFill";
      }
      return holdOf(market, side, price, BigInt(quantityLots));
    }
    const best = opposite[0];
    if (best === undefined) return "noLiquidity";
    if (quantityLots === 0 && lotCost(best) > BigInt(quoteAmount)) return "notionalTooSmall";
    if (lotCost(best) * BigInt(quantityLots) < BigInt(market.definition.notionalMin)) {
      if (quantityLots !== 0) return "notionalTooSmall";
    }
    // The notional counts the full quantity at the best price, whatever the depth of the book.
    if (lotCost(best) * BigInt(quantityLots) > EXACT_MAX) return "notionalTooLarge";
    if (side === "buy" && quantityLots === 0) return BigInt(quoteAmount);
    if (side === "buy") {
      let left = BigInt(quantityLots);
      let cost = 0n;
      for (const order of opposite) {
        const lots = order.remaining < left ? order.remaining : left;
        cost += lots * lotCost(order);
        left -= lots;
      }
      return cost > EXACT_MAX ? "notionalTooLarge" : cost;
    }
    if (quantityLots !== 0) return BigInt(quantityLots) * BigInt(market.definition.lotUnits);
    let left = BigInt(quoteAmount);
    let sold = 0n;
    for (const order of opposite) {
      const affordable = left / lotCost(order);
      const lots = order.remaining < affordable ? order.remaining : affordable;
      sold += lots;
      left -= lots * lotCost(order);
      if (lots < order.remaining) break;
    }
    return sold * BigInt(market.definition.lotUnits);
  }

  #trade(
    command: PlaceOrder,
    orderId: number,
    market: NaiveMarket,
    plan: PlanDefinition,
    held: bigint,
  ): Outcome {
    const { account, marketId, side } = command;
    const events: Outcome = [];
    const isLimit = command.orderType === "limit";
    const isByQuote = !isLimit && command.quantityLots === 0;
    const limit = BigInt(command.priceTicks);
    const tickLotUnits = BigInt(market.definition.tickLotUnits);
    const spent = side === "buy" ? market.quote : market.base;
    let remaining = BigInt(command.quantityLots);
    let quoteLeft = BigInt(command.quoteAmount);
    let heldLeft = held;
    let isDone = false;
    let metItself = false;
    for (const maker of this.queue(marketId, side === "buy" ? "sell" : "buy")) {
      if (isLimit && (side === "buy" ? maker.price > limit : maker.price < limit)) break;
      const affordable = quoteLeft / (maker.price * tickLotUnits);
      const wanted = isByQuote ? affordable : remaining;
      isDone = wanted === 0n;
      if (isDone) break;
      metItself = maker.account === account;
      if (metItself) {
        events.push({
          type: "selfTradePrevented",
          account,
          marketId,
          matchId: orderId,
          takerSide: side,
          takerOrderId: orderId,
          makerOrderId: maker.id,
          mode: "expireTaker",
          priceTicks: Number(maker.price) as Ticks,
          takerLots: Number(isByQuote ? 0n : remaining) as Lots,
          makerLots: 0 as Lots,
        });
        break;
      }
      const lots = wanted < maker.remaining ? wanted : maker.remaining;
      const notional = lots * maker.price * tickLotUnits;
      const base = lots * BigInt(market.definition.lotUnits);
      const [buyer, seller] = side === "buy" ? [account, maker.account] : [maker.account, account];
      const takerReleased = isLimit && side === "buy" ? lots * limit * tickLotUnits - notional : 0n;
      const makerFee = fee(side === "buy" ? notional : base, maker.makerFeeBps);
      const takerFee = fee(side === "buy" ? base : notional, plan.takerFeeBps);
      this.#add(buyer, market.quote, "held", -notional);
      this.#add(seller, market.quote, "available", notional);
      this.#add(seller, market.base, "held", -base);
      this.#add(buyer, market.base, "available", base);
      const [makerReceives, takerReceives] =
        side === "buy" ? [market.quote, market.base] : [market.base, market.quote];
      this.#add(maker.account, makerReceives, "available", -makerFee);
      this.#add(2, makerReceives, "available", makerFee);
      this.#add(account, takerReceives, "available", -takerFee);
      this.#add(2, takerReceives, "available", takerFee);
      this.#add(account, spent, "held", -takerReleased);
      this.#add(account, spent, "available", takerReleased);
      maker.remaining -= lots;
      remaining -= lots;
      quoteLeft -= notional;
      heldLeft -= side === "buy" ? notional + takerReleased : base;
      events.push({
        type: "traded",
        marketId,
        tradeId: ++market.trades,
        takerSide: side,
        priceTicks: Number(maker.price) as Ticks,
        quantityLots: Number(lots) as Lots,
        notional: Number(notional) as Amount,
        baseAmount: Number(base) as Amount,
        makerOrderId: maker.id,
        takerOrderId: orderId,
        makerAccount: maker.account,
        takerAccount: account,
        makerFee: Number(makerFee) as Amount,
        takerFee: Number(takerFee) as Amount,
        makerRemainingLots: Number(maker.remaining) as Lots,
        takerReleased: Number(takerReleased) as Amount,
      });
      // If the maker has quantity left, the taker wants no more or cannot pay for more.
      isDone = maker.remaining > 0n;
      if (isDone) break;
      this.orders.splice(this.orders.indexOf(maker), 1);
      events.push(ended(maker, "filled", "filled", 0n, true));
    }
    isDone ||= isByQuote ? quoteLeft === 0n : remaining === 0n;
    const order: NaiveOrder = {
      id: orderId,
      account,
      marketId,
      side,
      price: limit,
      remaining: isByQuote ? 0n : remaining,
      makerFeeBps: plan.makerFeeBps,
    };
    if (!isDone && command.timeInForce === "gtc" && !metItself) {
      this.orders.push(order);
      events.push({
        type: "orderRested",
        orderId,
        account,
        marketId,
        side,
        priceTicks: command.priceTicks,
        remainingLots: Number(remaining) as Lots,
        visibleLots: Number(remaining) as Lots,
      });
      return events;
    }
    this.#add(account, spent, "held", -heldLeft);
    this.#add(account, spent, "available", heldLeft);
    const why = metItself ? "selfTrade" : isLimit ? "immediateOrCancel" : "bookExhausted";
    events.push(
      isDone
        ? ended(order, "filled", "filled", heldLeft, false)
        : ended(order, "expired", why, heldLeft, false),
    );
    return events;
  }
}

function holdOf(market: NaiveMarket, side: Side, price: bigint, lots: bigint): bigint {
  return side === "buy"
    ? price * lots * BigInt(market.definition.tickLotUnits)
    : lots * BigInt(market.definition.lotUnits);
}

/** The fee, rounded up to the next unit. */
function fee(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps) + 9_999n) / 10_000n;
}

function ended(
  order: NaiveOrder,
  status: OrderEndStatus,
  reason: OrderEndReason,
  released: bigint,
  wasResting: boolean,
): Outcome[number] {
  return {
    type: "orderEnded",
    orderId: order.id,
    account: order.account,
    marketId: order.marketId,
    side: order.side,
    status,
    reason,
    priceTicks: Number(order.price) as Ticks,
    remainingLots: Number(order.remaining) as Lots,
    releasedAmount: Number(released) as Amount,
    wasResting,
    visibleLots: (wasResting ? Number(order.remaining) : 0) as Lots,
  };
}

const isPositive = (value: number) => Number.isSafeInteger(value) && value > 0;

function badLimit(command: PlaceOrder, { definition }: NaiveMarket): RejectReason | undefined {
  if (command.postOnly && command.timeInForce !== "gtc") return "invalidTimeInForce";
  if (!isPositive(command.priceTicks)) return "invalidPrice";
  if (!isPositive(command.quantityLots)) return "invalidQuantity";
  if (command.quoteAmount !== 0) return "invalidAmount";
  if (command.quantityLots > definition.quantityLotsMax) return "quantityTooLarge";
  const notional =
    BigInt(command.priceTicks) * BigInt(command.quantityLots) * BigInt(definition.tickLotUnits);
  if (notional > EXACT_MAX) return "notionalTooLarge";
  return notional < BigInt(definition.notionalMin) ? "notionalTooSmall" : undefined;
}

function badMarket(command: PlaceOrder, { definition }: NaiveMarket): RejectReason | undefined {
  if (command.timeInForce !== "ioc" || command.postOnly) return "invalidTimeInForce";
  if (command.priceTicks !== 0) return "invalidPrice";
  if (command.quantityLots === 0) {
    if (!isPositive(command.quoteAmount)) return "invalidAmount";
    return command.quoteAmount < definition.notionalMin ? "notionalTooSmall" : undefined;
  }
  if (!isPositive(command.quantityLots)) return "invalidQuantity";
  if (command.quoteAmount !== 0) return "invalidAmount";
  return command.quantityLots > definition.quantityLotsMax ? "quantityTooLarge" : undefined;
}
