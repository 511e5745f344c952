import { useState } from "react";
import type { Portfolio } from "#contract/types.ts";
import {
  directionOf,
  formatAmount,
  formatChartNumber,
  formatPercent,
  formatProfit,
} from "../../format/money.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { Change } from "../../ui/price-change.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Curve } from "../../ui/line-chart.tsx";
import { LiveText } from "../../ui/live-text.tsx";
import { firstChange, formatExact } from "../../format/decimal-text.ts";
import { type EquityRange, pointsIn, RANGES } from "./equity-range.ts";

interface EquityPanelProps {
  readonly portfolio: Portfolio;
  readonly className?: string;
}

/** The equity's present value, its change over the day, and its curve. */
export function EquityPanel({ portfolio, className }: EquityPanelProps) {
  const timeZone = useTimeZone();
  const [range, setRange] = useState<EquityRange>("all");
  const { settlementCoin, equity, dayChange, dayChangePercent, curve } = portfolio;
  const percent = dayChangePercent === null ? "" : ` (${formatPercent(dayChangePercent)})`;
  return (
    <section
      aria-label="Equity"
      className={classNames("flex min-w-0 flex-col rounded-lg border bg-surface p-4", className)}
    >
      <div className="flex min-h-6 items-start justify-between gap-3">
        <h2 className="text-xs text-muted">Total equity</h2>
        {curve.length < 2 ? null : <RangeSwitch range={range} onChange={setRange} />}
      </div>
      <p className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <span
          className="min-w-0 text-2xl font-semibold tracking-tight tabular"
          title={formatExact(equity)}
        >
          <LiveText text={formatAmount(equity, 2)} firstChange={firstChange} />
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
      {curve.length === 0 ? null : curve.length === 1 ? (
        // As high as the curve, which begins with the next price.
        <div className="mt-4 min-h-56 flex-1 lg:min-h-80" />
      ) : (
        <Curve
          key={range}
          className="mt-4 min-h-56 flex-1 lg:min-h-80"
          label={`Equity in ${settlementCoin} over time`}
          points={pointsIn(curve, range).map(({ time, equity: value }) => ({ time, value }))}
          valueText={(value) => formatChartNumber(value, 2)}
          timeText={(time) => formatShortDateTime(time, timeZone).replace(/:\d\d$/, "")}
        />
      )}
    </section>
  );
}

interface RangeSwitchProps {
  readonly range: EquityRange;
  readonly onChange: (range: EquityRange) => void;
}

function RangeSwitch({ range, onChange }: RangeSwitchProps) {
  return (
    <fieldset aria-label="Time of the curve" className="-mt-1 flex">
      {RANGES.map(({ range: each, label, name }) => (
        <button
          key={each}
          type="button"
          aria-label={`${label}, ${name}`}
          aria-pressed={each === range}
          onClick={() => onChange(each)}
          className="h-7 min-w-8 rounded-sm px-1.5 text-xs text-muted hover:bg-hover hover:text-text aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-text forced-colors:aria-pressed:outline-1"
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
