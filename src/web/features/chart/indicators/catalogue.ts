/** Labels of the indicators and of their parameters, for the menu. */
import type { IndicatorName } from "./indicator-names.ts";

interface Description {
  readonly label: string;
  /** One label for each parameter. */
  readonly parameters: readonly string[];
}

const PERIODS = ["Period 1", "Period 2", "Period 3", "Period 4"] as const;

export const DESCRIPTIONS: Readonly<Record<IndicatorName, Description>> = {
  VOL: { label: "Volume", parameters: [] },
  MA: { label: "Moving average", parameters: PERIODS.slice(0, 3) },
  EMA: { label: "Exponential moving average", parameters: PERIODS.slice(0, 2) },
  SMA: { label: "Smoothed moving average", parameters: ["Period", "Weight"] },
  BBI: { label: "Bull and bear index", parameters: PERIODS },
  BOLL: { label: "Bollinger bands", parameters: ["Period", "Deviations"] },
  SAR: { label: "Parabolic stop and reverse", parameters: ["Start (%)", "Step (%)", "Most (%)"] },
  AVP: { label: "Average price by volume", parameters: [] },
  MACD: {
    label: "Moving average convergence divergence",
    parameters: ["Fast period", "Slow period", "Signal period"],
  },
  RSI: { label: "Relative strength index", parameters: ["Period"] },
  KDJ: { label: "Stochastic oscillator", parameters: ["Period", "K smoothing", "D smoothing"] },
  WR: { label: "Williams %R", parameters: ["Period"] },
  CCI: { label: "Commodity channel index", parameters: ["Period"] },
  DMI: { label: "Directional movement index", parameters: ["Period", "ADX smoothing"] },
  MTM: { label: "Momentum", parameters: ["Period", "Average"] },
  ROC: { label: "Rate of change", parameters: ["Period", "Average"] },
  TRIX: { label: "Triple exponential average", parameters: ["Period", "Average"] },
  AO: { label: "Awesome oscillator", parameters: ["Fast period", "Slow period"] },
  DMA: {
    label: "Difference of moving averages",
    parameters: ["Fast period", "Slow period", "Average"],
  },
  BIAS: { label: "Bias from the average", parameters: PERIODS.slice(0, 3) },
  BRAR: { label: "Sentiment (BRAR)", parameters: ["Period"] },
  CR: {
    label: "Energy index",
    parameters: ["Period", "Average 1", "Average 2", "Average 3", "Average 4"],
  },
  PSY: { label: "Psychological line", parameters: ["Period", "Average"] },
  OBV: { label: "On-balance volume", parameters: ["Average"] },
  PVT: { label: "Price and volume trend", parameters: [] },
  VR: { label: "Volume ratio", parameters: ["Period", "Average"] },
  EMV: { label: "Ease of movement", parameters: ["Period", "Average"] },
};

/** The indicators whose name or label contains every word of `search`. */
export function matchingIndicators(
  names: readonly IndicatorName[],
  search: string,
): readonly IndicatorName[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return names.filter((name) => {
    const text = `${name} ${DESCRIPTIONS[name].label}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
