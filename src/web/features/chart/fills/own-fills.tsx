import { type Chart, type OverlayEvent, registerOverlay } from "klinecharts";
import { useEffect, useMemo, useState } from "react";
import type { CandleInterval, Market } from "#contract/types.ts";
import { formatExact } from "../../../format/decimal-text.ts";
import { formatPrice } from "../../../format/money.ts";
import { formatMinute, useTimeZone } from "../../../format/time.ts";
import { DirectionMark } from "../../../ui/direction-mark.tsx";
import type { ChartPalette } from "../chart-palette.ts";
import { CANDLE_PANE } from "../panes.ts";
import { TRADES_LEGEND_PX } from "../legend-room.ts";
import { type FillMark, fillMarks } from "./fill-marks.ts";
import { useOwnFills } from "./use-own-fills.ts";

const OVERLAY = "ownFills";
const HALF_PX = 5;
const HEIGHT_PX = 9;
const GAP_PX = 3;

/** The overlay of one mark: a triangle below a purchase pointing up, or above a sale pointing down. */
registerOverlay<readonly { readonly isBuy: boolean; readonly color: string }[]>({
  name: OVERLAY,
  totalStep: 1,
  lock: true,
  createPointFigures: ({ coordinates, overlay }) =>
    coordinates.flatMap(({ x, y }, index) => {
      const mark = overlay.extendData[index];
      if (mark === undefined) return [];
      const { isBuy, color } = mark;
      const tip = isBuy ? y + GAP_PX : y - GAP_PX;
      const base = isBuy ? tip + HEIGHT_PX : tip - HEIGHT_PX;
      return {
        key: String(index),
        type: "polygon",
        attrs: {
          coordinates: [
            { x, y: tip },
            { x: x - HALF_PX, y: base },
            { x: x + HALF_PX, y: base },
          ],
        },
        styles: { style: "stroke_fill", color, borderColor: color, borderSize: 1 },
      };
    }),
});

interface OwnFillsProps {
  readonly chart: Chart;
  readonly palette: ChartPalette;
  readonly market: Market;
  readonly interval: CandleInterval;
  /** The first visible time; null before there are candles. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Marks the viewer's fills on the chart, with a legend. */
export function OwnFills(props: OwnFillsProps) {
  const { chart, palette, market, interval, from, to } = props;
  const timeZone = useTimeZone();
  const fills = useOwnFills(market.symbol, from);
  const marks = useMemo(
    () => fillMarks(fills, interval, market.priceDecimals),
    [fills, interval, market.priceDecimals],
  );
  const [hovered, setHovered] = useState<{ mark: FillMark; x: number; y: number } | null>(null);

  useEffect(() => {
    if (marks.length === 0) return undefined;
    const hover = ({ figure, x = 0, y = 0 }: OverlayEvent<unknown>) => {
      const mark = marks[Number(figure?.key)];
      setHovered(mark === undefined ? null : { mark, x, y });
    };
    chart.createOverlay({
      name: OVERLAY,
      id: OVERLAY,
      lock: true,
      // For drawing only, hence floats.
      points: marks.map(({ openTime, averagePrice }) => ({
        timestamp: openTime,
        value: Number(averagePrice),
      })),
      extendData: marks.map(({ side }) => ({
        isBuy: side === "buy",
        color: side === "buy" ? palette.buy : palette.sell,
      })),
      onMouseEnter: hover,
      onMouseMove: hover,
      onMouseLeave: () => setHovered(null),
      // Prevents the library's default, which removes the mark.
      onRightClick: (event) => event.preventDefault?.(),
    });
    return () => {
      setHovered(null);
      chart.removeOverlay({ id: OVERLAY });
    };
  }, [chart, marks, palette]);

  const visible =
    from === null || to === null
      ? []
      : marks.filter(({ openTime }) => openTime >= from && openTime <= to);
  const describe = (mark: FillMark) =>
    `${mark.side === "buy" ? "Bought" : "Sold"} ${formatExact(mark.quantity)} ${market.base} at ${formatPrice(mark.averagePrice, market.priceDecimals)} · ${formatMinute(mark.openTime, timeZone)}`;
  if (visible.length === 0) return null;
  return (
    <>
      <p
        style={{ top: (chart.getSize(CANDLE_PANE, "main")?.height ?? 0) - TRADES_LEGEND_PX }}
        className="pointer-events-none absolute left-2 flex gap-3 rounded-sm bg-surface px-1.5 text-2xs text-muted"
      >
        <span className="sr-only">Your trades:</span>
        <span>
          <DirectionMark direction="up" className="mr-1 text-buy" />
          Bought
        </span>
        <span>
          <DirectionMark direction="down" className="mr-1 text-sell" />
          Sold
        </span>
      </p>
      <ul className="sr-only" aria-label="Your trades on the chart">
        {visible.map((mark) => (
          <li key={`${mark.side} ${mark.openTime}`}>{describe(mark)}</li>
        ))}
      </ul>
      {hovered === null ? null : (
        <p
          aria-hidden
          style={{ left: hovered.x, top: hovered.y }}
          className="figures pointer-events-none absolute z-20 -translate-x-1/2 translate-y-3 whitespace-nowrap rounded-sm border border-line-strong bg-raised px-1.5 py-0.5 text-2xs text-text shadow-lg"
        >
          {describe(hovered.mark)}
        </p>
      )}
    </>
  );
}
