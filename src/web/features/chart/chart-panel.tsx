import { ChartCandlestick } from "lucide-react";
import { useState } from "react";
import type { Market } from "#contract/types.ts";
import { formatChartNumber } from "../../format/money.ts";
import { formatDateTime, useTimeZone } from "../../format/time.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { lazyComponent } from "../../ui/lazy-component.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { FeedStatus } from "./candle-feed.ts";
import { ChartToolbar } from "./chart-toolbar.tsx";
import { intervalName } from "./intervals.ts";
import {
  type ChartPreferences,
  DEFAULT_PREFERENCES,
  savePreferences,
  usePreferences,
} from "./preferences.ts";
import type { ChartRange } from "./visible-range.ts";

/** The drawing library is a third of the page's code: it loads after everything needed for trading. */
const CandleChart = lazyComponent(() => import("./candle-chart.tsx"));

/** Candles, volume and indicators of a market, with the viewer's own orders. */
export function ChartPanel({ market }: { readonly market: Market }) {
  const preferences = usePreferences();
  const [status, setStatus] = useState<FeedStatus>("loading");
  const [range, setRange] = useState<ChartRange | null>(null);
  const [attempt, setAttempt] = useState(0);
  const shown = preferences ?? DEFAULT_PREFERENCES;
  return (
    <section aria-label="Price chart" className="flex h-full min-h-0 flex-1 flex-col">
      <ChartToolbar preferences={shown} onChange={savePreferences} />
      <div className="live-data relative min-h-0 flex-1">
        {preferences === null ? null : (
          <div className="absolute inset-0">
            <CandleChart
              key={attempt}
              market={market}
              interval={preferences.interval}
              indicators={preferences.indicators}
              onStatus={setStatus}
              onRange={setRange}
            />
          </div>
        )}
        <Cover status={status} onRetry={() => setAttempt(attempt + 1)} />
        <TextAlternative market={market} preferences={shown} range={range} />
      </div>
    </section>
  );
}

interface CoverProps {
  readonly status: FeedStatus;
  readonly onRetry: () => void;
}

/** Covers the chart until it has data. */
function Cover({ status, onRetry }: CoverProps) {
  if (status === "ready") return null;
  if (status === "loading") {
    return (
      <output className="absolute inset-0 grid place-items-center bg-surface">
        <span className="sr-only">Loading the chart</span>
        <div className="flex h-2/5 w-3/5 items-end justify-between gap-2" aria-hidden>
          {[40, 62, 50, 78, 66, 90, 72, 84, 58, 70].map((height, index) => (
            <div key={index} className="flex h-full flex-1 items-end">
              <div className="w-full" style={{ height: `${height}%` }}>
                <Skeleton className="size-full" />
              </div>
            </div>
          ))}
        </div>
      </output>
    );
  }
  return (
    <div className="absolute inset-0 grid place-items-center bg-surface">
      {status === "failed" ? (
        <EmptyState
          icon={ChartCandlestick}
          title="The candles could not be loaded"
          text="The connection was cut off while they were on their way."
          action={
            <Button size="sm" onClick={onRetry}>
              Try again
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={ChartCandlestick}
          title="No trades yet"
          text="The first trade in this market draws the first candle."
        />
      )}
    </div>
  );
}

interface TextAlternativeProps {
  readonly market: Market;
  readonly preferences: ChartPreferences;
  readonly range: ChartRange | null;
}

function TextAlternative({ market, preferences, range }: TextAlternativeProps) {
  const timeZone = useTimeZone();
  if (range === null) return null;
  const price = (value: number) =>
    `${formatChartNumber(value, market.priceDecimals)} ${market.quote}`;
  return (
    <p className="sr-only">
      {market.symbol}, candles of {intervalName(preferences.interval)} from{" "}
      {formatDateTime(range.from, timeZone)} to {formatDateTime(range.to, timeZone)}. Last price{" "}
      {price(range.last)}, highest {price(range.high)}, lowest {price(range.low)}.
    </p>
  );
}
