import { type Chart, type Overlay, type OverlayEvent, registerOverlay } from "klinecharts";
import { useEffect, useEffectEvent } from "react";
import "../indicators/library-tools.ts";
import { Button } from "../../../ui/button.tsx";
import {
  type Drawing,
  DRAWING_TOOLS,
  type DrawingPoint,
  type DrawingTool,
} from "./drawing-tools.ts";
import { changeDrawings, useDrawings } from "./drawings-store.ts";

const GROUP = "drawings";
/** Instructions by the number of points that a tool needs; 0 draws freely. */
const HINT_TEXTS: readonly string[] = [
  "hold and draw",
  "click its place",
  "click both ends",
  "click both ends, then its width",
];

registerOverlay({
  name: "rectangle",
  totalStep: 3,
  needDefaultPointFigure: true,
  needDefaultXAxisFigure: true,
  needDefaultYAxisFigure: true,
  createPointFigures: ({ coordinates: [start, end] }) =>
    start === undefined || end === undefined
      ? []
      : {
          type: "rect",
          attrs: {
            x: Math.min(start.x, end.x),
            y: Math.min(start.y, end.y),
            width: Math.abs(end.x - start.x),
            height: Math.abs(end.y - start.y),
          },
        },
});

export interface DrawingLayerProps {
  readonly chart: Chart;
  readonly storageKey: string;
  /** The tool that the pointer draws with; null if none is chosen. */
  readonly tool: DrawingTool | null;
  readonly onDrawn: () => void;
}

/** Shows stored drawings on the chart, and the drawing in progress. Loaded lazily, hence the default export. */
export default function DrawingLayer({ chart, storageKey, tool, onDrawn }: DrawingLayerProps) {
  const drawings = useDrawings(storageKey);

  const save = useEffectEvent((overlay: Overlay, drawnWith: DrawingTool) => {
    const { id } = overlay;
    const drawing: Drawing = { id, tool: drawnWith, points: pointsOf(overlay) };
    changeDrawings(storageKey, (all) => [...all.filter((each) => each.id !== id), drawing]);
  });
  const events = (drawnWith: DrawingTool) => ({
    groupId: GROUP,
    onPressedMoveEnd: ({ overlay }: OverlayEvent<unknown>) => save(overlay, drawnWith),
    // Prevents the library's default, which removes the drawing: here a right click opens the order menu.
    onRightClick: (event: OverlayEvent<unknown>) => event.preventDefault?.(),
  });

  useEffect(() => {
    const known = new Set(drawings.map(({ id }) => id));
    for (const { id } of chart.getOverlays({ groupId: GROUP })) {
      if (!known.has(id) && id !== PENDING) chart.removeOverlay({ id });
    }
    for (const { id, tool: drawnWith, points } of drawings) {
      const overlay = { id, name: drawnWith, points: [...points] };
      if (chart.getOverlays({ id }).length > 0) chart.overrideOverlay(overlay);
      else chart.createOverlay({ ...overlay, ...events(drawnWith) });
    }
    // oxlint-disable-next-line react/exhaustive-deps -- the events only save
  }, [chart, drawings]);

  useEffect(() => () => void chart.removeOverlay({ groupId: GROUP }), [chart, storageKey]);

  const finish = useEffectEvent((overlay: Overlay, drawnWith: DrawingTool) => {
    const drawing = { id: crypto.randomUUID(), tool: drawnWith, points: pointsOf(overlay) };
    // The library still uses the overlay while it calls `onDrawEnd`.
    queueMicrotask(() => {
      chart.removeOverlay({ id: PENDING });
      changeDrawings(storageKey, (all) => [...all, drawing]);
      onDrawn();
    });
  });
  useEffect(() => {
    if (tool === null) return undefined;
    chart.createOverlay({
      id: PENDING,
      groupId: GROUP,
      name: tool,
      onDrawEnd: ({ overlay }) => finish(overlay, tool),
    });
    return () => void chart.removeOverlay({ id: PENDING });
  }, [chart, tool]);
  return tool === null ? null : (
    <p className="absolute bottom-8 left-1/2 z-10 flex -translate-x-1/2 items-center gap-2 rounded-md border border-line-strong bg-raised py-1 pl-3 pr-1 text-xs shadow-lg">
      {DRAWING_TOOLS[tool].label}: {HINT_TEXTS[DRAWING_TOOLS[tool].points ?? 0]}
      <Button size="sm" variant="ghost" onClick={onDrawn}>
        Stop
      </Button>
    </p>
  );
}

const PENDING = "drawing-pending";

function pointsOf({ points }: Overlay): readonly DrawingPoint[] {
  return points.flatMap(({ timestamp, value }) =>
    timestamp === undefined || value === undefined ? [] : [{ timestamp, value }],
  );
}
