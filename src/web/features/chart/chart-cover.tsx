import { ChartCandlestick } from "lucide-react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { FeedStatus } from "./candle-feed.ts";

interface ChartCoverProps {
  readonly status: FeedStatus;
  readonly onRetry: () => void;
}

/** Covers the chart until it has data. */
export function ChartCover({ status, onRetry }: ChartCoverProps) {
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
