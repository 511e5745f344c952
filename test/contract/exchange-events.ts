/**
 * A made-up course of an exchange as events: consistent in what history relies on (orders end once,
 * trades name both orders, times never fall), without an engine behind it.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { AccountKind, Side } from "#engine/commands.ts";
import type { EventOf, ExchangeEvent, OrderEndStatus } from "#engine/events.ts";

export const ORIGIN_TIME = Date.UTC(2026, 10, 2, 9, 30, 12, 345);
export const USD = 1;
export const BTC = 2;
export const ETH = 3;
export const BTC_USD = 1;
export const ETH_USD = 2;
export const ANNA = 16;
export const BERT = 17;
export const ROBOT = 18;

type Unstamped<E> = E extends ExchangeEvent ? Omit<E, "sequence" | "timestampMs"> : never;

interface ScriptedOrder extends EventOf<"orderPlaced"> {
  readonly remainingLots: number;
}

export class ExchangeScript {
  readonly events: ExchangeEvent[] = [];
  sequence = 0;
  timeMs: number;
  #orderId = 0;
  readonly #tradeIds = new Map<number, number>();
  readonly open = new Map<number, ScriptedOrder>();

  constructor(originTimeMs = ORIGIN_TIME) {
    this.timeMs = originTimeMs;
  }

  /** Coins, markets, plans, Anna and Bert (people) and a simulated participant. */
  begin(): this {
    for (const [assetId, symbol] of [
      [USD, "USD"],
      [BTC, "BTC"],
      [ETH, "ETH"],
    ] as const) {
      this.next({
        type: "coinListed",
        assetId,
        coin: {
          symbol,
          name: symbol,
          kind: "crypto",
          status: "listed",
          scale: 8,
          displayDecimals: 8,
          description: "",
          website: "",
          riskNote: "",
        },
      });
    }
    for (const [marketId, base, baseAssetId] of [
      [BTC_USD, "BTC", BTC],
      [ETH_USD, "ETH", ETH],
    ] as const) {
      this.next({
        type: "marketListed",
        marketId,
        baseAssetId,
        quoteAssetId: USD,
        market: {
          symbol: `${base}-USD`,
          base,
          quote: "USD",
          lotUnits: 1,
          tickLotUnits: 1,
          notionalMin: 1 as Amount,
          quantityLotsMax: 1_000_000 as Lots,
          status: "trading",
          simulated: true,
        },
      });
    }
    for (const [planId, slug, name] of [
      [1, "free", "Free"],
      [2, "pro", "Pro"],
    ] as const) {
      this.next({
        type: "planDefined",
        planId,
        plan: {
          slug,
          name,
          description: "",
          position: planId,
          makerFeeBps: 20,
          takerFeeBps: 25,
          price: "0",
          interval: "none",
          eligibility: "everyone",
          volumeMin: "0",
          openOrdersMax: 100,
          features: [],
        },
      });
    }
    this.#openAccount(ANNA, "person");
    this.#openAccount(BERT, "person");
    this.#openAccount(ROBOT, "participant");
    return this;
  }

  next(event: Unstamped<ExchangeEvent>): void {
    this.sequence += 1;
    this.also(event);
  }

  /** Another event of the same command. */
  also(event: Unstamped<ExchangeEvent>): void {
    this.events.push({ ...event, sequence: this.sequence, timestampMs: this.timeMs });
  }

  takeFunds(account: number, amount: number): void {
    this.next({ type: "practiceFundsTaken", account, assetId: USD, amount: amount as Amount });
  }

  rest(
    account: number,
    marketId: number,
    side: Side,
    price: number,
    lots: number,
    client = "",
  ): number {
    const order = this.#place(account, marketId, side, price, lots, client);
    this.also({
      type: "orderRested",
      orderId: order.orderId,
      account,
      marketId,
      side,
      priceTicks: order.priceTicks,
      remainingLots: order.quantityLots,
      visibleLots: order.quantityLots,
    });
    return order.orderId;
  }

  /** An immediate order against resting ones, each taken as far as it goes. */
  take(account: number, makers: readonly number[], lots: number, client = ""): number {
    const first = this.#order(makers[0]);
    const side: Side = first.side === "buy" ? "sell" : "buy";
    const taker = this.#place(account, first.marketId, side, first.priceTicks, lots, client);
    for (const makerId of makers) {
      const rest = this.#order(taker.orderId).remainingLots;
      if (rest > 0)
        this.#trade(makerId, taker.orderId, Math.min(rest, this.#order(makerId).remainingLots));
    }
    const unfilled = this.#order(taker.orderId).remainingLots;
    this.end(taker.orderId, unfilled === 0 ? "filled" : "expired");
    return taker.orderId;
  }

  cancel(orderId: number): void {
    this.sequence += 1;
    this.end(orderId, "cancelled");
  }

  end(orderId: number, status: OrderEndStatus): void {
    const order = this.#order(orderId);
    this.open.delete(orderId);
    const { account, marketId, side, priceTicks, remainingLots } = order;
    this.also({
      type: "orderEnded",
      orderId,
      account,
      marketId,
      side,
      status,
      reason:
        status === "filled" ? "filled" : status === "cancelled" ? "byOwner" : "immediateOrCancel",
      priceTicks,
      remainingLots: remainingLots as Lots,
      releasedAmount: (side === "buy" ? remainingLots * priceTicks : remainingLots) as Amount,
      wasResting: status === "cancelled",
      visibleLots: (status === "cancelled" ? remainingLots : 0) as Lots,
    });
  }

  #openAccount(account: number, kind: AccountKind): void {
    this.next({ type: "accountOpened", account, userId: `user ${account}`, kind });
  }

  #place(
    account: number,
    marketId: number,
    side: Side,
    price: number,
    lots: number,
    client: string,
  ) {
    this.sequence += 1;
    this.#orderId += 1;
    const placed: Unstamped<EventOf<"orderPlaced">> = {
      type: "orderPlaced",
      orderId: this.#orderId,
      account,
      marketId,
      side,
      orderType: "limit",
      timeInForce: "gtc",
      postOnly: false,
      priceTicks: price as Ticks,
      quantityLots: lots as Lots,
      quoteAmount: 0 as Amount,
      heldAmount: (side === "buy" ? price * lots : lots) as Amount,
      makerFeeBps: 20,
      takerFeeBps: 25,
      feeSource: "plan",
      clientOrderId: client,
    };
    this.also(placed);
    const order = { ...(this.events.at(-1) as EventOf<"orderPlaced">), remainingLots: lots };
    this.open.set(order.orderId, order);
    return order;
  }

  #trade(makerId: number, takerId: number, lots: number): void {
    const maker = this.#order(makerId);
    const taker = this.#order(takerId);
    const tradeId = (this.#tradeIds.get(maker.marketId) ?? 0) + 1;
    this.#tradeIds.set(maker.marketId, tradeId);
    const notional = lots * maker.priceTicks;
    const takerBuys = taker.side === "buy";
    const makerRemainingLots = maker.remainingLots - lots;
    const trade: Unstamped<EventOf<"traded">> = {
      type: "traded",
      marketId: maker.marketId,
      tradeId,
      takerSide: taker.side,
      priceTicks: maker.priceTicks,
      quantityLots: lots as Lots,
      notional: notional as Amount,
      baseAmount: lots as Amount,
      makerOrderId: makerId,
      takerOrderId: takerId,
      makerAccount: maker.account,
      takerAccount: taker.account,
      makerFee: Math.ceil(((takerBuys ? notional : lots) * 20) / 10_000) as Amount,
      takerFee: Math.ceil(((takerBuys ? lots : notional) * 25) / 10_000) as Amount,
      makerRemainingLots: makerRemainingLots as Lots,
      takerReleased: (takerBuys ? lots * (taker.priceTicks - maker.priceTicks) : 0) as Amount,
    };
    this.also(trade);
    this.open.set(takerId, { ...taker, remainingLots: taker.remainingLots - lots });
    this.open.set(makerId, { ...maker, remainingLots: makerRemainingLots });
    if (makerRemainingLots === 0) this.end(makerId, "filled");
  }

  #order(orderId: number): ScriptedOrder {
    const order = this.open.get(orderId);
    if (order === undefined) throw new Error(`the order ${orderId} is not open`);
    return order;
  }
}

