/**
 * Commands of a long run of the exchange, drawn from a seed: mostly orders of every type around
 * random-walk prices and changes of earlier orders; more rarely, all other commands of owners and
 * administrators. About one in a hundred is malformed.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type {
  Command,
  CommandOf,
  MarketDefinition,
  MarketStatus,
  OrderConditions,
  OrderTerms,
  OrderTrigger,
  PlaceOrder,
  PlanDefinition,
  Side,
  TimeInForce,
} from "#engine/commands.ts";
import type { Engine } from "#engine/engine.ts";
import { coin, market, plan } from "./commands.ts";

const FIRST_ACCOUNT = 16;
const PARTICIPANTS = 56;
const PERSONS = 4;
const ACCOUNTS = PARTICIPANTS + PERSONS;
/** Markets of the opening; markets listed later have almost no orders. */
const MARKETS = 4;
const MARKETS_MAX = 10;
const DAY_MS = 86_400_000;
/** A limit of work that no command of these runs reaches. */
export const PLENTY = 1_000_000;
/** Number of recent orders and commands that are reused as targets and repeats. */
const SEEN_MAX = 256;
/** More trailing stops than a market allows, by one account whose plan allows them. */
const CROWD = 1_030;
const CROWD_EVERY = 150_000;
const CROWD_PLAN = 7;

/** An amendment of neither price nor quantity. */
const UNSIZED = { priceTicks: 0 as Ticks, quantityLots: 0 as Lots };
const TIME_LIMITS_MS: readonly number[] = [-1, 0, 30_000, 10 * DAY_MS];

const BREAKER = { bps: 400, windowMs: 60_000, haltMs: 5_000, auctionMs: 10_000 };
const GRAINS: readonly Partial<MarketDefinition>[] = [
  { breaker: BREAKER, referenceTicks: 1000 as Ticks },
  { lotUnits: 1, tickLotUnits: 1, notionalMin: 500 as Amount, priceBandBps: 300 },
  { selfTradePrevention: "expireMaker", protectionBps: 1000 },
  {
    selfTradePrevention: "decrement",
    lotUnits: 100,
    tickLotUnits: 1,
    notionalMax: 400_000 as Amount,
    feeOverride: { makerFeeBps: 3, takerFeeBps: 7 },
  },
];

const ROOM = { openOrdersMax: 100, algoOrdersMax: 40 };
const PLANS: readonly PlanDefinition[] = [
  plan("free", {
    ...ROOM,
    currency: "USD",
    volumeLadder: [
      { volumeMin: "10", makerFeeBps: 12, takerFeeBps: 18 },
      { volumeMin: "100", makerFeeBps: 0, takerFeeBps: 10_000 },
    ],
  }),
  plan("earned", { ...ROOM, currency: "USD", eligibility: "volume", volumeMin: "500" }),
  plan("paid", {
    ...ROOM,
    currency: "USD",
    eligibility: "paid",
    interval: "month",
    price: "1.5",
    notionalMax: "5",
  }),
  plan("dear", { ...ROOM, currency: "USD", eligibility: "paid", interval: "month", price: "9" }),
  plan("small", { openOrdersMax: 8, algoOrdersMax: 2 }),
  plan("given", { ...ROOM, eligibility: "assigned", makerFeeBps: 0, takerFeeBps: 1 }),
  plan("crowd", { eligibility: "assigned", openOrdersMax: 5_000 }),
];

/**
 * Coins, markets with different tick and lot sizes, plans of every kind, accounts with money, some with
 * the quote currency only.
 */
export function enduranceOpening(): Command[] {
  const bases = ["AAA", "BBB", "CCC", "DDD"];
  return [
    { type: "listCoin", coin: coin("USD", 6) },
    ...bases.map((symbol): Command => ({ type: "listCoin", coin: coin(symbol, 8) })),
    ...bases.map((base, index): Command => ({
      type: "listMarket",
      market: market(base, GRAINS[index]),
    })),
    ...PLANS.map((definition): Command => ({ type: "definePlan", plan: definition })),
    ...Array.from({ length: ACCOUNTS }, (_, index): Command[] => {
      const account = FIRST_ACCOUNT + index;
      const isPerson = index >= PARTICIPANTS;
      return [
        { type: "openAccount", userId: `user ${index}`, kind: isPerson ? "person" : "participant" },
        ...(isPerson || index % 4 === 0 ? [1] : [1, 2, 3, 4, 5]).map((assetId): Command => ({
          type: isPerson ? "takePracticeFunds" : "fundParticipant",
          account,
          assetId,
          amount: (assetId === 1 ? 2e12 : 2e10) as Amount,
        })),
      ];
    }).flat(),
  ];
}

