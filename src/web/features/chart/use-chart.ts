import { type Chart, dispose, init } from "klinecharts";
import { formatPlainNumber } from "../../format/decimal-text.ts";
import { type RefCallback, useCallback, useEffect, useState } from "react";

const BAR_SPACE_PX = 7;

/** Creates the library's chart in the element that has `attach` as its ref; `chart` is null until then. */
export function useChart(): {
  readonly chart: Chart | null;
  readonly attach: RefCallback<HTMLElement>;
} {
  const [chart, setChart] = useState<Chart | null>(null);
  const attach = useCallback((container: HTMLElement | null) => {
    if (container === null) return undefined;
    // In a task of its own: with the first answers of the panels it would block a phone for a quarter of a second.
    const creating = setTimeout(() => setChart(create(container)));
    return () => {
      clearTimeout(creating);
      dispose(container);
      setChart(null);
    };
  }, []);
  useEffect(() => {
    const container = chart?.getDom();
    if (!chart || !container) return undefined;
    let hiddenAt: number | null = null;
    const observer = new ResizeObserver(() => {
      if (container.clientWidth === 0) {
        // The library has not measured yet: without a width it would move the newest candles out of view.
        hiddenAt = barsAfterNewest(chart);
        return;
      }
      chart.resize();
      if (hiddenAt === null) return;
      const shownAt = hiddenAt;
      hiddenAt = null;
      // The library measures in a task of its own.
      queueMicrotask(() =>
        chart.scrollByDistance((barsAfterNewest(chart) - shownAt) * chart.getBarSpace().bar),
      );
    });
    observer.observe(container);
    return () => observer.disconnect();
  }, [chart]);
  return { chart, attach };
}

/** How many bars would fit between the newest candle and the right edge; negative if it is out of view. */
function barsAfterNewest(chart: Chart): number {
  return chart.getVisibleRange().realTo - chart.getDataList().length;
}

function create(container: HTMLElement): Chart | null {
  const chart = init(container, {
    thousandsSeparator: { format: formatPlainNumber },
    decimalFold: { threshold: 20 },
    zoomAnchor: { main: "cursor", xAxis: "last_bar" },
    // Disabled: the library's Shift with + and − would also act while the focus is elsewhere.
    hotkey: { enabled: false },
  });
  chart?.setBarSpace(BAR_SPACE_PX);
  // The library puts its own layers first in the tab order, although they handle no keys.
  for (const layer of container.querySelectorAll<HTMLElement>("[tabindex]")) layer.tabIndex = -1;
  return chart;
}
