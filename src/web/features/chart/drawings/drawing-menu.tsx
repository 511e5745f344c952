import { Trash2 } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import {
  type Drawing,
  DRAWING_TOOL_NAMES,
  DRAWING_TOOLS,
  type DrawingTool,
  pointsAcross,
  type VisibleArea,
} from "./drawing-tools.ts";
import { changeDrawings, useDrawings } from "./drawings-store.ts";
import { DrawingRow } from "./drawing-row.tsx";

interface DrawingMenuProps {
  readonly storageKey: string;
  readonly priceDecimals: number;
  readonly tool: DrawingTool | null;
  readonly onTool: (tool: DrawingTool | null) => void;
  /** The visible times and prices; null before there are candles. */
  readonly area: VisibleArea | null;
  readonly close: () => void;
}

/** A menu of the drawing tools and of the market's drawings. Loaded lazily, hence the default export. */
export default function DrawingMenu(props: DrawingMenuProps) {
  const { storageKey, priceDecimals, tool, onTool, area, close } = props;
  const drawings = useDrawings(storageKey);
  const place = (chosen: DrawingTool) => {
    if (area === null) return;
    const points = pointsAcross(chosen, area);
    const drawing: Drawing = { id: crypto.randomUUID(), tool: chosen, points };
    changeDrawings(storageKey, (all) => [...all, drawing]);
  };
  return (
    <div className="grid gap-1 p-1">
      <fieldset aria-label="Drawing tools" className="grid grid-cols-2 gap-px">
        {DRAWING_TOOL_NAMES.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={tool === name}
            onClick={({ detail }) => {
              // A click by keyboard places the drawing at once, since there is no pointer to draw with.
              if (detail === 0) return place(name);
              onTool(tool === name ? null : name);
              return close();
            }}
            className={classNames(
              "flex h-8 items-center rounded-sm px-2 text-left text-xs hover:bg-hover hover:text-text focus-visible:-outline-offset-2",
              tool === name ? "text-accent" : "text-muted",
            )}
          >
            {DRAWING_TOOLS[name].label}
          </button>
        ))}
      </fieldset>
      {drawings.length === 0 ? null : (
        <div className="grid gap-1 border-t pt-1">
          <div className="flex items-center justify-between px-2">
            <span className="text-2xs text-faint">On the chart</span>
            <Button variant="ghost" size="sm" onClick={() => changeDrawings(storageKey, () => [])}>
              <Trash2 className="size-3.5" aria-hidden />
              Delete all
            </Button>
          </div>
          <ul aria-label="Drawings on the chart" className="grid max-h-56 gap-px overflow-y-auto">
            {drawings.map((drawing, index) => (
              <DrawingRow
                key={drawing.id}
                name={`${DRAWING_TOOLS[drawing.tool].label} ${index + 1}`}
                drawing={drawing}
                priceDecimals={priceDecimals}
                storageKey={storageKey}
              />
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
