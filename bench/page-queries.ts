/** The live queries of a signed-in user's pages, as the pages ask for them at first. */

export type Query = readonly [path: string, args: object];

export const MARKET = { market: "BTC-USD" };

/** What every page shows around its own content. */
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
