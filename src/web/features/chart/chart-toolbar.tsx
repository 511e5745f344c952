import { Check, ChevronDown } from "lucide-react";
import * as Menu from "radix-ui/dropdown-menu";
import type { ReactNode } from "react";
import { CANDLE_INTERVALS, type CandleInterval } from "#contract/types.ts";
import { classNames } from "../../ui/class-names.ts";
import { COMMON_INTERVALS, intervalName } from "./intervals.ts";
import { type ChartPreferences, INDICATOR_LABELS, INDICATORS } from "./preferences.ts";

interface ChartToolbarProps {
  readonly preferences: ChartPreferences;
  readonly onChange: (preferences: ChartPreferences) => void;
}

const ITEM =
  "flex h-8 cursor-pointer select-none items-center justify-between gap-4 rounded-sm px-2 text-xs text-muted outline-none data-[highlighted]:bg-hover data-[highlighted]:text-text data-[state=checked]:text-text";

export function ChartToolbar({ preferences, onChange }: ChartToolbarProps) {
  const { interval, indicators } = preferences;
  const isCommon = COMMON_INTERVALS.includes(interval);
  return (
    <header className="flex h-9 shrink-0 items-center gap-0.5 overflow-x-auto border-b px-1.5 [scrollbar-width:none]">
      <h2 className="sr-only">Price chart</h2>
      <div role="group" aria-label="Interval" className="flex items-center gap-0.5">
        {COMMON_INTERVALS.map((value) => (
          <IntervalButton
            key={value}
            interval={value}
            isChosen={value === interval}
            onChoose={() => onChange({ ...preferences, interval: value })}
          />
        ))}
      </div>
      <Dropdown
        label={isCommon ? "More" : interval}
        name="All intervals"
        isActive={!isCommon}
      >
        <Menu.RadioGroup
          value={interval}
          onValueChange={(value) => onChange({ ...preferences, interval: value as CandleInterval })}
        >
          {CANDLE_INTERVALS.map((value) => (
            <Menu.RadioItem key={value} value={value} className={ITEM}>
              {intervalName(value)}
              <Menu.ItemIndicator>
                <Check className="size-3.5 text-accent" aria-hidden />
              </Menu.ItemIndicator>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Dropdown>
      <span aria-hidden className="mx-1 h-4 w-px shrink-0 bg-line" />
      <Dropdown label="Indicators" name="Indicators" count={indicators.length}>
        {INDICATORS.map((name) => (
          <Menu.CheckboxItem
            key={name}
            checked={indicators.includes(name)}
            // Several are chosen one after the other: the list stays open.
            onSelect={(event) => event.preventDefault()}
            onCheckedChange={(checked) =>
              onChange({
                ...preferences,
                indicators: INDICATORS.filter((other) =>
                  other === name ? checked : indicators.includes(other),
                ),
              })
            }
            className={ITEM}
          >
            {INDICATOR_LABELS[name]}
            <Menu.ItemIndicator>
              <Check className="size-3.5 text-accent" aria-hidden />
            </Menu.ItemIndicator>
          </Menu.CheckboxItem>
        ))}
      </Dropdown>
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
      aria-label={intervalName(interval)}
      onClick={onChoose}
      className={classNames(
        "h-7 rounded-sm px-2 text-xs font-medium transition-colors focus-visible:-outline-offset-2",
        isChosen ? "bg-hover text-accent" : "text-muted hover:bg-hover hover:text-text",
      )}
    >
      {interval}
    </button>
  );
}

interface DropdownProps {
  readonly label: string;
  readonly name: string;
  readonly isActive?: boolean;
  readonly count?: number;
  readonly children: ReactNode;
}

function Dropdown({ label, name, isActive = false, count = 0, children }: DropdownProps) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        aria-label={label === name ? undefined : `${name}, ${label}`}
        className={classNames(
          "inline-flex h-7 shrink-0 items-center gap-1 rounded-sm px-2 text-xs font-medium transition-colors hover:bg-hover hover:text-text focus-visible:-outline-offset-2",
          isActive ? "bg-hover text-accent" : "text-muted",
        )}
      >
        {label}
        {count > 0 ? <span className="figures text-2xs text-faint">{count}</span> : null}
        <ChevronDown className="size-3.5" aria-hidden />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Content
          align="start"
          sideOffset={4}
          className="z-50 max-h-80 min-w-40 overflow-y-auto rounded-md border border-line-strong bg-raised p-1 shadow-xl"
        >
          {children}
        </Menu.Content>
      </Menu.Portal>
    </Menu.Root>
  );
}
