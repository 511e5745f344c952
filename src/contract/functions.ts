/**
 * The public functions of the reactive backend by noun, typed, as references for the official
 * client. Queries push a new answer whenever it changes; mutations resolve once durable; actions
 * read history and are answered once.
 */
import { makeFunctionReference } from "convex/server";
import type { FillRecord } from "./fill-record.ts";
import type {
  ActivityItem,
  ActivityKind,
  Adjustment,
  AuditEvent,
  MailQueue,
  Balance,
  Book,
  Candle,
  CandleInterval,
  Coin,
  CoinAmount,
  CurrentUser,
  Decimal,
  Fill,
  LedgerEntry,
  LedgerSelection,
  Market,
  MarketState,
  MarketStatus,
  MyPlan,
  Order,
  OrderListKind,
  OrderStatus,
  OrderType,
  Page,
  Plan,
  Portfolio,
  PublicTrade,
  Role,
  SecurityEventKind,
  SelfTradePrevention,
  Side,
  Statement,
  Ticker,
  TimeInForce,
  UserListPage,
  UserSort,
  UserSummary,
  VenueInfo,
} from "./types.ts";

type None = Record<string, never>;

/**
 * What every request that changes money, orders, plans or states may say. Clients re-send a request whose
 * connection was lost, and a page may do so long after its user has looked away.
 */
export type TimeLimitArgs = {
  /**
   * The last moment at which the exchange may take the request, milliseconds since 1970 by the
   * exchange's time (`venue:time`, or `serverTs` of the newest transition, in nanoseconds there), at
   * most a minute ahead (else `invalidValidUntil`). A request that comes later changes nothing: `requestExpired`.
   * One that was taken in time is answered with its outcome, however late it is sent again. Without
   * `validUntil` a request never expires.
   */
  validUntil?: number;
};

/** Makes an order wait: "stop" and "takeProfit" have a price, "trailingStop" a distance. */
export type TriggerArgs = {
  type: "stop" | "takeProfit" | "trailingStop";
  price?: Decimal;
  /** Basis points, 1 to 9 999. */
  trailBps?: number;
};

/** A limit order needs price and quantity; a market order exactly one of quantity, quoteAmount. */
export type OrderArgs = {
  side: Side;
  type: OrderType;
  /** Default "gtc" for limit orders ("gtd" where they have an end), "ioc" for market orders. */
  timeInForce?: TimeInForce;
  postOnly?: boolean;
  price?: Decimal;
  quantity?: Decimal;
  quoteAmount?: Decimal;
  /** Unique per user: a repeat answers with the first order and places nothing. */
  clientOrderId?: string;
  /** An iceberg: the book shows so much of it at most. */
  display?: Decimal;
  /** The end of a "gtd" order, milliseconds since 1970. */
  expiresAt?: number;
  /** Default the market's own. */
  selfTradePrevention?: SelfTradePrevention;
  trigger?: TriggerArgs;
};
export type PlaceOrderArgs = OrderArgs & { market: string };
export type CancelAllArgs = { market?: string; side?: Side };
export type CancelAfterArgs = { market?: string; delayMs: number };

export type AmendOrderArgs = {
  orderId: string;
  price?: Decimal;
  /** The new total: what is filled already counts. */
  quantity?: Decimal;
};

export type ReplaceOrderArgs = {
  orderId: string;
  /** What an unknown order means: "stopOnFailure" (default) places nothing then. */
  mode?: "stopOnFailure" | "allowFailure";
  order: PlaceOrderArgs;
};

export type PlaceOrderListArgs = {
  market: string;
  kind: OrderListKind;
  /**
   * OCO: a limit order and one with a trigger. OTO: the working order and the pending one. OTOCO: the
   * working order and a pending OCO pair. A pending order without a quantity takes what the working
   * order received.
   */
  orders: OrderArgs[];
};
/** `fills` are those of the first order. */
export type OrderListResult = { listId: string; orders: Order[]; fills: Fill[] };

export type PlaceOrderResult = { order: Order; fills: Fill[] };

export type ChosenPlan = {
  plan: string;
  /** When it holds, or held from. */
  effectiveAt: number;
  /** What was charged at once; null where nothing was. */
  charged: Decimal | null;
};

export type FreezeArgs = {
  userId: string;
  frozen: boolean;
  /** Freezing only. */
  cancelOrders?: boolean;
  /** For the record; at most 200 characters. */
  reason: string;
};

export type ProposeAdjustmentArgs = {
  userId: string;
  coin: string;
  /** Signed, such as "-12.50"; not zero. */
  amount: Decimal;
  /** For the record and the user; at most 200 characters. */
  reason: string;
};

