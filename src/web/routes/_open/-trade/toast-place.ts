import { type RefObject, useEffect } from "react";

/** Keeps toasts clear of the scales of time and price. */
const SCALE_BELOW_PX = 40;
const SCALE_BESIDE_PX = 90;
/** Less of the chart has no room for a toast. */
const ROOM_PX = 160;

/**
 * Toasts appear over the chart, where they cover nothing that can be pressed, while enough of it is in
 * view; else where they appear on every page.
 */
export function useToastsOver(chart: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const place = () => {
      const box = chart.current?.getBoundingClientRect();
      const bottom = Math.min(box?.bottom ?? 0, window.innerHeight);
      const isWide = window.matchMedia("(min-width: 48rem)").matches;
      if (!isWide || box === undefined || bottom - Math.max(box.top, 0) < ROOM_PX) {
        style.removeProperty("--toast-bottom");
        style.removeProperty("--toast-right");
        return;
      }
      style.setProperty("--toast-bottom", `${window.innerHeight - bottom + SCALE_BELOW_PX}px`);
      style.setProperty("--toast-right", `${window.innerWidth - box.right + SCALE_BESIDE_PX}px`);
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
