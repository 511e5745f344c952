/** The trading screen's layouts on wide screens, and the panel sizes that the viewer has set. */
import { storedChoice } from "../../../ui/shared-value.ts";

export const LAYOUTS = ["standard", "chart", "book", "tape"] as const;
export type Layout = (typeof LAYOUTS)[number];

export const LAYOUT_LABELS = {
  standard: "Standard",
  chart: "Chart focus",
  book: "Book focus",
  tape: "Wide tape",
} as const satisfies Record<Layout, string>;

/**
 * Resizable dimensions: the width of book and ticket, the height of the lower panels, and the tape's
 * share of the book.
 */
export const SIZES = ["book", "ticket", "panels", "tape"] as const;
export type Size = (typeof SIZES)[number];

type Sizes = Readonly<Partial<Record<Size, number>>>;

interface Workspace {
  readonly layout: Layout;
  /** The viewer's sizes in pixels; the layout's own applies where one is missing. */
  readonly sizes: Readonly<Partial<Record<Layout, Sizes>>>;
}

/** Parses the stored layout and sizes, ignoring invalid parts. */
export function parseWorkspace(given: unknown): Workspace {
  const { layout, sizes } = recordOf(given);
  const known = recordOf(sizes);
  return {
    layout: LAYOUTS.find((each) => each === layout) ?? "standard",
    sizes: Object.fromEntries(LAYOUTS.map((each) => [each, parseSizes(known[each])])),
  };
}

const STORAGE_KEY = "openbell.trade.layout";

export const workspace = storedChoice(STORAGE_KEY, parseWorkspace);

/** Sets layout and sizes on the document's root element, from which the style sheet reads them. */
export function applyWorkspace(): void {
  const { layout, sizes } = workspace.read();
  document.documentElement.dataset["layout"] = layout;
  for (const size of SIZES) applySize(size, sizes[layout]?.[size]);
}

/**
 * Displays a panel's size without storing it.
 * @param sizePx undefined for the layout's own
 */
export function applySize(size: Size, sizePx: number | undefined): void {
  const { style } = document.documentElement;
  if (sizePx === undefined) style.removeProperty(`--own-${size}`);
  else style.setProperty(`--own-${size}`, `${sizePx}px`);
}

/** A script that applies layout and sizes before the first paint, so that nothing moves at hydration. */
export const APPLY_BEFORE_PAINT = `try {
  const { layout, sizes } = JSON.parse(localStorage.getItem("${STORAGE_KEY}"));
  const root = document.documentElement;
  root.dataset.layout = layout;
  for (const [size, px] of Object.entries(sizes[layout])) root.style.setProperty("--own-" + size, px + "px");
} catch {}`;

/** Whether the window is wide enough for layouts to differ: narrower ones have one arrangement. */
export function hasLayouts(): boolean {
  return window.matchMedia("(min-width: 64rem)").matches;
}

export function chooseLayout(layout: Layout): void {
  workspace.set({ ...workspace.read(), layout });
}

export function chooseNextLayout(): void {
  const next = LAYOUTS.indexOf(workspace.read().layout) + 1;
  chooseLayout(LAYOUTS[next % LAYOUTS.length] ?? "standard");
}

/**
 * Stores the size of a panel in the current layout.
 * @param sizePx undefined for the layout's own
 */
export function resizePanel(size: Size, sizePx: number | undefined): void {
  const { layout, sizes } = workspace.read();
  const { [size]: _former, ...others } = sizes[layout] ?? {};
  const own = sizePx === undefined ? others : { ...others, [size]: sizePx };
  workspace.set({ layout, sizes: { ...sizes, [layout]: own } });
}

/** Resets all panels of the current layout to its own sizes. */
export function resetLayout(): void {
  const { layout, sizes } = workspace.read();
  workspace.set({ layout, sizes: { ...sizes, [layout]: {} } });
}

function recordOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
}

function parseSizes(given: unknown): Sizes {
  const known = recordOf(given);
  return Object.fromEntries(
    SIZES.filter((size) => Number.isFinite(known[size])).map((size) => [size, known[size]]),
  );
}
