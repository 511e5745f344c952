import { ChevronDown } from "lucide-react";
import { CANDLE_INTERVALS, type CandleInterval } from "#contract/types.ts";
import { classNames } from "../../ui/class-names.ts";
import { Popover } from "../../ui/popover.tsx";
import { COMMON_INTERVALS, intervalName } from "./intervals.ts";

/**
 * Intervals with a button on wide charts only. On narrow charts only the chosen one has a button; the
 * menu has all.
 */
const WIDE_ONLY: ReadonlySet<CandleInterval> = new Set(["5m", "4h", "1w"]);

interface IntervalChoiceProps {
  readonly interval: CandleInterval;
  readonly onChoose: (interval: CandleInterval) => void;
}

export function IntervalChoice({ interval, onChoose }: IntervalChoiceProps) {
  const isCommon = COMMON_INTERVALS.includes(interval);
  return (
    <>
      <fieldset aria-label="Interval" className="flex items-center gap-0.5">
        {COMMON_INTERVALS.map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === interval}
            onClick={() => onChoose(value)}
            className={classNames(
              "relative h-7 rounded-sm px-2 text-xs font-medium transition-colors focus-visible:-outline-offset-2",
              value === interval
                ? "bg-hover text-accent"
                : "text-muted hover:bg-hover hover:text-text",
              value !== interval &&
                (WIDE_ONLY.has(value) ? "hidden @min-[44rem]:block" : "hidden @min-[40rem]:block"),
            )}
          >
            {value}
            <span className="sr-only">, {intervalName(value)}</span>
          </button>
        ))}
      </fieldset>
      <Popover
        label="All intervals"
        triggerLabel={`${isCommon ? "More" : interval}, all intervals`}
        trigger={
          <>
            {isCommon ? null : interval}
            <ChevronDown className="size-3.5" aria-hidden />
          </>
        }
        triggerClassName={classNames(
          "inline-flex h-7 shrink-0 items-center gap-1 rounded-sm px-1.5 text-xs font-medium transition-colors hover:bg-hover hover:text-text focus-visible:-outline-offset-2",
          isCommon ? "text-muted" : "bg-hover text-accent",
        )}
        className="w-48 p-1"
      >
        {(close) => (
          <fieldset aria-label="All intervals" className="grid grid-cols-2">
            {CANDLE_INTERVALS.map((value) => (
              <button
                key={value}
                type="button"
                aria-pressed={value === interval}
                onClick={() => {
                  onChoose(value);
                  close();
                }}
                className={classNames(
                  "flex h-8 w-full items-center whitespace-nowrap rounded-sm px-2 text-left text-xs hover:bg-hover hover:text-text focus-visible:-outline-offset-2",
                  value === interval ? "text-accent" : "text-muted",
                )}
              >
                {intervalName(value)}
              </button>
            ))}
          </fieldset>
        )}
      </Popover>
    </>
  );
}
