import { classNames } from "../../ui/class-names.ts";
import {
  CHART_TYPES,
  type ChartPreferences,
  type ChartType,
  type Scale,
  SCALES,
} from "./preferences.ts";

const TYPE_LABELS: Record<ChartType, string> = {
  candles: "Candles",
  hollow: "Hollow candles",
  bars: "Bars",
  line: "Line",
  area: "Area",
  heikinAshi: "Heikin-Ashi",
};
const SCALE_LABELS: Record<Scale, string> = {
  linear: "Linear",
  logarithmic: "Logarithmic",
  percent: "Percent",
};

interface StyleMenuProps {
  readonly preferences: ChartPreferences;
  readonly onChange: (preferences: ChartPreferences) => void;
}

/** A menu of the candles' style and the price axis. Loaded lazily, hence the default export. */
export default function StyleMenu({ preferences, onChange }: StyleMenuProps) {
  return (
    <div className="grid gap-1 p-1">
      <Choices
        label="Chart type"
        options={CHART_TYPES}
        labels={TYPE_LABELS}
        chosen={preferences.type}
        onChoose={(type) => onChange({ ...preferences, type })}
      />
      <Choices
        label="Price axis"
        options={SCALES}
        labels={SCALE_LABELS}
        chosen={preferences.scale}
        onChoose={(scale) => onChange({ ...preferences, scale })}
      />
    </div>
  );
}

interface ChoicesProps<Option extends string> {
  readonly label: string;
  readonly options: readonly Option[];
  readonly labels: Record<Option, string>;
  readonly chosen: Option;
  readonly onChoose: (option: Option) => void;
}

function Choices<Option extends string>(props: ChoicesProps<Option>) {
  const { label, options, labels, chosen, onChoose } = props;
  return (
    <fieldset>
      <legend className="px-2 py-1 text-2xs text-faint">{label}</legend>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === chosen}
          onClick={() => onChoose(option)}
          className={classNames(
            "flex h-8 w-full items-center rounded-sm px-2 text-left text-xs hover:bg-hover focus-visible:-outline-offset-2",
            option === chosen ? "text-accent" : "text-muted hover:text-text",
          )}
        >
          {labels[option]}
        </button>
      ))}
    </fieldset>
  );
}