export type SetMarketStatusArgs = {
  market: string;
  status: MarketStatus;
  /**
   * After which time it ends by itself: "preOpen" and "halted" in an auction, "auction" in trading.
   * Without it, the state lasts until it is set anew.
   */
  forSeconds?: number;
  /** For the record; at most 200 characters. */
  reason: string;
};

export type BookArgs = {
  market: string;
  /**
   * Price step that levels are summed into: the tick, or 10, 100, 1 000 or 10 000 times the tick,
   * without zeros at the end of its decimals. Default the tick.
   */
  grouping?: Decimal;
  /** Levels a side, at most 100; default 25. */
  levels?: number;
};

export type AuditPageArgs = {
  /** A user's id or whole email address. */
  user?: string;
  kind?: SecurityEventKind;
  /** In the title, in either case. */
  search?: string;
  /** First moment that counts, milliseconds since 1970. */
  from?: number;
  /** First moment that no longer counts. */
  to?: number;
  cursor?: string;
  /** Events of a page, at most 200; default 50. */
  limit?: number;
};

export type UserListArgs = {
  /** Words that are each in the name or the email address; or a user's id. */
  search?: string;
  role?: Role;
  banned?: boolean;
  /** Default "createdAt". */
  sort?: UserSort;
  /** Default true. */
  descending?: boolean;
  /** Users of the pages before. */
  offset?: number;
  /** Users of a page, at most 200; default 50. */
  limit?: number;
};

