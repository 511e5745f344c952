import { ChevronDown } from "lucide-react";
import { CANDLE_INTERVALS, type CandleInterval } from "#contract/types.ts";
import { DataAge } from "../../session/data-age.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Popover } from "../../ui/popover.tsx";
import { COMMON_INTERVALS, intervalName } from "./intervals.ts";
import { type ChartPreferences, INDICATOR_LABELS, INDICATORS } from "./preferences.ts";

interface ChartToolbarProps {
  readonly preferences: ChartPreferences;
  readonly onChange: (preferences: ChartPreferences) => void;
}

const TRIGGER =
  "inline-flex h-7 shrink-0 items-center gap-1 rounded-sm px-2 text-xs font-medium transition-colors hover:bg-hover hover:text-text focus-visible:-outline-offset-2";
const ITEM =
  "flex h-8 w-full cursor-pointer select-none items-center gap-2 whitespace-nowrap rounded-sm px-2 text-left text-xs text-muted hover:bg-hover hover:text-text focus-visible:-outline-offset-2";

export function ChartToolbar({ preferences, onChange }: ChartToolbarProps) {
  const { interval, indicators } = preferences;
  const isCommon = COMMON_INTERVALS.includes(interval);
  return (
    <header className="flex h-9 shrink-0 items-center gap-0.5 overflow-x-auto border-b px-1.5 [scrollbar-width:none]">
      <h2 className="sr-only">Price chart</h2>
      <fieldset aria-label="Interval" className="flex items-center gap-0.5">
        {COMMON_INTERVALS.map((value) => (
          <IntervalButton
            key={value}
            interval={value}
            isChosen={value === interval}
            onChoose={() => onChange({ ...preferences, interval: value })}
          />
        ))}
      </fieldset>
      <Popover
        label="All intervals"
        triggerLabel={`${isCommon ? "More" : interval}, all intervals`}
        trigger={<Caption text={isCommon ? "More" : interval} />}
        triggerClassName={classNames(TRIGGER, isCommon ? "text-muted" : "bg-hover text-accent")}
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
                  onChange({ ...preferences, interval: value });
                  close();
                }}
                className={classNames(ITEM, value === interval && "text-accent!")}
              >
                {intervalName(value)}
              </button>
            ))}
          </fieldset>
        )}
      </Popover>
      <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />
      <Popover
        label="Indicators"
        trigger={<Caption text="Indicators" count={indicators.length} />}
        triggerClassName={classNames(TRIGGER, "text-muted")}
        className="p-1"
      >
        {() => (
          <fieldset aria-label="Indicators">
            {INDICATORS.map((name) => (
              <label key={name} className={ITEM}>
                <input
                  type="checkbox"
                  checked={indicators.includes(name)}
                  onChange={(event) => {
                    const checked = event.currentTarget.checked;
                    onChange({
                      ...preferences,
                      indicators: INDICATORS.filter((other) =>
                        other === name ? checked : indicators.includes(other),
                      ),
                    });
                  }}
                  className="size-4 accent-accent"
                />
                {INDICATOR_LABELS[name]}
              </label>
            ))}
          </fieldset>
        )}
      </Popover>
      <span className="ml-auto flex pl-2 pr-1.5">
        <DataAge />
      </span>
    </header>
  );
}

interface IntervalButtonProps {
  readonly interval: CandleInterval;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function IntervalButton({ interval, isChosen, onChoose }: IntervalButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={classNames(
        "relative h-7 rounded-sm px-2 text-xs font-medium transition-colors focus-visible:-outline-offset-2",
        isChosen ? "bg-hover text-accent" : "text-muted hover:bg-hover hover:text-text",
      )}
    >
      {interval}
      <span className="sr-only">, {intervalName(interval)}</span>
    </button>
  );
}

function Caption({ text, count = 0 }: { readonly text: string; readonly count?: number }) {
  return (
    <>
      {text}
      {count > 0 ? <span className="figures text-2xs text-faint">{count}</span> : null}
      <ChevronDown className="size-3.5" aria-hidden />
    </>
  );
}
