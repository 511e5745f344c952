import { type ReactNode, useCallback, useState } from "react";
import { compareDecimals } from "#contract/decimal.ts";
import { functions } from "#contract/functions.ts";
import type { Market, Ticker } from "#contract/types.ts";
import { directionOf, formatPercent, formatPrice, formatVolume } from "../../format/money.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { FundsBadge, SimulatedBadge } from "../../ui/badge.tsx";
import { Change } from "../../ui/price-change.tsx";
import { classNames } from "../../ui/class-names.ts";

interface MarketStatsProps {
  readonly market: Market;
  /** Whether the whole exchange is simulated, which the page says elsewhere. */
  readonly isVenueSimulated: boolean;
}

/** A market's last price and its figures of the last 24 hours. */
export function MarketStats({ market, isVenueSimulated }: MarketStatsProps) {
  const select = useCallback(
    (tickers: Ticker[]) => tickers.find((ticker) => ticker.market === market.symbol),
    [market.symbol],
  );
  const { data: ticker } = useFrameQuery(functions.markets.tickers, {}, select);
  const last = ticker?.last ?? null;
  const direction = useTickDirection(last);
  const change = ticker?.change24h ?? null;
  const price = (value: string | null | undefined) =>
    formatPrice(value ?? null, market.priceDecimals);
  return (
    <>
      <p
        className={classNames(
          "live-data figures min-w-24 shrink-0 text-lg font-semibold leading-6",
          direction === "up" ? "text-buy" : direction === "down" ? "text-sell" : "text-text",
        )}
      >
        <span className="sr-only">Last price </span>
        {price(last)}
      </p>
      {market.simulated && !isVenueSimulated ? <SimulatedBadge className="shrink-0" /> : null}
      {market.funds ? <FundsBadge funds={market.funds} isSimulated={market.simulated} /> : null}
      <section
        aria-label="Last 24 hours"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable, so reachable by keyboard
        tabIndex={0}
        className="min-w-0 overflow-x-auto rounded-sm max-md:px-2 [scrollbar-width:none] focus-visible:-outline-offset-2"
      >
        <dl className="live-data flex w-max items-center gap-5 max-sm:gap-4">
          <Figure term="24 h change">
            <Change text={formatPercent(change)} direction={directionOf(change)} arrow />
          </Figure>
          <Figure term="24 h high">{price(ticker?.high24h)}</Figure>
          <Figure term="24 h low">{price(ticker?.low24h)}</Figure>
          {/* Narrow windows show only one of the two volumes. */}
          <Figure term={`24 h volume (${market.base})`} className="max-lg:hidden">
            {formatVolume(ticker?.baseVolume24h ?? null)}
          </Figure>
          <Figure term={`24 h volume (${market.quote})`}>
            {formatVolume(ticker?.quoteVolume24h ?? null)}
          </Figure>
        </dl>
      </section>
    </>
  );
}

interface FigureProps {
  readonly term: string;
  readonly className?: string;
  readonly children: ReactNode;
}

function Figure({ term, className, children }: FigureProps) {
  return (
    <div className={classNames("shrink-0", className)}>
      <dt className="whitespace-nowrap text-2xs text-faint">{term}</dt>
      <dd className="figures whitespace-nowrap text-xs">{children}</dd>
    </div>
  );
}

interface Former {
  readonly price: string | null;
  readonly direction: "up" | "down" | "flat";
}

/** The direction of the last price change, up or down. */
function useTickDirection(last: string | null): Former["direction"] {
  const [former, setFormer] = useState<Former>({ price: null, direction: "flat" });
  if (last === null || last === former.price) return former.direction;
  const direction =
    former.price === null ? "flat" : compareDecimals(last, former.price) > 0 ? "up" : "down";
  setFormer({ price: last, direction });
  return direction;
}
