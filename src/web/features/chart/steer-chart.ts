import type { Chart } from "klinecharts";
import { CANDLE_PANE } from "./panes.ts";

const SCROLL_BARS = 10;
const ZOOM_STEP = 1.2;

/** Pans or zooms the chart by a key. @returns whether the key was handled */
export function steerChart(chart: Chart, key: string): boolean {
  switch (key) {
    case "ArrowLeft":
      chart.scrollByDistance(SCROLL_BARS * chart.getBarSpace().bar);
      return true;
    case "ArrowRight":
      chart.scrollByDistance(-SCROLL_BARS * chart.getBarSpace().bar);
      return true;
    case "PageUp":
      chart.scrollByDistance(pageWidth(chart));
      return true;
    case "PageDown":
      chart.scrollByDistance(-pageWidth(chart));
      return true;
    case "End":
      chart.scrollToRealTime();
      return true;
    case "+":
    case "=":
      chart.zoomAtCoordinate(ZOOM_STEP);
      return true;
    case "-":
      chart.zoomAtCoordinate(1 / ZOOM_STEP);
      return true;
    default:
      return false;
  }
}

function pageWidth(chart: Chart): number {
  return chart.getSize(CANDLE_PANE, "main")?.width ?? 0;
}
