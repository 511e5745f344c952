/**
 * Every command of the engine. A command carries no time or id: the sequencer stamps it with a sequence
 * and a timestamp when it enters the journal.
 *
 * Accounts, assets, markets, plans and orders are identified by small integers that the engine assigns
 * in order, starting at 1; the event of the creating command contains the id.
 */
import type { Amount, Lots, Ticks } from "./amount.ts";
import type { Decision } from "./decision.ts";
import type { OrderTerms, SelfTradePrevention, Side } from "./order-terms.ts";
import type { TransferRequests, TransferTerms } from "./transfers/transfer-terms.ts";

export type * from "./decision.ts";
export type * from "./order-terms.ts";
export type * from "./transfers/transfer-terms.ts";

export type AccountKind = "person" | "participant";
export type CoinKind = "crypto" | "fiat" | "token" | "points" | "simulated";
export type CoinStatus = "listed" | "depositOnly" | "withdrawOnly" | "delisting" | "hidden";
/** The rules and successors of each status are in market-statuses.ts. */
export type MarketStatus =
  | "preOpen"
  | "auction"
  | "trading"
  | "postOnly"
  | "cancelOnly"
  | "halted"
  | "closed";

export interface CoinDefinition {
  /** Unique, upper case, such as `BTC`. */
  readonly symbol: string;
  readonly name: string;
  readonly kind: CoinKind;
  readonly status: CoinStatus;
  /** Ledger decimals: one unit is 10^-scale coins. */
  readonly scale: number;
  /** Decimals with which pages show an amount. */
  readonly displayDecimals: number;
  readonly description: string;
  readonly website: string;
  readonly riskNote: string;
  /** A small image in base64, opaque to the engine; absent if there is none. */
  readonly icon?: string;
  /**
   * Present in a funded coin, for ever; other coins enter as practice funds. The two kinds never share
   * a market.
   */
  readonly transfers?: TransferTerms;
}

export interface MarketDefinition {
  /** Unique, `BASE-QUOTE`, such as `BTC-USD`. */
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  /** Base units in one lot. */
  readonly lotUnits: number;
  /**
   * Quote units that one lot costs per tick of price. The price step in coins is
   * `tickLotUnits / lotUnits × 10^(baseScale − quoteScale)`; it must be a power of ten.
   */
  readonly tickLotUnits: number;
  /** Smallest notional of an order, in quote units. */
  readonly notionalMin: Amount;
  readonly quantityLotsMax: Lots;
  /** The status in which the market is listed; `setMarketStatus` changes it later. */
  readonly status: MarketStatus;
  /** True if the counterparties are labelled participants of the simulator. */
  readonly simulated: boolean;
  // The fields below are off if absent, as in every market of early journals.
  /** Largest notional of an order, in quote units. */
  readonly notionalMax?: Amount;
  /** How far from the last price a limit order may be and a market order may trade. */
  readonly priceBandBps?: number;
  /**
   * How far from the last price a resting limit order may be, a buy below and a sell above;
   * `priceBandBps` if absent. At least as wide as that. From 10 000 on a buy may be at any price below.
   * If given, both bands are around the last price moved into the spread.
   */
  readonly passiveBandBps?: number;
  /** Replaces the last price before the first trade. */
  readonly referenceTicks?: Ticks;
  /** How far above its trigger price a triggered market order by quantity may buy. */
  readonly protectionBps?: number;
  /** The self-trade prevention of orders without one; "expireTaker" if absent. */
  readonly selfTradePrevention?: SelfTradePrevention;
  /** Replaces the fees of every plan in this market. */
  readonly feeOverride?: FeeRates;
  readonly breaker?: BreakerTerms;
}

/** Basis points of the proceeds. */
export interface FeeRates {
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
}

/** When a market halts automatically and how trading resumes. */
export interface BreakerTerms {
  /** Trades further than this from the last price at the start of the window do not happen. */
  readonly bps: number;
  readonly windowMs: number;
  readonly haltMs: number;
  readonly auctionMs: number;
}

