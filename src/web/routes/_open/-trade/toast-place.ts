import { type RefObject, useEffect } from "react";

/** Distances that keep toasts clear of the chart's time and price axes. */
const AXIS_BELOW_PX = 40;
const AXIS_BESIDE_PX = 90;
const TOAST_WIDTH_PX = 356;
const EDGE_PX = 8;
/** Distance of a toast from the edge of the strip, which is only slightly higher. */
const STRIP_EDGE_PX = 3;
/** Height of the chart's visible part below which toasts do not fit. */
const CHART_HEIGHT_PX_MIN = 160;

/** Where toasts stand, from the window's edges. */
interface ToastPlace {
  readonly bottomPx: number;
  readonly rightPx: number;
  /** Whether there is room for one toast of two lines only. */
  readonly isLow: boolean;
}

/**
 * Places toasts where they cover no controls: over the chart, or, while too little of it is in view, over the
 * figures of the market's strip, which stays in view where the page scrolls; on phones in the default place.
 */
export function useToastsOver(
  chart: RefObject<HTMLElement | null>,
  strip: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    const place = () => {
      const isWide = window.matchMedia("(min-width: 48rem)").matches;
      const [chartBox, stripBox] = [chart, strip].map((each) =>
        each.current?.getBoundingClientRect(),
      );
      apply(isWide ? (placeOver(chartBox, stripBox) ?? placeOn(stripBox)) : undefined);
    };
    const observer = new ResizeObserver(place);
    if (chart.current !== null) observer.observe(chart.current);
    window.addEventListener("resize", place);
    window.addEventListener("scroll", place, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", place);
      window.removeEventListener("scroll", place);
      apply(undefined);
    };
  }, [chart, strip]);
}

function placeOver(chart: DOMRect | undefined, strip: DOMRect | undefined): ToastPlace | undefined {
  if (chart === undefined) return undefined;
  const bottom = Math.min(chart.bottom, window.innerHeight);
  if (bottom - Math.max(chart.top, strip?.bottom ?? 0, 0) < CHART_HEIGHT_PX_MIN) return undefined;
  // Less distance beside a narrow chart's axis, so that toasts stay within the window.
  const besidePx = Math.min(AXIS_BESIDE_PX, Math.max(0, chart.width - TOAST_WIDTH_PX - EDGE_PX));
  return {
    bottomPx: window.innerHeight - bottom + AXIS_BELOW_PX,
    rightPx: Math.min(
      window.innerWidth - chart.right + besidePx,
      window.innerWidth - TOAST_WIDTH_PX - EDGE_PX,
    ),
    isLow: false,
  };
}

function placeOn(strip: DOMRect | undefined): ToastPlace | undefined {
  if (strip === undefined || strip.top < 0) return undefined;
  return {
    bottomPx: window.innerHeight - strip.bottom + STRIP_EDGE_PX,
    rightPx: window.innerWidth - strip.right + EDGE_PX,
    isLow: true,
  };
}

/** @param place undefined for the default one */
function apply(place: ToastPlace | undefined): void {
  const { dataset, style } = document.documentElement;
  if (place === undefined) {
    style.removeProperty("--toast-bottom");
    style.removeProperty("--toast-right");
  } else {
    style.setProperty("--toast-bottom", `${place.bottomPx}px`);
    style.setProperty("--toast-right", `${place.rightPx}px`);
  }
  if (place?.isLow === true) dataset["toasts"] = "low";
  else delete dataset["toasts"];
}