/** A command with the idempotency key it is sent with. */
export interface Drawn {
  readonly command: Command;
  readonly idempotencyKey: string;
}

export class CommandSource {
  readonly #random: () => number;
  readonly #middles = new Float64Array(MARKETS_MAX + 1).fill(1000);
  readonly #seenOrders = new Float64Array(SEEN_MAX);
  readonly #seenAccounts = new Float64Array(SEEN_MAX);
  readonly #named: Drawn[] = [];
  #seenCount = 0;
  #namedCount = 0;
  #drawnCount = 0;
  #listedCount = 0;
  #crowdLeft = 0;
  #nowMs = 0;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Records a placed order as a target for later commands. */
  sawOrder(orderId: number, account: number): void {
    const at = this.#seenCount++ % SEEN_MAX;
    this.#seenOrders[at] = orderId;
    this.#seenAccounts[at] = account;
  }

  next(engine: Engine, nowMs: number): Drawn {
    this.#nowMs = nowMs;
    this.#drawnCount++;
    if (this.#drawnCount % CROWD_EVERY === 0) this.#crowdLeft = CROWD + 2;
    if (this.#crowdLeft > 0) return { command: this.#crowd(), idempotencyKey: "" };
    if (this.#namedCount > 0 && this.#random() < 0.005) {
      return this.#named[this.#below(Math.min(this.#namedCount, SEEN_MAX))];
    }
    const command = this.#timeLimited(this.#command(engine));
    const hasKey = this.#random() < 0.01;
    const drawn = { command, idempotencyKey: hasKey ? `key ${this.#below(1e9)}` : "" };
    const hasName = command.type === "placeOrder" && command.clientOrderId !== "";
    if (hasKey || hasName) this.#named[this.#namedCount++ % SEEN_MAX] = drawn;
    return drawn;
  }

  /** Sometimes adds a time limit to an order: past, just reached, in the future, or too far away. */
  #timeLimited(command: Command): Command {
    if (command.type !== "placeOrder" || this.#drawnCount % 61 !== 0) return command;
    const aheadMs = TIME_LIMITS_MS[(this.#drawnCount / 61) % TIME_LIMITS_MS.length];
    return { ...command, validUntilMs: this.#nowMs + aheadMs };
  }

  #command(engine: Engine): Command {
    const account = FIRST_ACCOUNT + this.#below(ACCOUNTS);
    const marketId = this.#market();
    const draw = this.#random();
    if (draw < 0.6) return this.#order(account, marketId);
    if (draw < 0.74) return { type: "cancelOrder", ...this.#target(account) };
    if (draw < 0.83) {
      const priceTicks = (this.#random() < 0.5 ? 0 : this.#price(marketId)) as Ticks;
      const quantityLots = (this.#random() < 0.3 ? 0 : this.#lots()) as Lots;
      const asked = { ...this.#target(account), priceTicks, quantityLots };
      return { type: "amendOrder", ...asked, ...this.#amendsWaiting(marketId) };
    }
    if (draw < 0.89) {
      const mode = this.#random() < 0.5 ? "stopOnFailure" : "allowFailure";
      const order = this.#terms(account, marketId);
      return { type: "replaceOrder", ...this.#target(account), mode, marketId, order };
    }
    if (draw < 0.95) return this.#list(account, marketId);
    if (draw < 0.96) {
      const side = this.#pick<Side | undefined>(["buy", "sell", undefined]);
      return { type: "cancelAllOrders", account, marketId: this.#pick([0, marketId]), side };
    }
    if (draw < 0.965) {
      const delayMs = this.#pick([0, 999, this.#below(100_000), DAY_MS]);
      return { type: "setCancelTimer", account, marketId: this.#pick([0, marketId]), delayMs };
    }
    if (draw < 0.9678) return { type: "advanceTime" };
    if (draw < 0.9679) return this.#limitBalances(engine, account);
    if (draw < 0.96795) {
      const [spentOrdersStop, pendingTakePlaces] = [0, 1].map(() => this.#pick([true, false]));
      return { type: "adoptRules", spentOrdersStop, pendingTakePlaces };
    }
    if (draw < 0.968) {
      const ordersMax = this.#pick([1, 20, PLENTY]);
      const levelsMax = this.#pick([1, 3, PLENTY]);
      return { type: "limitWork", ordersMax, levelsMax, marketsInParts: this.#pick([true, false]) };
    }
    if (draw < 0.982) return this.#changeMarket(engine, marketId);
    if (draw < 0.995) return this.#house(engine, account);
    return this.#catalogue();
  }

  /** Sets a balance limit close to the account's balance of the quote currency, or the largest one. */
  #limitBalances(engine: Engine, account: number): Command {
    const { available, held } = engine.read.balance(account, 1);
    const unitsMax = this.#pick([available + held + 1_000_000, 2 ** 53 - 1, 2 ** 53 - 1]);
    return { type: "limitBalances", unitsMax: unitsMax as Amount };
  }

  /** Usually one of the busy markets, sometimes a quiet or unknown one. */
  #market(): number {
    const draw = this.#random();
    if (draw < 0.97) return 1 + this.#below(MARKETS);
    return draw < 0.99 ? 1 + this.#below(MARKETS + this.#listedCount) : 99;
  }

  /** One account places trailing stops up to the market's maximum, then cancels them. */
  #crowd(): Command {
    const account = FIRST_ACCOUNT;
    const left = --this.#crowdLeft;
    if (left === CROWD + 1) return { type: "assignPlan", account, planId: CROWD_PLAN };
    if (left === 0) return { type: "cancelAllOrders", account, marketId: 0 };
    return {
      type: "placeOrder",
      account,
      marketId: 3,
      ...limit("sell", 1000 as Ticks, 1),
      conditions: { trigger: { kind: "trailingStop", trailBps: 9_000 } },
    };
  }

  /** Changes a market's state or definition. A market that does not trade is soon reopened. */
  #changeMarket(engine: Engine, marketId: number): Command {
    const isThere = marketId <= engine.read.marketCount;
    if (isThere && this.#random() < 0.1) {
      const { referenceTicks: _, ...grain } = GRAINS[marketId - 1] ?? {};
      const changed = {
        ...grain,
        protectionBps: this.#pick([undefined, 100, 1000, 3000]),
        priceBandBps: this.#pick([undefined, 200, 500, 0]),
        passiveBandBps: this.#pick([undefined, undefined, 600, 15_000]),
      };
      const definition = market(SYMBOLS[marketId - 1] ?? "AAA", changed);
      return { type: "updateMarket", marketId, market: definition };
    }
    const isTrading = isThere && engine.read.marketState(marketId).status === "trading";
    const others: readonly MarketStatus[] = isTrading
      ? ["auction", "auction", "auction", "preOpen", "postOnly", "cancelOnly", "halted", "closed"]
      : ["trading", "trading", "trading", "trading", "trading", "trading", "auction", "postOnly"];
    if (isTrading && this.#random() < 0.85) return { type: "advanceTime" };
    return {
      type: "setMarketStatus",
      marketId,
      status: this.#pick(others),
      forMs: this.#random() < 0.5 ? 0 : this.#below(5_000),
      byAdmin: this.#random() < 0.01 ? "" : "olga",
      reason: "because",
    };
  }

  /** A command about plans, adjustments, freezes or money. */
  #house(engine: Engine, account: number): Command {
    const draw = this.#random();
    const planId = 1 + this.#below(CROWD_PLAN);
    const admin = this.#pick(["olga", "paul"]);
    const assetId = 1 + this.#below(7);
    const adjustmentId = 1 + this.#below(50 + this.#drawnCount / 3_000);
    if (draw < 0.2) return { type: "choosePlan", account, planId };
    if (draw < 0.35) return { type: "assignPlan", account, planId: this.#pick([planId, 1, 99]) };
    if (draw < 0.5) {
      const amount = this.#pick([1, 500_000, -1, -1_500_000, -5e13, 0, 2 ** 53 - 1]);
      const terms = { account, assetId, amount, reason: "because", proposedBy: admin };
      return { type: "proposeAdjustment", ...terms };
    }
    if (draw < 0.68) return { type: "approveAdjustment", adjustmentId, approvedBy: admin };
    if (draw < 0.72) return { type: "rejectAdjustment", adjustmentId, rejectedBy: admin };
    if (draw < 0.85) {
      // Most frozen accounts are soon unfrozen.
      const isFrozen = engine.read.account(account)?.isFrozen === false && this.#random() < 0.06;
      const cancelsOrders = isFrozen && this.#random() < 0.5;
      const why = { byAdmin: admin, reason: this.#pick(["because", "because", " "]) };
      return { type: "setAccountFreeze", account, isFrozen, cancelsOrders, ...why };
    }
    const amount = this.#pick([1, 1_000_000, 1_000_000_000, 0, 2 ** 53 - 1]) as Amount;
    if (draw < 0.95) return { type: "fundParticipant", account, assetId, amount };
    const person = FIRST_ACCOUNT + PARTICIPANTS + this.#below(PERSONS);
    return { type: "takePracticeFunds", account: person, assetId, amount };
  }

  /** Mostly repeats existing names; sometimes lists another quiet market. */
  #catalogue(): Command {
    const draw = this.#random();
    const base = `Q${this.#listedCount}`;
    if (draw < 0.002 && MARKETS + this.#listedCount < MARKETS_MAX) {
      return { type: "listCoin", coin: coin(base, 8) };
    }
    if (draw < 0.01 && MARKETS + this.#listedCount < MARKETS_MAX) {
      this.#listedCount++;
      return { type: "listMarket", market: market(base, GRAINS[2]) };
    }
    if (draw < 0.2) return { type: "listCoin", coin: coin("USD", 6) };
    if (draw < 0.4) return { type: "listMarket", market: market("AAA") };
    if (draw < 0.6) return { type: "definePlan", plan: PLANS[this.#below(CROWD_PLAN)] };
    if (draw < 0.8) {
      const planId = 1 + this.#below(CROWD_PLAN);
      const makerFeeBps = this.#pick([0, 5, 20, 10_001]);
      const price = this.#pick(["0", "1.5", "3", "0.0000001"]);
      const definition = { ...PLANS[planId - 1], makerFeeBps, price };
      return { type: "updatePlan", planId, plan: definition };
    }
    if (draw < 0.9) return { type: "startSimulation", seed: 7 };
    return { type: "openAccount", userId: "user 1", kind: "participant" };
  }

  #order(account: number, marketId: number): PlaceOrder {
    const owner = this.#random() < 0.002 ? 9_999 : account;
    const order = this.#terms(owner, marketId);
    return this.#random() < 0.01 ? this.#malformed(order) : order;
  }

  #malformed(order: PlaceOrder): PlaceOrder {
    const trigger = { kind: "trailingStop", trailBps: 10_000 } as const;
    const wrong: readonly Partial<PlaceOrder>[] = [
      { priceTicks: 0.5 as Ticks },
      { quantityLots: -1 as Lots },
      { quantityLots: 2_000_000 as Lots, quoteAmount: 0 as Amount },
      { quoteAmount: 1.5 as Amount },
      { timeInForce: "gtd", conditions: undefined },
      { timeInForce: "ioc", postOnly: true },
      { conditions: { ...order.conditions, displayLots: 0 as Lots } },
      { conditions: { trigger } },
      { clientOrderId: "white space" },
      { priceTicks: 1e14 as Ticks, orderType: "limit" },
      { priceTicks: 1 as Ticks, quantityLots: 1 as Lots },
    ];
    return { ...order, ...wrong[this.#below(wrong.length)] };
  }

  /** A recent order, with its owner or sometimes another account. */
  #target(account: number): { account: number; orderId: number } {
    const count = Math.min(this.#seenCount, SEEN_MAX);
    if (count === 0) return { account, orderId: 1 };
    const age = this.#below(this.#random() < 0.6 ? Math.min(24, count) : count);
    const at = (this.#seenCount - 1 - age) % SEEN_MAX;
    const owner = this.#random() < 0.05 ? account : this.#seenAccounts[at];
    return { account: owner, orderId: this.#seenOrders[at] };
  }

  /** The same object for all calls, because millions of orders are drawn. */
  #terms(account: number, marketId: number): PlaceOrder {
    const side = this.#side();
    const conditions = this.#random() < 0.3 ? this.#conditions(marketId) : undefined;
    const clientOrderId = this.#random() < 0.03 ? `c${this.#below(2_000)}` : "";
    const isMarket = this.#random() < 0.12;
    const isByTotal = isMarket && this.#random() < 0.4;
    const lots = this.#lots();
    return {
      type: "placeOrder",
      account,
      marketId,
      side,
      orderType: isMarket ? "market" : "limit",
      timeInForce: isMarket ? "ioc" : this.#timeInForce(conditions),
      postOnly: !isMarket && this.#random() < 0.1,
      priceTicks: isMarket ? (0 as Ticks) : this.#price(marketId, side),
      quantityLots: (isByTotal ? 0 : lots) as Lots,
      quoteAmount: (isByTotal ? lots * 20_000 : 0) as Amount,
      clientOrderId,
      conditions: isMarket && conditions !== undefined ? atMarket(conditions) : conditions,
    };
  }

  #timeInForce(conditions: OrderConditions | undefined): TimeInForce {
    if (conditions?.expiresAtMs !== undefined) return "gtd";
    const draw = this.#random();
    return draw < 0.8 ? "gtc" : draw < 0.93 ? "ioc" : "fok";
  }

  #conditions(marketId: number): OrderConditions {
    const draw = this.#random();
    return {
      selfTradePrevention: this.#random() < 0.5 ? this.#pick(MODES) : undefined,
      displayLots: draw < 0.25 ? ((1 + this.#below(20)) as Lots) : undefined,
      expiresAtMs: draw > 0.8 ? this.#nowMs + this.#below(20_000_000) : undefined,
      trigger: draw > 0.2 && draw < 0.7 ? this.#trigger(marketId) : undefined,
    };
  }

  #trigger(marketId: number): OrderTrigger {
    const draw = this.#random();
    if (draw < 0.3) return { kind: "trailingStop", trailBps: 1 + this.#below(300) };
    return { kind: draw < 0.7 ? "stop" : "takeProfit", triggerTicks: this.#price(marketId) };
  }

  #list(account: number, marketId: number): Command {
    const side = this.#side();
    const other = side === "buy" ? "sell" : "buy";
    const lots = this.#lots();
    const draw = this.#random();
    // The full proceeds, more than the account can own by then, or the working order's quantity.
    const pending = draw < 0.5 ? 0 : draw < 0.55 ? lots * BEYOND_MEANS : lots;
    const waiting = (whose: Side, size: number): OrderTerms => {
      const conditions = { trigger: this.#trigger(marketId) };
      const isMarket = this.#random() < 0.3;
      const terms = limit(whose, this.#price(marketId, whose), size);
      if (!isMarket) return { ...terms, conditions };
      const immediate = {
        orderType: "market",
        timeInForce: "ioc",
        priceTicks: 0 as Ticks,
      } as const;
      return { ...terms, ...immediate, conditions };
    };
    const plain = (whose: Side, size: number) => limit(whose, this.#price(marketId, whose), size);
    const working = this.#random() < 0.3 ? this.#terms(account, marketId) : plain(side, lots);
    const kindDraw = this.#random();
    const [kind, orders] =
      kindDraw < 0.4
        ? (["oco", [plain(side, lots), waiting(side, lots)]] as const)
        : kindDraw < 0.55
          ? (["oto", [working, plain(other, pending)]] as const)
          : kindDraw < 0.7
            ? (["oto", [working, waiting(other, pending)]] as const)
            : (["otoco", [working, plain(other, pending), waiting(other, pending)]] as const);
    return { type: "placeOrderList", account, marketId, kind, orders };
  }

  /** Near a random-walk price; if a side is given, passive (bids below, asks above) in three of four cases. */
  /** Mostly with all kinds of orders; now and then what only orders that wait have. */
  #amendsWaiting(marketId: number): Partial<CommandOf<"amendOrder">> {
    const draw = this.#random();
    if (draw < 0.2) return {};
    if (draw < 0.7) return { everyKind: true };
    if (draw < 0.9) return { everyKind: true, ...UNSIZED, triggerTicks: this.#price(marketId) };
    const trailBps = this.#pick([50, 200, 1000]);
    if (draw < 0.95) return { everyKind: true, ...UNSIZED, trailBps };
    return { everyKind: true, ...UNSIZED, quoteAmount: this.#pick([900, 100_000]) as Amount };
  }

  #price(marketId: number, side?: Side): Ticks {
    const at = Math.min(marketId, MARKETS_MAX);
    const step = (this.#random() - 0.5) * 2;
    this.#middles[at] = Math.max(50, this.#middles[at] + step);
    const distance = this.#random() * this.#random() * 30;
    const isOwnSide = this.#random() < (side === undefined ? 0.5 : 0.75);
    const away = isOwnSide === (side !== "sell") ? -distance : distance;
    return Math.max(1, Math.round(this.#middles[at] + away)) as Ticks;
  }

  #lots(): number {
    return 1 + this.#below(this.#random() < 0.1 ? 500 : 40);
  }

  #side(): Side {
    return this.#random() < 0.5 ? "buy" : "sell";
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#below(from.length)];
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }
}

/** Multiple of the working order's quantity that its owner cannot pay for. */
const BEYOND_MEANS = 400;
const MODES = ["expireTaker", "expireMaker", "expireBoth", "decrement"] as const;

/** The conditions allowed on market orders. */
function atMarket({ selfTradePrevention, trigger }: OrderConditions): OrderConditions {
  return { selfTradePrevention, trigger };
}

const SYMBOLS = ["AAA", "BBB", "CCC", "DDD"];

function limit(side: Side, priceTicks: Ticks, lots: number): OrderTerms {
  return {
    side,
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks,
    quantityLots: lots as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
  };
}