export interface PlanDefinition {
  /** Unique, such as `free`. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** Position in a list of plans, ascending. */
  readonly position: number;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  /** Price per interval in the settlement coin as a decimal string; "0" is free. */
  readonly price: string;
  readonly interval: "none" | "month";
  /** How users get the plan. */
  readonly eligibility: "everyone" | "volume" | "paid" | "assigned";
  /** 30-day volume in the settlement coin that earns the plan; "0" if it is not earned. */
  readonly volumeMin: string;
  readonly openOrdersMax: number;
  readonly features: readonly string[];
  // The fields below are absent in the plans of early journals.
  /**
   * Symbol of the coin in which price, volumes and `notionalMax` are expressed; a plan without it can
   * be neither bought nor earned. The first plan's currency is the settlement coin. It cannot change
   * once set.
   */
  readonly currency?: string;
  /** Largest notional of an order in a market quoted in the currency, as a decimal string. */
  readonly notionalMax?: string;
  /** How many orders may wait or be icebergs at one time; the limit of open orders if absent. */
  readonly algoOrdersMax?: number;
  /** Fees by 30-day volume, ascending; below the first tier the plan's own fees apply. */
  readonly volumeLadder?: readonly FeeTier[];
  /**
   * Maximum value of withdrawals per UTC day, in the settlement coin as a decimal string; unlimited
   * if absent.
   */
  readonly withdrawalDailyMax?: string;
  /** Maximum value of withdrawals per UTC month, likewise. */
  readonly withdrawalMonthlyMax?: string;
}

export interface FeeTier extends FeeRates {
  /** 30-day volume in the plan's currency from which the tier applies, as a decimal string. */
  readonly volumeMin: string;
}

/** A status that a market enters at a future time. */
export interface ScheduledStatus {
  /** Milliseconds since 1970 UTC. */
  readonly atMs: number;
  readonly status: MarketStatus;
  /** As in `setMarketStatus`. */
  readonly forMs: number;
}

export interface AssetAmount {
  readonly assetId: number;
  readonly amount: Amount;
}
export interface AccountAmount extends AssetAmount {
  readonly account: number;
}
/** One cancels the other; one triggers the other; one triggers an OCO pair (a bracket). */
export type OrderListKind = "oco" | "oto" | "otoco";

