/** The drawing tools, by the chart library's names; the rectangle is our own. */
export const DRAWING_TOOLS = {
  segment: { label: "Trend line", points: 2 },
  rayLine: { label: "Ray", points: 2 },
  straightLine: { label: "Extended line", points: 2 },
  horizontalStraightLine: { label: "Horizontal line", points: 1 },
  verticalStraightLine: { label: "Vertical line", points: 1 },
  parallelStraightLine: { label: "Parallel channel", points: 3 },
  priceChannelLine: { label: "Price channel", points: 3 },
  fibonacciLine: { label: "Fibonacci retracement", points: 2 },
  rectangle: { label: "Rectangle", points: 2 },
  priceLine: { label: "Price mark", points: 1 },
  brush: { label: "Brush", points: null },
} as const satisfies Record<string, { label: string; points: number | null }>;

export type DrawingTool = keyof typeof DRAWING_TOOLS;
export const DRAWING_TOOL_NAMES = Object.keys(DRAWING_TOOLS) as readonly DrawingTool[];

/** A point of a drawing, in time and price. For drawing only, hence floats. */
export interface DrawingPoint {
  readonly timestamp: number;
  readonly value: number;
}

export interface Drawing {
  readonly id: string;
  readonly tool: DrawingTool;
  readonly points: readonly DrawingPoint[];
}

const POINTS_MAX = 2_000;

/** Parses stored drawings and drops invalid ones. */
export function parseDrawings(text: string | null): readonly Drawing[] {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? "[]");
  } catch {
    // Not JSON: another program's text under our key.
    return [];
  }
  return Array.isArray(stored) ? stored.map(parseDrawing).filter((each) => each !== null) : [];
}

function parseDrawing(stored: unknown): Drawing | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { id, tool, points } = stored as Record<string, unknown>;
  const known = DRAWING_TOOL_NAMES.find((each) => each === tool);
  if (typeof id !== "string" || known === undefined || !Array.isArray(points)) return null;
  const places = points.map(parsePoint).filter((point) => point !== null);
  const wanted = DRAWING_TOOLS[known].points;
  const isComplete =
    wanted === null ? places.length > 1 && places.length <= POINTS_MAX : places.length === wanted;
  return isComplete ? { id, tool: known, points: places } : null;
}

function parsePoint(stored: unknown): DrawingPoint | null {
  if (typeof stored !== "object" || stored === null) return null;
  const { timestamp, value } = stored as Record<string, unknown>;
  if (typeof timestamp !== "number" || typeof value !== "number") return null;
  return Number.isFinite(timestamp) && Number.isFinite(value) ? { timestamp, value } : null;
}

export interface VisibleArea {
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
}

/** The points of a drawing placed without a pointer: across the middle of the visible area. */
export function pointsAcross(tool: DrawingTool, area: VisibleArea): readonly DrawingPoint[] {
  const place = (x: number, y: number): DrawingPoint => ({
    timestamp: Math.round(area.from + (area.to - area.from) * x),
    value: area.low + (area.high - area.low) * y,
  });
  const points = [place(0.25, 0.35), place(0.75, 0.65), place(0.75, 0.85)];
  const wanted = DRAWING_TOOLS[tool].points ?? 2;
  return wanted === 1 ? [place(0.5, 0.5)] : points.slice(0, wanted);
}
