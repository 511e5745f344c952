/**
 * Example arguments of each public function, for docs/functions.md; functions without arguments are
 * omitted.
 */
import type { PublicFunctions } from "#contract/public-functions.ts";

type Noun = keyof PublicFunctions;
/** The path of a public function, such as "orders:place". */
export type FunctionPath = { [N in Noun]: `${N}:${keyof PublicFunctions[N] & string}` }[Noun];

const PAGE = { limit: 20 };
const LIMIT_ORDER = {
  side: "buy",
  type: "limit",
  price: "60000.00",
  quantity: "0.0100",
} as const;

const TEA = {
  kind: "coin",
  coin: { symbol: "TEA", name: "Tea", kind: "token", decimals: 2, shownDecimals: 2 },
} as const;

export const EXAMPLES: Readonly<Partial<Record<FunctionPath, object>>> = {
  "plans:choose": { plan: "pro" },
  "plans:assign": { userId: "uYz1", plan: "market-maker", reason: "Quotes both sides." },
  "catalogue:preview": { entry: TEA, seen: null },
  "catalogue:change": {
    entry: TEA,
    seen: null,
    shown: ["coin TEA: new, Tea"],
    reason: "The members voted.",
  },
  "users:list": { search: "example.com", limit: 20 },
  "users:summary": { userId: "uYz1" },
  "markets:state": { market: "BTC-USD" },
  "markets:setStatus": { market: "BTC-USD", status: "halted", reason: "A broken feed." },
  "markets:schedule": {
    market: "BTC-USD",
    seen: [],
    steps: [{ at: 1_790_000_000_000, status: "closed" }],
    reason: "It is delisted.",
  },
  "markets:book": { market: "BTC-USD", levels: 10 },
  "markets:trades": { market: "BTC-USD" },
  "markets:latestCandles": { market: "BTC-USD", interval: "1m" },
  "markets:candles": { market: "BTC-USD", interval: "1h", limit: 100 },
  "accounts:statement": { from: 1_760_000_000_000, to: 1_762_000_000_000 },
  "accounts:freeze": { userId: "uYz1", frozen: true, reason: "A report of theft." },
  "accounts:ledgerEntries": { sequence: 4711 },
  "transfers:requestDeposit": { coin: "EUR", amount: "150.00", network: "SEPA" },
  "transfers:forfeitDust": { coin: "EUR", amount: "0.03" },
  "transfers:cancel": { transferId: 12 },
  "transfers:requestWithdrawal": {
    addressId: "b8f0c1f2-9d3e-4a57-8a44-1c2d3e4f5a6b",
    amount: "100.00",
    requestId: "5f1c8c0e-1c35-4a0e-8d1b-6f0a2b3c4d5e",
  },
  "transfers:addAddress": {
    coin: "EUR",
    network: "SEPA",
    address: "DE02120300000000202051",
    label: "My bank",
  },
  "transfers:removeAddress": { addressId: "b8f0c1f2-9d3e-4a57-8a44-1c2d3e4f5a6b" },
  "transfers:record": {
    transferId: 12,
    amount: "149.50",
    receipt: "2026-11-25/7",
    reason: "On the statement.",
  },
  "transfers:send": { transferId: 13, receipt: "P-2026-11", reason: "Paid." },
  "transfers:decide": { transferId: 13, step: "approve", reason: "A known address." },
  "transfers:importDeposits": {
    csv: "reference,coin,amount,receipt\nOB-000012-31,EUR,149.50,2026-11-25/7\n",
    apply: false,
    reason: "The statement of November.",
  },
  "adjustments:propose": { userId: "uYz1", coin: "USD", amount: "-12.50", reason: "A refund." },
  "adjustments:approve": { adjustmentId: 1 },
  "adjustments:reject": { adjustmentId: 1 },
  "orders:open": { market: "BTC-USD" },
  "orders:recent": { market: "BTC-USD" },
  "orders:history": { market: "BTC-USD", limit: 50 },
  "orders:list": { market: "BTC-USD", paginationOpts: { numItems: 50, cursor: null } },
  "orders:life": { orderId: "42" },
  "orders:place": { market: "BTC-USD", ...LIMIT_ORDER, clientOrderId: "my-first" },
  "orders:cancel": { orderId: "42" },
  "orders:cancelAll": { market: "BTC-USD", side: "buy" },
  "orders:cancelAfter": { delayMs: 60_000 },
  "orders:amend": { orderId: "42", price: "59000.00" },
  "orders:replace": { orderId: "42", order: { market: "BTC-USD", ...LIMIT_ORDER } },
  "orders:placeList": {
    market: "BTC-USD",
    kind: "oco",
    orders: [
      { side: "sell", type: "limit", price: "70000.00", quantity: "0.0100" },
      {
        side: "sell",
        type: "market",
        quantity: "0.0100",
        trigger: { type: "stop", price: "50000.00" },
      },
    ],
  },
  "fills:recent": { market: "BTC-USD" },
  "fills:history": { market: "BTC-USD", limit: 20 },
  "fills:ofOrder": { orderId: "42" },
  "fills:record": { orderId: "42", tradeId: 7 },
  "portfolio:profits": { method: "fifo" },
  "activity:page": { kind: "fill", ...PAGE },
  "alerts:create": { market: "BTC-USD", condition: { kind: "price", price: "70000.00" } },
  "alerts:setPaused": { alertId: "a1", paused: true },
  "alerts:remove": { alertId: "a1" },
  "apiKeys:create": { name: "My bot", kind: "hmac", permissions: ["read", "trade"] },
  "apiKeys:rename": { keyId: "k1", name: "My old bot" },
  "apiKeys:restrict": { keyId: "k1", permissions: ["read"] },
  "apiKeys:setFaults": { keyId: "k1", faults: {}, seconds: 60 },
  "apiKeys:revoke": { keyId: "k1" },
  "notices:page": PAGE,
  "notices:markRead": { noticeIds: ["n1"] },
  "notices:markAllRead": { until: 1_762_000_000_000 },
  "notices:setSwitches": { kind: "fill", switches: { mail: false } },
  "watchlist:add": { markets: ["BTC-USD"] },
  "watchlist:remove": { market: "BTC-USD" },
  "watchlist:move": { market: "BTC-USD", index: 0 },
  "mails:queue": PAGE,
  "nodes:stepDown": { reason: "A new kernel." },
  "audit:page": { kind: "signedIn", ...PAGE },
};
