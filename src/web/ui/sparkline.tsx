import { classNames } from "./class-names.ts";
import { linePath } from "./line-path.ts";

const WIDTH = 96;
const HEIGHT = 28;

interface SparklineProps {
  readonly values: readonly number[];
  readonly direction: "up" | "down" | "flat";
  readonly className?: string;
}

/** A tiny line chart; decorative, because the numbers beside it carry the same information. */
export function Sparkline({ values, direction, className }: SparklineProps) {
  const stroke =
    direction === "up" ? "stroke-buy" : direction === "down" ? "stroke-sell" : "stroke-faint";
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={classNames("h-7 w-24", className)}
    >
      {values.length < 2 ? null : (
        <path
          d={linePath(values, WIDTH, HEIGHT, 2)}
          className={classNames("fill-none", stroke)}
          strokeWidth={1.25}
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
