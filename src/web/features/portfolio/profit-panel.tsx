import { useConvexAction } from "@convex-dev/react-query";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { subtractDecimals } from "#contract/decimal.ts";
import { COST_METHODS, type CostMethod } from "#contract/enumerations.ts";
import { functions } from "#contract/functions.ts";
import type { Portfolio, ProfitReport } from "#contract/types.ts";
import { Amount, ProfitAmount } from "../../format/amount.tsx";
import { formatTime, useTimeZone } from "../../format/time.ts";
import { Unreadable } from "../../session/unreadable.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";
import { PlainSelect } from "../../ui/plain-select.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { PROFIT_RANGES, type ProfitRange, startOfRange } from "./profit-range.ts";
import { ProfitTable } from "./profit-table.tsx";

const METHOD_LABELS = {
  average: "Average cost",
  fifo: "First in, first out",
} as const satisfies Record<CostMethod, string>;
/** Refetch interval: unrealised profit changes with prices. */
const REFRESH_MS = 15_000;
const SELECT = "h-7 border-line-strong!";

/** Profit by coin, by either cost method and within a range, compared with holding. */
export function ProfitPanel({ portfolio }: { readonly portfolio: Portfolio }) {
  const [method, setMethod] = useState<CostMethod>("average");
  const [range, setRange] = useState<ProfitRange>("all");
  const read = useConvexAction(functions.portfolio.profits);
  const { feesPaid, deposited } = portfolio;
  const {
    data: report,
    dataUpdatedAt: readAtMs,
    error,
    refetch,
  } = useQuery({
    // The sums in the key change with new fills and transfers, which refetches the report.
    queryKey: ["profits", method, range, feesPaid, deposited],
    queryFn: () => read({ method, from: startOfRange(range, Date.now()) }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  return (
    <Panel
      title="Profit by coin"
      aside={
        <>
          <PlainSelect
            aria-label="Realised within"
            className={SELECT}
            value={range}
            options={PROFIT_RANGES}
            onChange={setRange}
          />
          <PlainSelect
            aria-label="Cost of what is sold"
            className={SELECT}
            value={method}
            options={COST_METHODS.map((value) => ({ value, label: METHOD_LABELS[value] }))}
            onChange={setMethod}
          />
        </>
      }
    >
      {report === undefined ? (
        error === null ? (
          <div className="space-y-2 p-4">
            <LoadingText />
            <Skeleton className="h-7" />
            <Skeleton className="h-7" />
          </div>
        ) : (
          <Unreadable what="profits" error={error} onRetry={refetch} />
        )
      ) : report.coins.length === 0 ? (
        <EmptyState title="No trades yet" text="Profits appear with your first fill." />
      ) : (
        <>
          <ProfitTable report={report} />
          <ComparedWithHolding report={report} readAtMs={readAtMs} />
        </>
      )}
    </Panel>
  );
}

interface ComparedWithHoldingProps {
  readonly report: ProfitReport;
  /** When the report was read: the figures above the panel follow later prices. */
  readonly readAtMs: number;
}

function ComparedWithHolding({ report, readAtMs }: ComparedWithHoldingProps) {
  const timeZone = useTimeZone();
  const { equity, heldValue, settlementCoin, planFees } = report;
  const difference = subtractDecimals(equity, heldValue);
  return (
    <p className="border-t px-4 py-3 text-xs text-pretty text-muted">
      Had you only held what you put in, it would be worth{" "}
      <span className="figures text-text">
        <Amount amount={heldValue} coin={settlementCoin} />
      </span>{" "}
      at the prices of <time className="figures">{formatTime(readAtMs, timeZone)}</time>: trading
      made a difference of <ProfitAmount amount={difference} coin={settlementCoin} />
      {Number(planFees) === 0 ? null : (
        <>
          , after <Amount amount={planFees} coin={settlementCoin} /> for plans
        </>
      )}
      .
    </p>
  );
}
