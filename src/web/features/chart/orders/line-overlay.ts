/**
 * A dashed line across the candles that reports its position, so that an HTML element can follow it
 * on every pan, zoom and change of the price axis.
 */
import { type Chart, registerOverlay } from "klinecharts";

const OVERLAY = "orderLine";

/** The line's position, in pixels within the candles' pane. */
export interface LinePosition {
  readonly y: number;
  /** Width of the candles' pane, without the price axis. */
  readonly width: number;
}

export interface LineStyle {
  readonly value: number;
  readonly color: string;
  readonly isSolid: boolean;
}

type OnPosition = (position: LinePosition | null) => void;
/** Listeners by overlay. Not passed as `extendData`: the library copies it, which loses functions. */
const listeners = new Map<string, OnPosition>();

registerOverlay<string>({
  name: OVERLAY,
  totalStep: 1,
  lock: true,
  createPointFigures: ({ overlay, coordinates, bounding: { width, height } }) => {
    const y = coordinates[0]?.y;
    const isVisible = y !== undefined && y >= 0 && y <= height;
    listeners.get(overlay.extendData)?.(isVisible ? { y, width } : null);
    if (!isVisible) return [];
    const ends = [
      { x: 0, y },
      { x: width, y },
    ];
    return [{ type: "line", ignoreEvent: true, attrs: { coordinates: ends } }];
  },
});

export function drawLine(chart: Chart, id: string, style: LineStyle, onPosition: OnPosition): void {
  const key = `${chart.id} ${id}`;
  listeners.set(key, onPosition);
  chart.createOverlay({ name: OVERLAY, id, lock: true, extendData: key, ...overlayOf(style) });
}

export function moveLine(chart: Chart, id: string, style: LineStyle): void {
  chart.overrideOverlay({ id, ...overlayOf(style) });
}

export function removeLine(chart: Chart, id: string): void {
  listeners.delete(`${chart.id} ${id}`);
  chart.removeOverlay({ id });
}

function overlayOf({ value, color, isSolid }: LineStyle) {
  const style = isSolid ? ("solid" as const) : ("dashed" as const);
  return {
    points: [{ value }],
    styles: { line: { color, style, size: 1, dashedValue: [4, 4] } },
  };
}
