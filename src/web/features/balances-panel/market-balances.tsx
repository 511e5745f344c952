import { useCallback } from "react";
import { functions } from "#contract/functions.ts";
import type { Balance, Market } from "#contract/types.ts";
import { Amount } from "../../format/amount.tsx";
import { DataAge } from "../../session/data-age.tsx";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** The viewer's balances of a market's two coins. */
export function MarketBalances({ market }: { readonly market: Market }) {
  return (
    <section aria-label="Balances of this market" className="border-t p-3">
      <div className="mb-2 flex items-center justify-between gap-2">
        <h2 className="text-xs font-semibold">Your balances</h2>
        <DataAge />
      </div>
      <dl className="live-data grid gap-3">
        <CoinBalance coin={market.base} />
        <CoinBalance coin={market.quote} />
      </dl>
    </section>
  );
}

function CoinBalance({ coin }: { readonly coin: string }) {
  const select = useCallback(
    (balances: Balance[]) => balances.find((balance) => balance.coin === coin),
    [coin],
  );
  const { data: balance } = useFrameQuery(functions.accounts.balances, {}, select);
  return (
    <div className="flex items-center justify-between gap-3 text-xs">
      <dt className="flex items-center gap-2 font-medium">
        <CoinIcon symbol={coin} className="size-5!" />
        {coin}
      </dt>
      <dd className="min-w-0 text-right">
        {balance === undefined ? (
          <Skeleton className="h-8 w-24" />
        ) : (
          <>
            <span className="figures block truncate">
              <Amount amount={balance.total} decimals={balance.displayDecimals} />
            </span>
            <span className="block truncate text-2xs text-muted">
              In orders{" "}
              <span className="figures">
                <Amount amount={balance.held} decimals={balance.displayDecimals} />
              </span>
            </span>
          </>
        )}
      </dd>
    </div>
  );
}
