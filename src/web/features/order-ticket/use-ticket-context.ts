import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { functions } from "#contract/functions.ts";
import type { Plan } from "#contract/plans.ts";
import type { Balance, Decimal, Market, Ticker, VenueInfo } from "#contract/types.ts";
import type { CurrentUser } from "#contract/users.ts";
import { useBackend } from "../../session/use-backend.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";
import type { TicketContext } from "./ticket-context.ts";

/** Levels to request for a market order, whose estimate may need more of the book. */
const MARKET_ORDER_LEVELS = 100;
const COIN_SCALE_DEFAULT = 8;
const NO_FEES = { makerFeeBps: 0, takerFeeBps: 0 };

/** The live data that a ticket is validated against. */
export function useTicketContext(market: Market, isMarketOrder: boolean): TicketContext {
  const { data: book } = useFrameQuery(
    functions.markets.book,
    isMarketOrder
      ? { market: market.symbol, levels: MARKET_ORDER_LEVELS }
      : { market: market.symbol },
  );
  const base = useAvailable(market.base);
  const quote = useAvailable(market.quote);
  const fees = useFees(market);
  const last = useLastPrice(market.symbol);
  const scales = useCoinScales();
  const settlement = useSettlement(market.quote);
  return useMemo(
    () => ({
      market,
      book: book ?? null,
      last,
      settlement,
      available: base === undefined || quote === undefined ? null : { base, quote },
      fees,
      scales: {
        base: scales?.get(market.base) ?? COIN_SCALE_DEFAULT,
        quote: scales?.get(market.quote) ?? COIN_SCALE_DEFAULT,
      },
    }),
    [market, book, last, settlement, base, quote, fees, scales],
  );
}

/**
 * The market's fees if it has its own, else those of the viewer's plan; for visitors those of the
 * default plan.
 */
function useFees(market: Market): TicketContext["fees"] {
  const isSignedIn = useIsSignedIn();
  const { data: own } = useFrameQuery(functions.users.current, isSignedIn ? {} : "skip", planOf);
  const { data: everyones } = useFrameQuery(
    functions.plans.list,
    isSignedIn ? "skip" : {},
    planOfEveryone,
  );
  return market.fees ?? own ?? everyones ?? NO_FEES;
}

function useLastPrice(market: string): Decimal | null {
  const select = useCallback(
    (tickers: Ticker[]) => tickers.find((ticker) => ticker.market === market)?.last ?? null,
    [market],
  );
  return useFrameQuery(functions.markets.tickers, {}, select).data ?? null;
}

/** The quote coin's value in the settlement coin, by the last price of the market between them. */
function useSettlement(quote: string): TicketContext["settlement"] {
  const coin = useFrameQuery(functions.venue.info, {}, settlementCoinOf).data;
  const market = useLastPrice(`${quote}-${coin}`);
  const rate = coin === quote ? "1" : market;
  return useMemo(() => (coin === undefined || rate === null ? null : { coin, rate }), [coin, rate]);
}

function settlementCoinOf({ settlementCoin }: VenueInfo) {
  return settlementCoin;
}

function planOf(user: CurrentUser | null) {
  return user?.plan;
}

function planOfEveryone(plans: Plan[]) {
  return plans.find(({ eligibility }) => eligibility === "everyone");
}

function useAvailable(coin: string): string | undefined {
  const select = useCallback(
    (balances: Balance[]) => balances.find((balance) => balance.coin === coin)?.available ?? "0",
    [coin],
  );
  const args = useIsSignedIn() ? {} : "skip";
  return useFrameQuery(functions.accounts.balances, args, select).data;
}

/** Each coin's number of ledger decimals. Fetched once: it never changes, while prices change constantly. */
function useCoinScales(): ReadonlyMap<string, number> | undefined {
  const backend = useBackend();
  return useQuery({
    queryKey: ["coinScales"],
    queryFn: async () => {
      const coins = await backend.query(functions.coins.list, {});
      return new Map(coins.map((coin) => [coin.symbol, coin.scale]));
    },
    staleTime: Infinity,
    // Enabled only in the browser: the server has no live connection to query.
    enabled: typeof window !== "undefined",
  }).data;
}