/** Commands requested by a person: an account's owner or an administrator. */
interface Requests extends TransferRequests {
  placeOrder: OrderTerms & {
    readonly account: number;
    readonly marketId: number;
  };
  placeOrderList: {
    readonly account: number;
    readonly marketId: number;
    readonly kind: OrderListKind;
    /**
     * OCO: the limit order, the trigger order. OTO: the working order, the pending one. OTOCO: the working
     * order, the pending limit order, the pending trigger order. A pending quantity of 0 stands for the
     * proceeds of the working order.
     */
    readonly orders: readonly OrderTerms[];
    /**
     * The owner's name for the list, in the form of a client order id; the list's event repeats it. The
     * engine does not check that it is unique.
     */
    readonly clientListId?: string;
  };
  /** Gives an open order new terms; terms that are absent or 0 stay. */
  amendOrder: {
    readonly account: number;
    readonly orderId: number;
    /** The limit price; 0 keeps it. */
    readonly priceTicks: Ticks;
    /** The new total quantity, including the filled part; 0 keeps it. The orders of a pair share it. */
    readonly quantityLots: Lots;
    /**
     * Whether orders that wait, orders of a pair, and the prices of icebergs and working orders may be
     * amended too. Absent in earlier journals, in which these were refused.
     */
    readonly everyKind?: boolean;
    /** The trigger price of a stop or take-profit that waits. */
    readonly triggerTicks?: Ticks;
    /** The distance of a trailing stop that waits. */
    readonly trailBps?: number;
    /** The amount of an order by total that waits. */
    readonly quoteAmount?: Amount;
  };
  /** Cancels one order and places another of the same market and side in one step. */
  replaceOrder: {
    readonly account: number;
    readonly orderId: number;
    /** Whether the new order is placed if the old one is unknown. */
    readonly mode: "stopOnFailure" | "allowFailure";
    readonly marketId: number;
    readonly order: OrderTerms;
  };
  cancelOrder: {
    readonly account: number;
    readonly orderId: number;
  };
  /**
   * Cancels every open order of the account, in one market or, with marketId 0, in all, oldest first.
   * Orders beyond the limit of work stay open, which an `ordersLeftOpen` event reports.
   */
  cancelAllOrders: {
    readonly account: number;
    readonly marketId: number;
    /** Both sides if absent. */
    readonly side?: Side;
    /** Only orders with ids up to this one; all if absent. */
    readonly upToOrderId?: number;
  };
  /** Cancels all orders of the account at a future time, unless the timer is set again before. */
  setCancelTimer: {
    readonly account: number;
    /** 0 for all markets; each market has a separate timer. */
    readonly marketId: number;
    /** 1 s to 24 h; 0 disarms. */
    readonly delayMs: number;
  };
  /** Gives a user practice funds; once per UTC day, so one command carries every coin. */
  takePracticeFunds: AccountAmount & {
    /** Amounts of further coins; no asset twice. Absent if none. */
    readonly otherCoins?: readonly AssetAmount[];
  };
  /** By the account's owner; its rules are in plan-changes.ts. */
  choosePlan: {
    readonly account: number;
    readonly planId: number;
  };
  /** By an administrator, free of charge; ends the account's current period. */
  assignPlan: {
    readonly account: number;
    readonly planId: number;
    readonly decision?: Decision;
  };
  /** Proposes an adjustment of a balance; nothing moves until another administrator approves it. */
  proposeAdjustment: {
    readonly account: number;
    readonly assetId: number;
    /** Signed: the amount added to the account's available balance. */
    readonly amount: number;
    /** For the record and the owner; 1 to 200 characters. */
    readonly reason: string;
    /** The administrator's id, opaque to the engine; at most 64 characters, like all such ids. */
    readonly proposedBy: string;
  };
  approveAdjustment: {
    readonly adjustmentId: number;
    readonly approvedBy: string;
  };
  /** By any administrator, the proposer included. */
  rejectAdjustment: {
    readonly adjustmentId: number;
    readonly rejectedBy: string;
  };
  /** A frozen account places and changes no orders and no plan; it may still cancel. */
  setAccountFreeze: {
    readonly account: number;
    readonly isFrozen: boolean;
    /** Also ends the account's open orders; for freezing only. */
    readonly cancelsOrders: boolean;
    readonly byAdmin: string;
    readonly reason: string;
  };
  /** By an administrator. The rules are in market-states.ts. */
  setMarketStatus: {
    readonly marketId: number;
    readonly status: MarketStatus;
    /**
     * After how long the status ends automatically: preOpen and halted in an auction, auction in
     * trading; 0 to stay until the next change.
     */
    readonly forMs: number;
    readonly byAdmin: string;
    readonly reason: string;
  };
  /** By an administrator: replaces the market's schedule (market-schedules.ts). */
  scheduleMarket: {
    readonly marketId: number;
    /** Ascending in time; an empty list ends the schedule. */
    readonly steps: readonly ScheduledStatus[];
    readonly decision: Decision;
  };
}

/** A change decided by an administrator or, without a decision, by the exchange itself. */
type Decided<Change> = Change & TimeLimited & { readonly decision?: Decision };

