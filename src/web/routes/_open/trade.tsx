import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { functions } from "#contract/functions.ts";
import type { Market } from "#contract/types.ts";
import { PriceInTitle } from "../../features/market-switcher/price-in-title.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";
import { rememberMarket, useLastMarket } from "./-trade/last-market.ts";
import { parseMarketSymbol } from "./-trade/market-symbol.ts";
import { Terminal } from "./-trade/terminal.tsx";

/** Loaded on demand, since it is rarely shown. */
const MarketMissing = lazyComponent(() => import("./-trade/market-missing.tsx"));

const marketsQuery = convexQuery(functions.markets.list, {});
const venueQuery = convexQuery(functions.venue.info, {});

export const Route = createFileRoute("/_open/trade")({
  // Always set: a missing key would let the unvalidated value of the URL through.
  validateSearch: (search: Record<string, unknown>): { market?: string | undefined } => ({
    market: parseMarketSymbol(search["market"]),
  }),
  loader: async ({ context: { queryClient, userId }, location }) => {
    const [markets] = await Promise.all([
      queryClient.ensureQueryData(marketsQuery),
      queryClient.ensureQueryData(venueQuery),
      queryClient.ensureQueryData(convexQuery(functions.markets.tickers, {})),
    ]);
    if (typeof window !== "undefined") return;
    // The server renders the book, so that it shows before scripts run and before there is a connection.
    const market = marketOf(
      markets,
      parseMarketSymbol(new URLSearchParams(location.searchStr).get("market")),
    );
    if (market === undefined) return;
    const book = convexQuery(functions.markets.book, { market: market.symbol });
    await Promise.all([
      queryClient.prefetchQuery(book),
      // So are the balances, as wide as they are.
      userId === null
        ? undefined
        : queryClient.prefetchQuery(convexQuery(functions.accounts.balances, {})),
    ]);
  },
  head: () => ({ meta: [{ title: "Trade" }] }),
  // Late, since a skeleton stays for a while once it is shown.
  pendingMs: 1_000,
  pendingComponent: PageSkeleton,
  component: Trade,
});

/** The market in the URL, else the last one viewed, else the first. */
function marketOf(
  markets: readonly Market[],
  named: string | undefined,
  last?: string,
): Market | undefined {
  const find = (wanted: string | undefined) => markets.find(({ symbol }) => symbol === wanted);
  return named === undefined ? (find(last) ?? markets[0]) : find(named);
}

function Trade() {
  const { market: named } = Route.useSearch();
  const last = useLastMarket();
  const { data: markets } = useSuspenseQuery(marketsQuery);
  const { data: venue } = useSuspenseQuery(venueQuery);
  const navigate = Route.useNavigate();
  const choose = useCallback(
    (market: string) => void navigate({ search: { market }, resetScroll: false }),
    [navigate],
  );
  const market = marketOf(markets, named, last);
  const shown = market?.symbol;
  useEffect(() => {
    if (named !== undefined && named === shown) rememberMarket(shown);
  }, [named, shown]);
  if (market === undefined) return <MarketMissing symbol={named} onChoose={choose} />;
  return (
    <>
      <PriceInTitle market={market} />
      <Terminal market={market} markets={markets} venue={venue} onChoose={choose} />
    </>
  );
}
