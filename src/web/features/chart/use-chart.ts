import { type Chart, dispose, init } from "klinecharts";
import { formatPlainNumber } from "../../format/decimal-text.ts";
import { type RefCallback, useCallback, useState } from "react";

const BAR_SPACE_PX = 7;

/** Creates the library's chart in the element that has `attach` as its ref; `chart` is null until then. */
export function useChart(): {
  readonly chart: Chart | null;
  readonly attach: RefCallback<HTMLElement>;
} {
  const [chart, setChart] = useState<Chart | null>(null);
  const attach = useCallback((container: HTMLElement | null) => {
    if (container === null) return undefined;
    const made = init(container, {
      thousandsSeparator: { format: formatPlainNumber },
      decimalFold: { threshold: 20 },
      zoomAnchor: { main: "cursor", xAxis: "last_bar" },
      // Disabled: the library's Shift with + and − would also act while the focus is elsewhere.
      hotkey: { enabled: false },
    });
    made?.setBarSpace(BAR_SPACE_PX);
    // The library puts its own layers first in the tab order, although they handle no keys.
    for (const layer of container.querySelectorAll<HTMLElement>("[tabindex]")) layer.tabIndex = -1;
    setChart(made);
    const observer = new ResizeObserver(() => made?.resize());
    observer.observe(container);
    return () => {
      observer.disconnect();
      dispose(container);
      setChart(null);
    };
  }, []);
  return { chart, attach };
}
