import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { classNames } from "./class-names.ts";

const STEP_PX = 16;
const LARGE_STEP_PX = 64;
/** Requested by the End key: larger than any panel's own limit, which applies. */
const LARGEST_PX = 10_000;

interface SplitterProps {
  readonly label: string;
  /**
   * The axis along which the panel is resized; the panel lies to the right of the splitter, or
   * below it.
   */
  readonly axis: "x" | "y";
  /** Id of the resized panel. */
  readonly panel: string;
  /** Called with the requested size while the splitter moves; the panel may limit it. */
  readonly onMove: (sizePx: number) => void;
  /** Called with the final size. */
  readonly onEnd: (sizePx: number) => void;
  readonly onReset: () => void;
  /** Classes for position and visibility. */
  readonly className?: string;
}

/**
 * A handle that resizes the panel after it, by pointer, arrow keys, Home and End; a double click or
 * Enter resets the size. Works in any layout, such as a grid whose shape depends on the window,
 * which libraries of nested panels cannot hydrate without a layout shift. Loaded lazily, hence the
 * default export.
 */
export default function Splitter({
  label,
  axis,
  panel,
  onMove,
  onEnd,
  onReset,
  className,
}: SplitterProps) {
  const drag = useRef<{ readonly from: number; readonly sizePx: number } | null>(null);
  const percent = useShareOfParent(panel, axis);
  const positionOf = (event: PointerEvent) => (axis === "x" ? event.clientX : event.clientY);
  const resizeTo = (sizePx: number) => {
    onMove(Math.max(0, sizePx));
    onEnd(sizeOf(panel, axis));
  };
  const end = () => {
    if (drag.current === null) return;
    drag.current = null;
    onEnd(sizeOf(panel, axis));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const stepPx = event.shiftKey ? LARGE_STEP_PX : STEP_PX;
    const sizePx = sizeOf(panel, axis);
    const [larger, smaller] = axis === "x" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key === larger) resizeTo(sizePx + stepPx);
    else if (event.key === smaller) resizeTo(sizePx - stepPx);
    else if (event.key === "Home") resizeTo(0);
    else if (event.key === "End") resizeTo(LARGEST_PX);
    else if (event.key === "Enter") onReset();
    else return;
    event.preventDefault();
  };
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an hr cannot be moved
      role="separator"
      aria-label={label}
      aria-orientation={axis === "x" ? "vertical" : "horizontal"}
      aria-controls={panel}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a separator that moves is a control
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDoubleClick={onReset}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: positionOf(event), sizePx: sizeOf(panel, axis) };
      }}
      onPointerMove={(event) => {
        if (drag.current === null) return;
        const { from, sizePx } = drag.current;
        onMove(Math.max(0, sizePx + from - positionOf(event)));
      }}
      onPointerUp={end}
      onPointerCancel={end}
      className={classNames(
        "group z-10 touch-none select-none outline-none",
        axis === "x" ? "w-2.5 cursor-col-resize" : "h-2.5 cursor-row-resize",
        className,
      )}
    >
      <div
        className={classNames(
          "rounded-full group-hover:bg-accent/60 group-focus-visible:bg-accent group-active:bg-accent forced-colors:group-focus-visible:bg-[Highlight]",
          axis === "x" ? "mx-auto h-full w-0.5" : "my-[0.25rem] h-0.5 w-full",
        )}
      />
    </div>
  );
}

function sizeOf(panel: string, axis: "x" | "y"): number {
  const box = document.getElementById(panel)?.getBoundingClientRect();
  return Math.round((axis === "x" ? box?.width : box?.height) ?? 0);
}

/** The panel's share of its parent, in whole percent, for screen readers. */
function useShareOfParent(panel: string, axis: "x" | "y"): number {
  const [percent, setPercent] = useState(0);
  useEffect(() => {
    const element = document.getElementById(panel);
    const parent = element?.parentElement;
    if (element === null || parent === null || parent === undefined) return undefined;
    const observer = new ResizeObserver(() => {
      const [part, whole] =
        axis === "x"
          ? [element.offsetWidth, parent.offsetWidth]
          : [element.offsetHeight, parent.offsetHeight];
      if (whole > 0) setPercent(Math.round((part / whole) * 100));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [panel, axis]);
  return percent;
}
