import { type RefObject, useEffect } from "react";

/** Distances that keep toasts clear of the chart's time and price axes. */
const AXIS_BELOW_PX = 40;
const AXIS_BESIDE_PX = 90;
const TOAST_WIDTH_PX = 356;
const EDGE_PX = 8;
/** Height of the chart's visible part below which toasts do not fit. */
const CHART_HEIGHT_PX_MIN = 160;

/**
 * Places toasts over the chart, where they cover no controls, while enough of it is in view; else in
 * the default place.
 */
export function useToastsOver(chart: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const place = () => {
      const box = chart.current?.getBoundingClientRect();
      const bottom = Math.min(box?.bottom ?? 0, window.innerHeight);
      const isWide = window.matchMedia("(min-width: 48rem)").matches;
      if (!isWide || box === undefined || bottom - Math.max(box.top, 0) < CHART_HEIGHT_PX_MIN) {
        style.removeProperty("--toast-bottom");
        style.removeProperty("--toast-right");
        return;
      }
      style.setProperty("--toast-bottom", `${window.innerHeight - bottom + AXIS_BELOW_PX}px`);
      // Less distance beside a narrow chart's axis, so that toasts stay within the window.
      const besidePx = Math.min(AXIS_BESIDE_PX, Math.max(0, box.width - TOAST_WIDTH_PX - EDGE_PX));
      const rightPx = Math.min(
        window.innerWidth - box.right + besidePx,
        window.innerWidth - TOAST_WIDTH_PX - EDGE_PX,
      );
      style.setProperty("--toast-right", `${rightPx}px`);
    };
    const observer = new ResizeObserver(place);
    if (chart.current !== null) observer.observe(chart.current);
    window.addEventListener("resize", place);
    window.addEventListener("scroll", place, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", place);
      style.removeProperty("--toast-bottom");
      style.removeProperty("--toast-right");
    };
  }, [chart]);
}
