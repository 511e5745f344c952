import { convexQuery } from "@convex-dev/react-query";
import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { functions } from "#contract/functions.ts";
import { PriceInTitle } from "../../features/market-switcher/price-in-title.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { rememberMarket, useLastMarket } from "./-trade/last-market.ts";
import { readMarketSymbol } from "./-trade/market-symbol.ts";
import { Terminal } from "./-trade/terminal.tsx";

/** Rarely shown. */
const MarketMissing = lazyComponent(() => import("./-trade/market-missing.tsx"));

const marketsQuery = convexQuery(functions.markets.list, {});
const venueQuery = convexQuery(functions.venue.info, {});

export const Route = createFileRoute("/_open/trade")({
  // Always set: a missing key would let the unvalidated value of the address through.
  validateSearch: (search: Record<string, unknown>): { market?: string | undefined } => ({
    market: readMarketSymbol(search["market"]),
  }),
  loader: async ({ context: { queryClient } }) => {
    await Promise.all([
      queryClient.ensureQueryData(marketsQuery),
      queryClient.ensureQueryData(venueQuery),
      queryClient.ensureQueryData(convexQuery(functions.markets.tickers, {})),
    ]);
  },
  head: () => ({ meta: [{ title: "Trade" }] }),
  component: Trade,
});

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
  const find = (wanted: string | undefined) => markets.find(({ symbol }) => symbol === wanted);
  const market = named === undefined ? (find(last) ?? markets[0]) : find(named);
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