/** A course of `commands` random commands, the same for a seed. */
export function randomCourse(seed: number, commands: number): ExchangeEvent[] {
  const script = new ExchangeScript().begin();
  const random = randomOf(seed);
  const accounts = [ANNA, BERT, ROBOT];
  for (let command = 0; command < commands; command += 1) {
    script.timeMs += random(20 * 60_000);
    const account = accounts[random(accounts.length)];
    const kind = random(10);
    const resting = [...script.open.values()];
    if (kind === 0 && account !== ROBOT) script.takeFunds(account, 1_000 + random(100));
    else if (kind === 1) script.next({ type: "commandRejected", reason: "insufficientAvailable" });
    else if (kind === 2 && account !== ROBOT) {
      script.next({ type: "planAssigned", account, planId: 1 + random(2) });
    } else if (kind === 3 && resting.length > 0)
      script.cancel(resting[random(resting.length)].orderId);
    else if (kind < 7 || resting.length === 0) {
      const side = random(2) === 0 ? "buy" : "sell";
      script.rest(account, 1 + random(2), side, 900 + random(200), 1 + random(50), `c${command}`);
    } else {
      const target = resting[random(resting.length)];
      const makers = resting.filter(
        (order) =>
          order.marketId === target.marketId &&
          order.side === target.side &&
          order.priceTicks === target.priceTicks &&
          order.account !== account,
      );
      if (makers.length > 0)
        script.take(
          account,
          makers.map((order) => order.orderId),
          1 + random(80),
        );
      else script.next({ type: "commandRejected", reason: "noLiquidity" });
    }
  }
  return script.events;
}

/** Integers from 0 below a bound, from a linear congruential generator. */
export function randomOf(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** The same event in another place of the journal. */
export function at(event: ExchangeEvent, sequence: number, timestampMs = event.timestampMs) {
  return { ...event, sequence, timestampMs };
}

/** Cut into batches of whole commands. */
export function cutIntoBatches(events: readonly ExchangeEvent[], seed: number): ExchangeEvent[][] {
  const random = randomOf(seed);
  const batches: ExchangeEvent[][] = [];
  let size = 0;
  for (const event of events) {
    const last = batches.at(-1);
    const mayCut = last !== undefined && last.at(-1)?.sequence !== event.sequence;
    if (last === undefined || (mayCut && last.length >= size)) {
      size = random(300);
      batches.push([event]);
    } else last.push(event);
  }
  return batches;
}