/** Commands that the exchange itself submits. */
interface HouseCommands {
  listCoin: Decided<{ readonly coin: CoinDefinition }>;
  listMarket: Decided<{ readonly market: MarketDefinition }>;
  definePlan: Decided<{ readonly plan: PlanDefinition }>;
  /** Replaces the coin's definition, except its symbol and scale. */
  updateCoin: Decided<{
    readonly assetId: number;
    readonly coin: CoinDefinition;
  }>;
  /**
   * Replaces the plan's definition, except its slug and a currency once set. Orders keep the fees
   * they were placed with; periods already paid for continue.
   */
  updatePlan: Decided<{
    readonly planId: number;
    readonly plan: PlanDefinition;
  }>;
  /** Replaces the market's definition, except its coins, steps and status. */
  updateMarket: Decided<{
    readonly marketId: number;
    readonly market: MarketDefinition;
  }>;
  /** Opens a user's ledger account; a second one for the same `userId` is refused. */
  openAccount: {
    /** The id of the user who owns the account, opaque to the engine; at most 64 characters. */
    readonly userId: string;
    readonly kind: AccountKind;
  };
  /**
   * Reclaims the available practice money of a person's account, after its owner was deleted. Holds of
   * open orders stay, so cancel those first.
   */
  reclaimPracticeFunds: { readonly account: number };
  /** Gives a simulated participant its inventory. Refused for a person's account. */
  fundParticipant: AccountAmount;
  /**
   * Records the start of the simulated market: its earlier candle history is a pure function of the
   * seed and the command's timestamp, so every projection derives the same.
   */
  startSimulation: { readonly seed: number };
  /**
   * Limits how many orders one command ends or activates beyond those that it names; the remainder follows
   * with the next commands (work-limit.ts).
   */
  limitWork: {
    /** At least 1. */
    readonly ordersMax: number;
    /** Levels that a fill-or-kill or market order visits before it trades; at least 1. */
    readonly levelsMax: number;
    /**
     * Whether the limit also applies to mass cancels and to uncrossing auctions. Absent in earlier
     * journals, in which one command ended and traded all orders.
     */
    readonly marketsInParts?: boolean;
  };
  /** Limits how much of a coin one account may own, instead of all accounts together (balance-limit.ts). */
  limitBalances: {
    /** Units of each coin, available and held together; at least 1. */
    readonly unitsMax: Amount;
  };
  /** Adopts rules of trading that earlier journals do not have (adopted-rules.ts). */
  adoptRules: {
    /**
     * Whether an order stops at the first price at which it cannot pay for a lot, such as one by total
     * that is spent. Else it still meets an order of its own account there, or the breaker.
     */
    readonly spentOrdersStop: boolean;
    /**
     * Whether an order that waits for its working order takes its place among those of its market that
     * wait for a price when it is placed. Else, as if absent, it looks for one when that order has filled.
     */
    readonly pendingTakePlaces?: boolean;
  };
  /** Only fires the timers that are due. */
  advanceTime: object;
}

/** A request that may be delayed on its way to the engine. */
export interface TimeLimited {
  /**
   * The last moment at which the command may be sequenced, milliseconds since 1970 UTC by the
   * sequencer's clock and at most a minute ahead; later it is refused. A repeat of an accepted command
   * still gets its outcome.
   */
  readonly validUntilMs?: number;
}

type RequestOf<Type extends keyof Requests> = { readonly type: Type } & TimeLimited &
  Requests[Type];
type HouseCommandOf<Type extends keyof HouseCommands> = {
  readonly type: Type;
} & HouseCommands[Type];

export type Command =
  | { [Type in keyof Requests]: RequestOf<Type> }[keyof Requests]
  | { [Type in keyof HouseCommands]: HouseCommandOf<Type> }[keyof HouseCommands];

/** The commands of one or several types. */
export type CommandOf<Type extends Command["type"]> = Extract<Command, { type: Type }>;
export type PlaceOrder = CommandOf<"placeOrder">;
export type AdoptRules = CommandOf<"adoptRules">;
export type LimitBalances = CommandOf<"limitBalances">;
export type LimitWork = CommandOf<"limitWork">;
