/**
 * The public functions of the reactive backend by noun: the one place that declares each one's
 * arguments and answer. Queries push a new answer whenever it changes; mutations resolve once
 * durable; actions read history and are answered once. The server must implement exactly these
 * (functions/definitions.ts), and pages call them by functions.ts, which imports only types.
 */
import { z } from "zod";
import {
  alertId,
  apiKeyTerms,
  authenticatorCode,
  coin,
  decimal,
  faultSeconds,
  fillFilter,
  interval,
  keyFaults,
  keyId,
  ledgerSelection,
  limit,
  market,
  network,
  noticeId,
  order,
  orderFilter,
  orderId,
  orderTerms,
  ordinal,
  paged,
  plan,
  reason,
  receipt,
  side,
  timeMs,
  userId,
} from "./arguments.ts";
import { catalogueEntry, type CatalogueEntries } from "./catalogue.ts";
import { API_KEY_KINDS, type ApiKey, type ApiKeys, type CreatedApiKey } from "./api-keys.ts";
import { ALERT_WINDOWS, type PriceAlert, type PriceAlerts } from "./alerts.ts";
import {
  action,
  adminAction,
  adminMutation,
  adminQuery,
  declare,
  mutation,
  query,
  timedAction,
} from "./declaration.ts";
import type { FillProof } from "./fill-proof.ts";
import { type Notice, NOTICE_KINDS, type NoticeSettings, type RecentNotices } from "./notices.ts";
import type { InclusionProof, SolvencyReport } from "./solvency.ts";
import {
  IMPORTED_BYTES_MAX,
  type ImportedRow,
  type ReviewedTransfer,
  type Transfer,
  type TransferOptions,
  type WithdrawalAddress,
} from "./transfers.ts";
import { COST_METHODS, LIST_KINDS, MARKET_STATUSES, ORDER_STATUSES } from "./types.ts";
import type { NodeState } from "./nodes.ts";
import type { OrderLife } from "./order-life.ts";
import { type PaginatedPage, paginationOpts } from "./pagination.ts";
import { activityFilter, adminChangeFilter, securityEventFilter } from "./record-filters.ts";
import { ROLES, USER_SORTS } from "./users.ts";
import type { ChosenPlan, MyPlan, Plan } from "./plans.ts";
import type {
  Adjustment,
  Balance,
  Book,
  Candle,
  Coin,
  CoinAmount,
  Fill,
  LedgerEntry,
  Market,
  MarketState,
  Order,
  OrderListResult,
  Page,
  PlaceOrderResult,
  Portfolio,
  ProfitReport,
  PublicTrade,
  Statement,
  Ticker,
  VenueInfo,
} from "./types.ts";
import type {
  ActivityItem,
  ActivityPage,
  AdminChange,
  AuditEvent,
  CurrentUser,
  FieldChange,
  MailQueue,
  UserListPage,
  UserSummary,
} from "./users.ts";

/** Markets on one user's watchlist. */
export const WATCHED_MARKETS_MAX = 100;

/** An entry may have an icon and long texts. */
const CATALOGUE_LIMITS = { argumentBytesMax: 65_536 } as const;

/** The version of the entry that the administrator has seen; null if it was not listed. */
const seen = z.string().max(64).nullable();

