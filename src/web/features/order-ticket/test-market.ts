/** The market used by the ticket's tests. */
import type { Market } from "#contract/types.ts";

export const TEST_MARKET: Market = {
  symbol: "BTC-USD",
  base: "BTC",
  quote: "USD",
  baseName: "Bitcoin",
  tickSize: "0.01",
  lotSize: "0.0001",
  notionalMin: "10",
  quantityMax: "100",
  priceDecimals: 2,
  quantityDecimals: 4,
  quoteDecimals: 2,
  status: "trading",
  closesAt: null,
  simulated: true,
  notionalMax: null,
  priceBand: null,
  funds: null,
  protectionBps: 500,
  fees: null,
};
