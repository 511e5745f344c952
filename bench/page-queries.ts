/** The initial live queries of a signed-in user's pages. */

export type Query = readonly [path: string, args: object];

export const MARKET = { market: "BTC-USD" };

/** Queries of the frame around every page. */
const FRAME: readonly Query[] = [
  ["venue:time", {}],
  ["venue:info", {}],
  ["users:current", {}],
  ["notices:recent", {}],
  ["fills:recent", {}],
  ["markets:list", {}],
  ["markets:tickers", {}],
];

export const PAGES = {
  trade: [
    ...FRAME,
    ["markets:book", MARKET],
    ["markets:trades", MARKET],
    ["markets:latestCandles", { ...MARKET, interval: "1m" }],
    ["orders:open", MARKET],
    ["orders:open", {}],
    ["fills:recent", MARKET],
    ["accounts:balances", {}],
  ],
  dashboard: [
    ...FRAME,
    ["portfolio:summary", {}],
    ["coins:list", {}],
    ["orders:open", {}],
    ["orders:recent", {}],
    ["activity:recent", {}],
    ["watchlist:list", {}],
  ],
} as const satisfies Readonly<Record<string, readonly Query[]>>;

export type PageName = keyof typeof PAGES;