export const publicFunctions = {
  venue: {
    /** The exchange's name and properties. */
    info: query({}).answers<VenueInfo>(),
    /** Exchange time, milliseconds since 1970; a new answer every second, as a heartbeat. */
    time: query({}).answers<number>(),
  },
  coins: {
    /** Every coin that is not hidden, in listing order. */
    list: query({}).answers<Coin[]>(),
  },
  plans: {
    list: query({}).answers<Plan[]>(),
    /** The caller's plan, its fees, volume and end, and the effect of choosing each other plan. */
    mine: query({}).answers<MyPlan>(),
    /** Charges a paid plan at once, in advance for a month; a cheaper one follows the running period. */
    choose: mutation({ plan }).answers<ChosenPlan>(),
    /**
     * Free of charge, until an administrator changes it. A plan on which the user could withdraw more is
     * refused: the operator's command line assigns it.
     */
    assign: adminMutation({ userId, plan, reason }).answers<null>(),
  },
  /** Coins, plans and markets in the format of a catalogue file. */
  catalogue: {
    /** The whole catalogue, hidden coins included. */
    entries: adminQuery({}).answers<CatalogueEntries>(),
    /**
     * The sentences of `openbell catalogue plan` about one entry; none if it is already listed like
     * that. A refusal names the invalid field, or one that only the operator's command line changes.
     */
    preview: adminAction({ entry: catalogueEntry, seen }, CATALOGUE_LIMITS).answers<{
      changes: string[];
      /** The fields that would change; every field of a new entry. */
      differences: FieldChange[];
    }>(),
    /** Lists or changes the entry; refused if the effect would differ from the preview. */
    change: adminMutation(
      {
        entry: catalogueEntry,
        seen,
        /** The sentences that `preview` returned. */
        shown: z.array(z.string().max(20_000)).max(8),
        reason,
      },
      CATALOGUE_LIMITS,
    ).answers<null>(),
  },
  solvency: {
    /** The exchange's liabilities in each coin, computed every few minutes. */
    report: action({}).answers<SolvencyReport>(),
    /** Proof that the caller's balances are included in the report's sums; null if the caller had none. */
    proof: action({}).answers<InclusionProof | null>(),
  },
  users: {
    /** null for visitors and for users deleted since they signed in. */
    current: query({}).answers<CurrentUser | null>(),
    /** Every user with an account, including those who never traded. */
    list: adminAction({
      /** Words that must each occur in the name or the email address, or a user's id. */
      search: z.string().max(100).optional(),
      role: z.enum(ROLES).optional(),
      banned: z.boolean().optional(),
      sort: z.enum(USER_SORTS).default("createdAt"),
      descending: z.boolean().default(true),
      /** The number of users on the previous pages. */
      offset: z.number().int().min(0).max(10_000_000).default(0),
      limit,
    }).answers<UserListPage>(),
    /** One user's holdings; null if there is no such account. */
    summary: adminQuery({ userId: z.string().min(1).max(100) }).answers<UserSummary | null>(),
  },
  markets: {
    list: query({}).answers<Market[]>(),
    tickers: query({}).answers<Ticker[]>(),
    /** A market's state, with the indicative price of an auction. */
    state: query({ market }).answers<MarketState>(),
    setStatus: adminMutation({
      market,
      status: z.enum(MARKET_STATUSES),
      /**
       * The seconds after which the state ends by itself, at most a year: "preOpen" and "halted" in an
       * auction, "auction" in trading. Without it, the state lasts until the next change.
       */
      forSeconds: z.number().int().min(1).max(31_536_000).optional(),
      reason,
    }).answers<null>(),
    /** Replaces the market's schedule; without steps, ends it. */
    schedule: adminMutation({
      market,
      /**
       * The schedule that the administrator has seen, as in the market's state: another one is not
       * overwritten.
       */
      seen: z
        .array(
          z.strictObject({
            at: timeMs,
            status: z.enum(MARKET_STATUSES),
            forSeconds: z.number().nullable(),
          }),
        )
        .max(32),
      /** Ascending in time, each at most a year ahead. */
      steps: z
        .array(
          z.strictObject({
            at: timeMs,
            status: z.enum(MARKET_STATUSES),
            /** As in `setStatus`. */
            forSeconds: z.number().int().min(1).max(31_536_000).optional(),
          }),
        )
        .max(32),
      reason,
    }).answers<null>(),
    book: query({
      market,
      /**
       * Price step that levels are summed into: the tick, or 10, 100, 1 000 or 10 000 times the
       * tick, without trailing zeros. Default: the tick.
       */
      grouping: decimal.optional(),
      /** Levels per side. */
      levels: z.number().int().min(1).max(100).default(25),
    }).answers<Book>(),
    /** The newest 50, newest first. */
    trades: query({ market }).answers<PublicTrade[]>(),
    /** The newest candle and the one before it, oldest first, for live charts. */
    latestCandles: query({ market, interval }).answers<Candle[]>(),
    /** Candles that opened before `before`, oldest first. */
    candles: action(
      {
        market,
        interval,
        before: timeMs.optional(),
        limit: z.number().int().min(1).max(1_000).default(1_000),
      },
      // After this time a chart no longer needs the answer, and sends the query again.
      { msMax: 20_000 },
    ).answers<Candle[]>(),
  },
  accounts: {
    /** Every coin of the catalogue, zero balances included. */
    balances: query({}).answers<Balance[]>(),
    /** Once per UTC day; returns the amounts given, one per coin. */
    takePracticeFunds: mutation({}).answers<CoinAmount[]>(),
    /**
     * Opening and closing balances with the changes between two moments, from history; `to` is
     * exclusive.
     */
    statement: action({ from: timeMs, to: timeMs }, { work: "heavy" }).answers<Statement>(),
    /** The starts of all months since the account was opened, in UTC, newest first. */
    statementMonths: query({}).answers<number[]>(),
    /**
     * Freezes or unfreezes an account. A frozen account places nothing and changes no plan; it may
     * still cancel.
     */
    freeze: adminMutation({
      userId,
      frozen: z.boolean(),
      /** Also cancels open orders; for freezing only. */
      cancelOrders: z.boolean().default(false),
      reason,
    }).answers<null>(),
    /** The selected ledger entries, only the caller's, oldest first. */
    ledgerEntries: declare("action", ledgerSelection).answers<LedgerEntry[]>(),
  },
  /** Balance adjustments under dual control. */
  adjustments: {
    /** Pending adjustments, oldest first, and recently decided ones, newest first. */
    list: adminQuery({}).answers<{ pending: Adjustment[]; decided: Adjustment[] }>(),
    /** Nothing changes until another administrator approves it. The user sees the reason. */
    propose: adminMutation({
      userId,
      coin,
      /** Signed, such as "-12.50"; not zero. */
      amount: decimal,
      reason,
    }).answers<Adjustment>(),
    approve: adminMutation({ adjustmentId: ordinal }).answers<Adjustment>(),
    reject: adminMutation({ adjustmentId: ordinal }).answers<Adjustment>(),
  },
  /** Deposits and withdrawals, reviewed by administrators; refused on an exchange without transfers. */
  transfers: {
    /** Which coins the caller can deposit and withdraw, and on which terms. */
    options: query({}).answers<TransferOptions>(),
    /** The caller's open transfers and the newest that ended, newest first. */
    mine: query({}).answers<Transfer[]>(),
    /** Announces a payment; the answer has instructions and the reference to state. */
    requestDeposit: mutation({ coin, amount: decimal, network }).answers<Transfer>(),
    /**
     * Gives up the whole available balance of a coin that is too small to withdraw (`notDust`). Refused if
     * `amount` is not the available balance.
     */
    forfeitDust: mutation({ coin, amount: decimal }).answers<null>(),
    /** Cancels a deposit that has not arrived or a withdrawal that is not approved; releases what it held. */
    cancel: mutation({ transferId: ordinal }).answers<Transfer>(),
    /**
     * Holds the amount and the fee until administrators have decided. Needs a recent sign-in
     * (`signInTooOld`); a code if the user has a second factor (`codeNeeded`, `wrongCode`); an address
     * saved long enough ago (`addressTooNew`); and no recent change of how the user signs in
     * (`withdrawalsPaused`). An action, because a code works once; repeating a `requestId` has no
     * further effect.
     */
    requestWithdrawal: timedAction({
      addressId: z.string().min(1).max(64),
      amount: decimal,
      /** The client's id of this request, such as a UUID. */
      requestId: z.string().regex(/^[A-Za-z0-9-]{8,36}$/, "must be 8 to 36 letters, digits and -"),
      code: authenticatorCode.optional(),
    }).answers<Transfer>(),
    /** The caller's address book, oldest first; null until it is loaded. */
    addresses: query({}).answers<WithdrawalAddress[] | null>(),
    /** Has the same conditions as `apiKeys.create`. An action, because a code works once. */
    addAddress: timedAction({
      coin,
      network,
      address: z.string().trim().min(1).max(256),
      memo: z.string().trim().max(128).default(""),
      label: z
        .string()
        .trim()
        .min(1)
        .max(60)
        .regex(/^\P{Cc}*$/u, "must not have control characters"),
      code: authenticatorCode.optional(),
    }).answers<WithdrawalAddress>(),
    removeAddress: mutation({ addressId: z.string().min(1).max(64) }).answers<null>(),
    /**
     * Open transfers, oldest first, announced deposits after all others, at most 300; how many are left out
     * of them; and the newest that ended, newest first.
     */
    queue: adminQuery({}).answers<{
      open: ReviewedTransfer[];
      left: number;
      ended: ReviewedTransfer[];
    }>(),
    /**
     * Records that a deposit arrived: credits it, or leaves it to a second administrator. Refused if
     * another deposit of the coin and network has this receipt (`receiptKnown`).
     */
    record: adminMutation({
      transferId: ordinal,
      /** The amount that arrived, whatever was announced. */
      amount: decimal,
      receipt,
      reason,
    }).answers<ReviewedTransfer>(),
    /** Records that a withdrawal was paid; by its payer alone (`notThePayer`). */
    send: adminMutation({ transferId: ordinal, receipt, reason }).answers<ReviewedTransfer>(),
    /**
     * Approves or rejects a transfer, claims its payment before any money is sent ("pay"), or records that
     * a payment arrived ("settle") or came back ("return"). Two administrators must reject an approved
     * transfer, and approve or return one above the amount that one may decide alone per day.
     */
    decide: adminMutation({
      transferId: ordinal,
      step: z.enum(["approve", "reject", "pay", "settle", "return"]),
      reason,
      /**
       * For "pay": the payer whom the caller sees, null for none. Refused if another administrator has
       * since claimed the payment; not compared if absent.
       */
      seenPayer: userId.nullable().optional(),
    }).answers<ReviewedTransfer>(),
    /**
     * Records the deposits of a statement, a CSV with the columns reference, coin, amount and receipt;
     * or only reports which ones would be recorded. Repeating an import changes nothing.
     */
    importDeposits: adminMutation(
      { csv: z.string().max(IMPORTED_BYTES_MAX), apply: z.boolean(), reason },
      { argumentBytesMax: 2 * IMPORTED_BYTES_MAX },
    ).answers<ImportedRow[]>(),
  },
  orders: {
    /** Newest first. */
    open: query({ market: market.optional() }).answers<Order[]>(),
    /** The newest 100 orders, open or ended, newest first. */
    recent: query({ market: market.optional() }).answers<Order[]>(),
    /** All orders, newest first, in pages that stay current. If a search scans many rows, a page may be short. */
    list: query({
      ...orderFilter,
      status: z.enum(ORDER_STATUSES).optional(),
      paginationOpts,
    }).answers<PaginatedPage<Order>>(),
    /** All orders, newest first, read once from history. */
    history: action({
      ...orderFilter,
      status: z.enum(ORDER_STATUSES).optional(),
      ...paged,
    }).answers<Page<Order>>(),
    /** One of the caller's own orders from its placement to its end, with every posting. */
    life: action({ orderId }).answers<OrderLife>(),
    place: mutation({ market, ...orderTerms }).answers<PlaceOrderResult>(),
    cancel: mutation({ orderId }).answers<Order>(),
    cancelAll: mutation({
      market: market.optional(),
      side: side.optional(),
    }).answers<{ cancelled: number }>(),
    /** Cancels all open orders after that delay unless called again before: 1 s to 24 h; 0 disarms. */
    cancelAfter: mutation({
      market: market.optional(),
      delayMs: z.number().int().min(0),
    }).answers<{ firesAt: number | null }>(),
    /**
     * Gives an open order new terms, in the book or waiting: omitted terms stay, and so do its id and its
     * fees. In the book a lower quantity at the same price keeps the order's place in the queue. The other
     * orders of a list keep their terms, but an OCO pair has one quantity.
     */
    amend: mutation({
      orderId,
      /** The limit price. */
      price: decimal.optional(),
      /** The new total quantity, including the filled part. */
      quantity: decimal.optional(),
      /** Instead of a quantity, of an order by total that waits. */
      quoteAmount: decimal.optional(),
      /** For a waiting stop or take-profit. */
      triggerPrice: decimal.optional(),
      /** The distance of a trailing stop that waits, in hundredths of a percent. */
      trailBps: z.number().int().min(1).max(9_999).optional(),
    }).answers<PlaceOrderResult>(),
    /** Cancels one order and places another of the same market and side; both or neither. */
    replace: mutation({
      orderId,
      /** The behaviour if the order to cancel is unknown: "stopOnFailure" places nothing. */
      mode: z.enum(["stopOnFailure", "allowFailure"]).default("stopOnFailure"),
      order: z.strictObject({ market, ...orderTerms }),
    }).answers<PlaceOrderResult>(),
    /** Places all orders of the list or none. */
    placeList: mutation({
      market,
      kind: z.enum(LIST_KINDS),
      /**
       * OCO: a limit order and one with a trigger. OTO: the working order and the pending one. OTOCO: the
       * working order and a pending OCO pair. A pending order without a quantity sells or spends the
       * proceeds of the working order.
       */
      orders: z.array(order).min(2).max(3),
    }).answers<OrderListResult>(),
  },
  fills: {
    /** The newest 100 recent fills, newest first; older ones are in the history. */
    recent: query(fillFilter).answers<Fill[]>(),
    /** Newest first. */
    history: action({
      ...fillFilter,
      ...paged,
    }).answers<Page<Fill>>(),
    /** The newest 200 fills of one of the caller's orders, oldest first. */
    ofOrder: action({ orderId }).answers<Fill[]>(),
    /** The data with which the caller can check one of their own fills; see features/explain-fill. */
    record: action({ orderId, tradeId: ordinal }).answers<FillProof>(),
  },
  portfolio: {
    summary: query({}).answers<Portfolio>(),
    /** Per coin, computed from the caller's whole history; realised profits and fees since `from`. */
    profits: action(
      { method: z.enum(COST_METHODS).default("average"), from: timeMs.default(0) },
      { work: "heavy" },
    ).answers<ProfitReport>(),
  },
  activity: {
    /** The newest 50, newest first. */
    recent: query({}).answers<ActivityItem[]>(),
    /** Orders, fills, transfers, plans and security events by time, newest first. */
    page: action({ ...activityFilter, ...paged }).answers<ActivityPage>(),
  },
  /** The caller's price alerts. An alert that fires becomes a notice. */
  alerts: {
    list: query({}).answers<PriceAlerts>(),
    create: mutation({
      market,
      condition: z.discriminatedUnion("kind", [
        z.strictObject({ kind: z.literal("price"), price: decimal }),
        z.strictObject({
          kind: z.literal("change"),
          /** More than 0, with up to two decimals. */
          percent: decimal,
          windowMinutes: z.literal(ALERT_WINDOWS),
        }),
      ]),
      repeats: z.boolean().default(false),
    }).answers<PriceAlert>(),
    /** Activating an alert that has fired arms it again. */
    setPaused: mutation({ alertId, paused: z.boolean() }).answers<PriceAlert>(),
    remove: mutation({ alertId }).answers<null>(),
  },
  /** Keys with which programs act for the caller. */
  apiKeys: {
    /** null until the keys are loaded. */
    list: query({}).answers<ApiKeys | null>(),
    /**
     * Needs a recent sign-in (`signInTooOld`), and a code from the authenticator app if the user has a
     * second factor (`codeNeeded`, `wrongCode`). An action, which clients never re-send: only its
     * answer contains the secret.
     */
    create: action({
      ...apiKeyTerms,
      kind: z.enum(API_KEY_KINDS),
      /** The public key of an Ed25519 key, as PEM or as 32 bytes in base64. */
      publicKey: z.string().min(1).max(500).optional(),
      code: authenticatorCode.optional(),
    }).answers<CreatedApiKey>(),
    rename: mutation({ keyId, name: apiKeyTerms.name }).answers<ApiKey>(),
    /**
     * Sets the key's permissions and restrictions, under the conditions of `create`. Ends connections
     * opened with the key. An action, because a code works once.
     */
    restrict: action({
      keyId,
      permissions: apiKeyTerms.permissions,
      addressRanges: apiKeyTerms.addressRanges,
      expiresAt: apiKeyTerms.expiresAt,
      code: authenticatorCode.optional(),
    }).answers<ApiKey>(),
    /** Sets the faults of the key's own traffic (the fault lab) and for how long; all 0 ends them. */
    setFaults: mutation({ keyId, faults: keyFaults, seconds: faultSeconds }).answers<ApiKey>(),
    /** Permanent and immediate; ends connections opened with the key. */
    revoke: mutation({ keyId }).answers<null>(),
  },
  /** Events of the caller's orders, money and account: the notification centre. */
  notices: {
    /** The newest notices and the number of unread ones; null until they are loaded. */
    recent: query({}).answers<RecentNotices | null>(),
    /** Newest first, 200 at most; older ones are in activity:page. */
    page: action({ ...paged }).answers<Page<Notice>>(),
    markRead: mutation(
      { noticeIds: z.array(noticeId).min(1).max(200) },
      { argumentBytesMax: 32_768 },
    ).answers<null>(),
    /** @param until the time of the newest notice that the caller has seen */
    markAllRead: mutation({ until: timeMs }).answers<null>(),
    /** Where each kind of notice is announced; null until it is loaded. */
    settings: query({}).answers<NoticeSettings | null>(),
    /** Sets the given switches of one kind. */
    setSwitches: mutation({
      kind: z.enum(NOTICE_KINDS),
      switches: z.strictObject({
        page: z.boolean().optional(),
        browser: z.boolean().optional(),
        mail: z.boolean().optional(),
      }),
    }).answers<NoticeSettings>(),
  },
  /** The markets that the caller watches. */
  watchlist: {
    /** Symbols in the caller's order; null until they are loaded. */
    list: query({}).answers<string[] | null>(),
    /** Appends the markets that are not on the list yet; none if the list would become too long. */
    add: mutation({ markets: z.array(market).min(1).max(WATCHED_MARKETS_MAX) }).answers<null>(),
    remove: mutation({ market }).answers<null>(),
    /** @param index counted from 0; the other markets keep their order */
    move: mutation({
      market,
      index: z.number().int().min(0).max(WATCHED_MARKETS_MAX),
    }).answers<null>(),
  },
  mails: {
    /** Mails waiting for the mail server, newest first. */
    queue: adminAction({ limit }).answers<MailQueue>(),
    /**
     * Retries the mails whose last attempt failed, and returns their number. An action, which clients
     * never re-send: it sends no command to the exchange, so no command's time limit would stop a
     * repeat.
     */
    retry: adminAction({}).answers<{ mails: number }>(),
  },
  nodes: {
    /** The nodes that answer, the leader first; null if one process runs the exchange. */
    list: adminAction({}).answers<{ nodes: NodeState[] | null }>(),
    /** Has the leader step down in favour of another node, and returns its answer. */
    stepDown: adminAction({ reason }).answers<{ said: string }>(),
  },
  audit: {
    /** Changes that administrators made by commands, newest first. */
    changes: adminAction({ ...adminChangeFilter, ...paged }).answers<Page<AdminChange>>(),
    /** Every user's security events, newest first. */
    page: adminAction({ ...securityEventFilter, ...paged }).answers<Page<AuditEvent>>(),
  },
} as const;

export type PublicFunctions = typeof publicFunctions;
