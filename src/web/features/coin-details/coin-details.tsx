import { functions } from "#contract/functions.ts";
import type { Coin, CoinStatus } from "#contract/types.ts";
import { coinStatusText } from "../../format/coin-status.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Badge, SimulatedBadge } from "../../ui/badge.tsx";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** An explanation of the status for the coin's owners; undefined if nothing is closed. */
const MEANINGS: Readonly<Record<CoinStatus, string | undefined>> = {
  listed: undefined,
  depositOnly: "It cannot be withdrawn at the moment.",
  withdrawOnly: "It cannot be deposited at the moment.",
  delisting: "It is leaving this exchange and cannot be deposited any more.",
  hidden: "It is no longer shown and cannot be deposited.",
};

/** The operator's descriptions of coins. Loaded when it is opened, hence the default export. */
export default function CoinDetails({ symbol }: { readonly symbol: string }) {
  const { data: coins } = useFrameQuery(functions.coins.list, {});
  if (coins === undefined) return <Skeleton className="h-24 w-full" />;
  const shown = symbol.split("-").flatMap((each) => coins.filter((coin) => coin.symbol === each));
  return (
    <div className="grid gap-4">
      {shown.map((coin) => (
        <CoinWords key={coin.symbol} coin={coin} />
      ))}
      {shown.length === 0 ? (
        <p className="text-xs text-muted">This coin is not shown any more.</p>
      ) : null}
    </div>
  );
}

/** A coin's description, status in words, risk note and website. */
function CoinWords({ coin }: { readonly coin: Coin }) {
  const { description, name, priceSource, riskNote, status, symbol, website } = coin;
  const meaning = MEANINGS[status];
  return (
    <section aria-label={name} className="grid gap-2 text-xs">
      <h3 className="flex flex-wrap items-center gap-2 text-sm font-semibold">
        <CoinIcon symbol={symbol} className="size-5!" />
        {name} <span className="font-normal text-faint">{symbol}</span>
        <Badge tone={status === "listed" ? "neutral" : "warn"}>{coinStatusText(status)}</Badge>
        {priceSource === "simulated" ? <SimulatedBadge /> : null}
      </h3>
      {meaning === undefined ? null : <p>{meaning}</p>}
      {description === "" ? null : (
        <p className="whitespace-pre-line wrap-anywhere text-muted">{description}</p>
      )}
      {riskNote === "" ? null : (
        <p className="whitespace-pre-line wrap-anywhere">
          <span className="font-medium text-warn">Risk: </span>
          {riskNote}
        </p>
      )}
      {website === "" ? null : (
        <p>
          <a
            href={website}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="touchable wrap-anywhere text-accent hover:underline"
          >
            {website}
            <span className="sr-only">, opens another site</span>
          </a>
        </p>
      )}
    </section>
  );
}
