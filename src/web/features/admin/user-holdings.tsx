import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import { Amount } from "../../format/amount.tsx";
import { errorSentence } from "../../session/error-sentence.ts";
import { Badge } from "../../ui/badge.tsx";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { Panel } from "../../ui/panel.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";

/** A user's balances and their value, live. */
export function UserHoldings({ userId }: { readonly userId: string }) {
  const { data: summary, error } = useQuery(convexQuery(functions.users.summary, { userId }));
  return (
    <Panel
      title="Account"
      aside={summary?.isFrozen === true ? <Badge tone="warn">Frozen</Badge> : undefined}
    >
      {error !== null ? (
        <p className="p-4 text-sm text-muted">{errorSentence(error)}</p>
      ) : summary === undefined ? (
        <div className="p-4">
          <LoadingText />
          <Skeleton className="h-16" />
        </div>
      ) : summary === null ? (
        <p className="p-4 text-sm text-muted">Nothing was ever opened for this user.</p>
      ) : (
        <>
          <dl className="divide-y text-xs [&>div]:flex [&>div]:items-baseline [&>div]:justify-between [&>div]:gap-4 [&>div]:px-4 [&>div]:py-2 [&_dt]:text-muted">
            <div>
              <dt>Worth</dt>
              <dd className="figures text-sm font-medium">
                <Amount amount={summary.equity} coin={summary.settlementCoin} />
              </dd>
            </div>
            <div>
              <dt>Open orders</dt>
              <dd className="figures">{summary.openOrders}</dd>
            </div>
            <div>
              <dt>Plan</dt>
              <dd>{summary.plan}</dd>
            </div>
          </dl>
          {summary.balances.length === 0 ? null : (
            <ul className="divide-y border-t text-xs">
              {summary.balances.map(({ coin, total, held, displayDecimals }) => (
                <li key={coin} className="flex items-center gap-2.5 px-4 py-2">
                  <CoinIcon symbol={coin} className="size-5!" />
                  <span className="font-medium">{coin}</span>
                  <span className="figures ml-auto text-right">
                    <Amount amount={total} decimals={displayDecimals} />
                    {Number(held) === 0 ? null : (
                      <span className="block text-2xs text-faint">
                        <Amount amount={held} decimals={displayDecimals} /> held
                      </span>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </Panel>
  );
}
