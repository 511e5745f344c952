import { useState, type PointerEvent } from "react";
import { classNames } from "./class-names.ts";
import { linePath } from "./line-path.ts";

interface CurvePoint {
  readonly time: number;
  readonly value: number;
}

interface CurveProps {
  /** Oldest first. */
  readonly points: readonly CurvePoint[];
  readonly label: string;
  readonly valueText: (value: number) => string;
  readonly timeText: (time: number) => string;
  readonly className?: string;
}

const WIDTH = 1000;
const HEIGHT = 240;
const INSET = 8;

/**
 * A line chart of a value over time, drawn as SVG so that it appears without scripts. Pointer and
 * arrow keys select points; screen readers announce the selected point.
 */
export function Curve({ points, label, valueText, timeText, className }: CurveProps) {
  const [index, setIndex] = useState<number | null>(null);
  const values = points.map(({ value }) => value);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const last = points.length - 1;
  const shown = index === null ? undefined : points[index];
  const shares = sharesOf(points);
  const line = linePath(values, WIDTH, HEIGHT, INSET, shares);

  const readPointer = (event: PointerEvent<HTMLDivElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    setIndex(nearest(shares, share));
  };
  return (
    <div className={classNames("relative flex flex-col", className)}>
      <p aria-hidden className="mb-1 flex justify-end gap-4 text-2xs text-faint">
        <span>
          High <span className="figures text-muted">{valueText(high)}</span>
        </span>
        <span>
          Low <span className="figures text-muted">{valueText(low)}</span>
        </span>
      </p>
      <div
        className="relative min-h-0 flex-1 rounded-sm has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent"
        onPointerLeave={() => setIndex(null)}
        onPointerMove={readPointer}
      >
        <svg
          aria-hidden
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="absolute inset-0 size-full"
        >
          <path d={`${line}V${HEIGHT}H0Z`} className="fill-accent/8" />
          <path
            d={line}
            className="fill-none stroke-accent"
            strokeWidth={1.5}
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {shown === undefined || index === null ? null : (
          <Marker
            share={shares[index] ?? 0}
            height={high === low ? 0.5 : (shown.value - low) / (high - low)}
            value={valueText(shown.value)}
            time={timeText(shown.time)}
          />
        )}
        {/* Makes the points readable by keyboard and touch; the drawing above is visual only. */}
        <input
          type="range"
          min={0}
          max={last}
          value={index ?? last}
          aria-label={label}
          aria-valuetext={pointText(shown ?? points[last], valueText, timeText)}
          onChange={(event) => setIndex(event.currentTarget.valueAsNumber)}
          onBlur={() => setIndex(null)}
          className="absolute inset-0 size-full touch-pan-y cursor-crosshair opacity-0"
        />
      </div>
      <div aria-hidden className="mt-1 flex justify-between text-2xs text-faint">
        <span>{points[0] === undefined ? "" : timeText(points[0].time)}</span>
        <span>{points[last] === undefined ? "" : timeText(points[last].time)}</span>
      </div>
    </div>
  );
}

interface MarkerProps {
  /** Horizontal position as a share of the width, from the left. */
  readonly share: number;
  /** Vertical position as a share of the drawn height, from the bottom. */
  readonly height: number;
  readonly value: string;
  readonly time: string;
}

function Marker({ share, height, value, time }: MarkerProps) {
  const inset = (INSET / HEIGHT) * 100;
  const bottom = inset + height * (100 - 2 * inset);
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-y-0 w-px bg-line-strong"
      style={{ left: `${share * 100}%` }}
    >
      <span
        className="absolute -left-[3px] size-[7px] translate-y-1/2 rounded-full border border-page bg-accent"
        style={{ bottom: `${bottom}%` }}
      />
      <span
        className={classNames(
          "absolute top-0 whitespace-nowrap rounded-md border border-line-strong bg-raised px-2 py-1 text-2xs",
          share > 0.5 ? "right-2" : "left-2",
        )}
      >
        <span className="figures block text-xs text-text">{value}</span>
        <span className="text-muted">{time}</span>
      </span>
    </div>
  );
}

/**
 * Each point's horizontal position in proportion to its time, because points may be unevenly
 * spaced.
 */
function sharesOf(points: readonly CurvePoint[]): number[] {
  const first = points[0]?.time ?? 0;
  const span = (points.at(-1)?.time ?? 0) - first;
  return points.map(({ time }) => (span === 0 ? 0 : (time - first) / span));
}

function nearest(shares: readonly number[], wanted: number): number {
  let best = 0;
  for (const [index, share] of shares.entries()) {
    if (Math.abs(share - wanted) < Math.abs((shares[best] ?? 0) - wanted)) best = index;
  }
  return best;
}

function pointText(
  point: CurvePoint | undefined,
  valueText: CurveProps["valueText"],
  timeText: CurveProps["timeText"],
): string {
  return point === undefined ? "" : `${valueText(point.value)} at ${timeText(point.time)}`;
}
