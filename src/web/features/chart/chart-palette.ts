/** The theme's colours as values, since a canvas cannot read CSS variables. */
import { useMemo, useSyncExternalStore } from "react";
import { usePreferences } from "../../format/preferences.ts";

export interface ChartPalette {
  readonly page: string;
  readonly raised: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly text: string;
  readonly muted: string;
  readonly faint: string;
  readonly accent: string;
  readonly buy: string;
  readonly sell: string;
  readonly warn: string;
  readonly violet: string;
  readonly mono: string;
}

const VARIABLES: Record<keyof ChartPalette, string> = {
  page: "--color-page",
  raised: "--color-raised",
  line: "--color-line",
  lineStrong: "--color-line-strong",
  text: "--color-text",
  muted: "--color-muted",
  faint: "--color-faint",
  accent: "--color-accent",
  buy: "--color-buy",
  sell: "--color-sell",
  warn: "--color-warn",
  violet: "--color-share-2",
  mono: "--font-mono",
};

/** System colours, used if the viewer's system forces its colours on pages. */
const FORCED: Record<Exclude<keyof ChartPalette, "mono">, string> = {
  page: "Canvas",
  raised: "Canvas",
  line: "GrayText",
  lineStrong: "Canvas",
  text: "CanvasText",
  muted: "CanvasText",
  faint: "CanvasText",
  accent: "LinkText",
  buy: "LinkText",
  sell: "CanvasText",
  warn: "CanvasText",
  violet: "LinkText",
};

const FORCED_COLOURS = "(forced-colors: active)";

function subscribeToForcedColours(listener: () => void): () => void {
  const query = window.matchMedia(FORCED_COLOURS);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/**
 * Whether the system forces its colours. Rising candles are then hollow, since colours cannot
 * distinguish them.
 */
export function useForcedColours(): boolean {
  return useSyncExternalStore(
    subscribeToForcedColours,
    () => window.matchMedia(FORCED_COLOURS).matches,
    () => false,
  );
}

/** The palette of the viewer's present theme. Browser only: it reads computed styles. */
export function usePalette(): ChartPalette {
  const { colours } = usePreferences();
  const isForced = useForcedColours();
  return useMemo(() => {
    return readPalette(document.documentElement, isForced);
    // oxlint-disable-next-line react/memo-dependencies, react-hooks/exhaustive-deps -- the root element has the chosen colours
  }, [colours, isForced]);
}

function readPalette(element: Element, isForced: boolean): ChartPalette {
  const style = getComputedStyle(element);
  const entries = Object.entries(VARIABLES).map(([name, variable]) => {
    const forced = isForced ? FORCED[name as keyof typeof FORCED] : undefined;
    return [name, forced === undefined ? style.getPropertyValue(variable).trim() : hex(forced)];
  });
  return Object.fromEntries(entries) as Record<keyof ChartPalette, string>;
}

/** Converts a system colour to "#rrggbb", to which two digits of opacity can be appended. */
function hex(systemColour: string): string {
  const canvas = document.createElement("canvas").getContext("2d");
  if (canvas === null) return systemColour;
  canvas.fillStyle = systemColour;
  return canvas.fillStyle;
}
