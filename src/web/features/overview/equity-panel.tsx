import type { Portfolio } from "#contract/types.ts";
import {
  directionOf,
  formatChartNumber,
  formatMoney,
  formatPercent,
  formatProfit,
} from "../../format/money.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { Change } from "../../ui/change.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Curve } from "../../ui/curve.tsx";
import { LiveText } from "../../ui/live-text.tsx";
import { firstChange } from "../../format/decimal-text.ts";

interface EquityPanelProps {
  readonly portfolio: Portfolio;
  readonly className?: string;
}

/** What everything is worth now, what the day did to it, and its curve. */
export function EquityPanel({ portfolio, className }: EquityPanelProps) {
  const timeZone = useTimeZone();
  const { settlementCoin, equity, dayChange, dayChangePercent, curve } = portfolio;
  const percent = dayChangePercent === null ? "" : ` (${formatPercent(dayChangePercent)})`;
  return (
    <section
      aria-label="Equity"
      className={classNames("flex min-w-0 flex-col rounded-lg border bg-surface p-4", className)}
    >
      <h2 className="text-xs text-muted">Total equity</h2>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <span className="min-w-0 text-2xl font-semibold tracking-tight tabular">
          <LiveText text={formatMoney(equity)} firstChange={firstChange} />
        </span>
        <span className="text-sm text-muted">{settlementCoin}</span>
      </p>
      <p className="mt-1 text-sm">
        <Change
          text={`${formatProfit(dayChange)}${percent}`}
          direction={directionOf(dayChange)}
          arrow
        />
        <span className="text-muted"> in 24 h</span>
      </p>
      {curve.length < 2 ? (
        <p className="flex min-h-48 flex-1 items-center justify-center text-xs text-faint">
          {portfolio.holdings.length === 0
            ? "The curve begins with your first funds."
            : "The curve appears with its second minute."}
        </p>
      ) : (
        <Curve
          className="mt-4 min-h-56 flex-1"
          label={`Equity in ${settlementCoin} over time`}
          points={curve.map((point) => ({ time: point.time, value: point.equity }))}
          valueText={(value) => formatChartNumber(value, 2)}
          timeText={(time) => formatShortDateTime(time, timeZone).replace(/:\d\d$/, "")}
        />
      )}
    </section>
  );
}
