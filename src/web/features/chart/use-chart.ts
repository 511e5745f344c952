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
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(container);
    return () => observer.disconnect();
  }, [chart]);
  return { chart, attach };
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
