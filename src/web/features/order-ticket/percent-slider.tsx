import type { Side } from "#contract/types.ts";
import { classNames } from "../../ui/class-names.ts";
import { useEnteredBeforeHydration } from "../../ui/entered-before-hydration.ts";

const MARKS = [25, 50, 75, 100] as const;

interface PercentSliderProps {
  readonly side: Side;
  readonly percent: number;
  readonly onChange: (percent: number) => void;
}

/** A slider for the share of the maximum quantity, with clickable marks. */
export function PercentSlider({ side, percent, onChange }: PercentSliderProps) {
  const ref = useEnteredBeforeHydration<HTMLInputElement>(undefined);
  return (
    <div className="grid gap-1">
      <input
        ref={ref}
        type="range"
        min={0}
        max={100}
        step={1}
        value={percent}
        aria-label="Share of the maximum"
        aria-valuetext={`${percent}% of the maximum`}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
        className={classNames(
          "h-6 w-full cursor-pointer",
          side === "buy" ? "accent-buy" : "accent-sell",
        )}
      />
      <fieldset aria-label="Share of the maximum" className="grid grid-cols-4 gap-1.5">
        {MARKS.map((mark) => (
          <button
            key={mark}
            type="button"
            aria-pressed={percent === mark}
            onClick={() => onChange(mark)}
            className={classNames(
              "figures h-6 rounded-sm border text-2xs transition-colors hover:border-control hover:text-text",
              percent === mark ? "border-control bg-hover text-text" : "border-line text-muted",
            )}
          >
            {mark === 100 ? "Max" : `${mark}%`}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
