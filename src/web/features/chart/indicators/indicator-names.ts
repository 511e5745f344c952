/** The available indicators, by the chart library's names, with their default parameters. */
export const DEFAULT_PARAMETERS = {
  VOL: [],
  MA: [7, 25, 99],
  EMA: [12, 26],
  SMA: [12, 2],
  BBI: [3, 6, 12, 24],
  BOLL: [20, 2],
  SAR: [2, 2, 20],
  AVP: [],
  MACD: [12, 26, 9],
  RSI: [14],
  KDJ: [9, 3, 3],
  WR: [14],
  CCI: [20],
  DMI: [14, 6],
  MTM: [12, 6],
  ROC: [12, 6],
  TRIX: [12, 9],
  AO: [5, 34],
  DMA: [10, 50, 10],
  BIAS: [6, 12, 24],
  BRAR: [26],
  CR: [26, 10, 20, 40, 60],
  PSY: [12, 6],
  OBV: [30],
  PVT: [],
  VR: [26, 6],
  EMV: [14, 9],
} as const satisfies Record<string, readonly number[]>;

export type IndicatorName = keyof typeof DEFAULT_PARAMETERS;

export const INDICATOR_NAMES = Object.keys(DEFAULT_PARAMETERS) as readonly IndicatorName[];

/** Indicators whose code loads with the chart; all others load once one of them is chosen. */
export const INITIAL_INDICATORS: readonly IndicatorName[] = ["VOL", "MA"];

/** Indicators that are drawn over the candles; the others have their own panes. */
export const OVER_CANDLES: ReadonlySet<string> = new Set<IndicatorName>([
  "MA",
  "EMA",
  "SMA",
  "BBI",
  "BOLL",
  "SAR",
  "AVP",
]);

/** An indicator that the user has chosen, with its parameters. */
export interface ChosenIndicator {
  readonly name: IndicatorName;
  readonly parameters: readonly number[];
}

export function withDefaults(name: IndicatorName): ChosenIndicator {
  return { name, parameters: DEFAULT_PARAMETERS[name] };
}

const PARAMETER_MAX = 1_000;

/** Whether a value is a valid parameter: above 0, at most 1 000, with at most two decimals. */
export function isParameter(value: unknown): value is number {
  return (
    typeof value === "number" &&
    value > 0 &&
    value <= PARAMETER_MAX &&
    Math.round(value * 100) / 100 === value
  );
}

/** Parses a stored indicator, replacing invalid parameters by the defaults; null if its name is unknown. */
export function parseChosenIndicator(stored: unknown): ChosenIndicator | null {
  const isNameAlone = typeof stored === "string";
  if (!isNameAlone && (typeof stored !== "object" || stored === null)) return null;
  const { name: given, parameters }: { name?: unknown; parameters?: unknown } = isNameAlone
    ? { name: stored }
    : stored;
  const name = INDICATOR_NAMES.find((known) => known === given);
  if (name === undefined) return null;
  const defaults = DEFAULT_PARAMETERS[name];
  const isComplete =
    Array.isArray(parameters) &&
    parameters.length === defaults.length &&
    parameters.every((value) => isParameter(value));
  return { name, parameters: isComplete ? parameters : defaults };
}