export const functions = {
  venue: {
    info: makeFunctionReference<"query", None, VenueInfo>("venue:info"),
    /** The exchange's time, milliseconds since 1970; a new answer every second, as a heartbeat. */
    time: makeFunctionReference<"query", None, number>("venue:time"),
  },
  coins: {
    list: makeFunctionReference<"query", None, Coin[]>("coins:list"),
  },
  plans: {
    list: makeFunctionReference<"query", None, Plan[]>("plans:list"),
    /** The caller's plan, its fees, volume and end, and what choosing each other would do. */
    mine: makeFunctionReference<"query", None, MyPlan>("plans:mine"),
    /** Charges a paid plan at once, in advance for a month; a cheaper one follows the running period. */
    choose: makeFunctionReference<"mutation", { plan: string } & TimeLimitArgs, ChosenPlan>(
      "plans:choose",
    ),
    /** At no charge and for as long as an administrator likes. For administrators. */
    assign: makeFunctionReference<
      "mutation",
      { userId: string; plan: string } & TimeLimitArgs,
      null
    >("plans:assign"),
  },
  users: {
    /** null for a visitor. */
    current: makeFunctionReference<"query", None, CurrentUser | null>("users:current"),
    /** Everybody with an account. For administrators; others are `forbidden`. */
    list: makeFunctionReference<"action", UserListArgs, UserListPage>("users:list"),
    /** What one user has; null where there is no such account. For administrators. */
    summary: makeFunctionReference<"query", { userId: string }, UserSummary | null>(
      "users:summary",
    ),
  },
  markets: {
    list: makeFunctionReference<"query", None, Market[]>("markets:list"),
    tickers: makeFunctionReference<"query", None, Ticker[]>("markets:tickers"),
    /** In which state a market is, with the indicative price of an auction. */
    state: makeFunctionReference<"query", { market: string }, MarketState>("markets:state"),
    /** For administrators. */
    setStatus: makeFunctionReference<"mutation", SetMarketStatusArgs & TimeLimitArgs, null>(
      "markets:setStatus",
    ),
    book: makeFunctionReference<"query", BookArgs, Book>("markets:book"),
    /** The newest 50, newest first. */
    trades: makeFunctionReference<"query", { market: string }, PublicTrade[]>("markets:trades"),
    /** The candle that is forming and the one before it, for drawing live. */
    latestCandles: makeFunctionReference<
      "query",
      { market: string; interval: CandleInterval },
      Candle[]
    >("markets:latestCandles"),
    /** Up to `limit` (at most 1000) candles that opened before `before`, oldest first. */
    candles: makeFunctionReference<
      "action",
      { market: string; interval: CandleInterval; before?: number; limit?: number },
      Candle[]
    >("markets:candles"),
  },
  accounts: {
    /** Every coin of the catalogue, zero balances included. */
    balances: makeFunctionReference<"query", None, Balance[]>("accounts:balances"),
    /** Once a day of UTC; what was given, coin by coin. */
    takePracticeFunds: makeFunctionReference<"mutation", TimeLimitArgs, CoinAmount[]>(
      "accounts:takePracticeFunds",
    ),
    /** Opening and closing balances with what moved them between two moments, from history. */
    statement: makeFunctionReference<"action", { from: number; to: number }, Statement>(
      "accounts:statement",
    ),
    /** Freezes or unfreezes; `cancelOrders` ends what is open. For administrators. */
    freeze: makeFunctionReference<"mutation", FreezeArgs & TimeLimitArgs, null>("accounts:freeze"),
    /** The selected ledger entries as far as they are the caller's, in the order they were made. */
    ledgerEntries: makeFunctionReference<"action", LedgerSelection, LedgerEntry[]>(
      "accounts:ledgerEntries",
    ),
  },
  /** Corrections of balances, by two administrators. For administrators only. */
  adjustments: {
    /** What waits, oldest first, and what was decided lately, newest first. */
    list: makeFunctionReference<"query", None, { pending: Adjustment[]; decided: Adjustment[] }>(
      "adjustments:list",
    ),
    /** Nothing moves until another administrator approves it. */
    propose: makeFunctionReference<"mutation", ProposeAdjustmentArgs & TimeLimitArgs, Adjustment>(
      "adjustments:propose",
    ),
    approve: makeFunctionReference<
      "mutation",
      { adjustmentId: number } & TimeLimitArgs,
      Adjustment
    >("adjustments:approve"),
    reject: makeFunctionReference<"mutation", { adjustmentId: number } & TimeLimitArgs, Adjustment>(
      "adjustments:reject",
    ),
  },
  orders: {
    open: makeFunctionReference<"query", { market?: string }, Order[]>("orders:open"),
    /** The newest 100 orders that ended or are open, newest first. */
    recent: makeFunctionReference<"query", { market?: string }, Order[]>("orders:recent"),
    history: makeFunctionReference<
      "action",
      { market?: string; status?: OrderStatus; cursor?: string; limit?: number },
      Page<Order>
    >("orders:history"),
    place: makeFunctionReference<"mutation", PlaceOrderArgs & TimeLimitArgs, PlaceOrderResult>(
      "orders:place",
    ),
    cancel: makeFunctionReference<"mutation", { orderId: string } & TimeLimitArgs, Order>(
      "orders:cancel",
    ),
    cancelAll: makeFunctionReference<
      "mutation",
      CancelAllArgs & TimeLimitArgs,
      { cancelled: number }
    >("orders:cancelAll"),
    /** Cancels everything then, unless it is called again before: 1 s to 24 h; 0 switches it off. */
    cancelAfter: makeFunctionReference<
      "mutation",
      CancelAfterArgs & TimeLimitArgs,
      { firesAt: number | null }
    >("orders:cancelAfter"),
    /** Less quantity at the same price keeps the order's place in the queue. */
    amend: makeFunctionReference<"mutation", AmendOrderArgs & TimeLimitArgs, PlaceOrderResult>(
      "orders:amend",
    ),
    /** Cancels one order and places another of the same market and side, both or neither. */
    replace: makeFunctionReference<"mutation", ReplaceOrderArgs & TimeLimitArgs, PlaceOrderResult>(
      "orders:replace",
    ),
    placeList: makeFunctionReference<
      "mutation",
      PlaceOrderListArgs & TimeLimitArgs,
      OrderListResult
    >("orders:placeList"),
  },
  fills: {
    /** The newest 100, newest first. */
    recent: makeFunctionReference<"query", { market?: string }, Fill[]>("fills:recent"),
    history: makeFunctionReference<
      "action",
      { market?: string; cursor?: string; limit?: number },
      Page<Fill>
    >("fills:history"),
    /** What the caller needs to check one of the own fills; see features/explain-fill. */
    record: makeFunctionReference<"action", { orderId: string; tradeId: number }, FillRecord>(
      "fills:record",
    ),
  },
  portfolio: {
    summary: makeFunctionReference<"query", None, Portfolio>("portfolio:summary"),
  },
  activity: {
    /** The newest 50, newest first. */
    recent: makeFunctionReference<"query", None, ActivityItem[]>("activity:recent"),
    page: makeFunctionReference<
      "action",
      { kind?: ActivityKind; search?: string; cursor?: string; limit?: number },
      Page<ActivityItem>
    >("activity:page"),
  },
  mails: {
    /** On their way to the mail server, newest first. For administrators; others are `forbidden`. */
    queue: makeFunctionReference<"action", { limit?: number }, MailQueue>("mails:queue"),
    /** Tries those again whose last attempt failed, and says how many they are. For administrators. */
    retry: makeFunctionReference<"action", None, { mails: number }>("mails:retry"),
  },
  audit: {
    /** Everybody's security events, newest first. For administrators; others are `forbidden`. */
    page: makeFunctionReference<"action", AuditPageArgs, Page<AuditEvent>>("audit:page"),
  },
} as const;
