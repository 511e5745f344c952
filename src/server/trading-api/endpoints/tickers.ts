/** Prices of one market, of several, or of all. */
import { z } from "zod";
import type { MarketView } from "../../views/catalogue.ts";
import type { Views } from "../../views/views.ts";
import { conflictingParameters } from "../api-error.ts";
import { type Endpoint, endpoint } from "../endpoint.ts";
import { symbol, symbols, symbolStatus } from "../parameters.ts";
import {
  hasStatus,
  marketWithStatus,
  marketOf,
  marketsOf,
  type SymbolStatus,
  symbolOf,
} from "../symbols.ts";
import { bestOf, fullDay, lastPrice, miniDay } from "../tickers.ts";

interface MarketSelection {
  readonly symbol?: string | undefined;
  readonly symbols?: string[] | undefined;
  readonly symbolStatus?: SymbolStatus | undefined;
}

const marketSelection = {
  symbol: symbol.optional(),
  symbols: symbols.optional(),
  symbolStatus: symbolStatus.optional(),
};

/** An object for one market, an array for several. */
function describeEach(
  views: Views,
  { symbol, symbols, symbolStatus: status }: MarketSelection,
  describe: (views: Views, market: MarketView) => object,
): unknown {
  if (symbol !== undefined && symbols !== undefined) throw conflictingParameters();
  if (symbol !== undefined) return describe(views, marketWithStatus(views, symbol, status));
  return marketsOf(views, symbols)
    .filter((market) => hasStatus(views, market, status))
    .map((market) => describe(views, market));
}

function tickerEndpoint(
  name: string,
  summary: string,
  weights: { readonly one: number; readonly all: number },
  describe: (views: Views, market: MarketView) => object,
): Endpoint {
  return endpoint({
    method: "GET",
    path: `/api/v3/ticker/${name}`,
    summary,
    security: "none",
    weight: {
      text: `${weights.one} for one market, ${weights.all} for several`,
      of: (given) => (given.symbol === undefined ? weights.all : weights.one),
    },
    errors: [-1128, -1220],
    parameters: z.object(marketSelection),
    answer: ({ views }, given) => describeEach(views, given, describe),
  });
}

export const price = tickerEndpoint(
  "price",
  "The last price of one market, of several or of all.",
  { one: 2, all: 4 },
  (views, market) => ({
    symbol: symbolOf(market),
    price: lastPrice(views, market),
  }),
);

export const bookTicker = tickerEndpoint(
  "bookTicker",
  "The best bid and ask of one market, of several or of all.",
  { one: 2, all: 4 },
  (views, market) => ({
    symbol: symbolOf(market),
    ...bestOf(views, market),
  }),
);

export const day = endpoint({
  method: "GET",
  path: "/api/v3/ticker/24hr",
  summary: "Prices and volumes of the last 24 hours.",
  security: "none",
  weight: {
    text: "2 up to 20 markets, 40 up to 100, 80 for more and for all",
    of({ symbol, symbols }) {
      if (symbol !== undefined) return 2;
      const count = symbols?.length ?? Infinity;
      return count <= 20 ? 2 : count <= 100 ? 40 : 80;
    },
  },
  errors: [-1128, -1220],
  parameters: z.object({ ...marketSelection, type: z.enum(["FULL", "MINI"]).default("FULL") }),
  answer: ({ views }, { type, ...given }) =>
    describeEach(views, given, type === "FULL" ? fullDay : miniDay),
});

export const averagePrice = endpoint({
  method: "GET",
  path: "/api/v3/avgPrice",
  summary: "The price that limits of prices are about.",
  security: "none",
  weight: 2,
  parameters: z.object({ symbol }),
  // The price filters refer to the last price, which is Binance's average price over 0 minutes.
  answer({ views }, given) {
    const market = marketOf(views, given.symbol);
    const [trade] = views.trades.latest(market.marketId, 1);
    return { mins: 0, price: lastPrice(views, market), closeTime: trade?.timestampMs ?? 0 };
  },
});
