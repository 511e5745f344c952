/** The layouts of the trading screen on wide screens, and the sizes that the viewer gave its panels. */
import { storedChoice } from "../../../ui/stored-choice.ts";

export const LAYOUTS = ["standard", "chart", "book", "tape"] as const;
export type Layout = (typeof LAYOUTS)[number];

export const LAYOUT_LABELS = {
  standard: "Standard",
  chart: "Chart focus",
  book: "Book focus",
  tape: "Wide tape",
} as const satisfies Record<Layout, string>;

/** The width of book and ticket, the height of the panels below, and the tape's part of the book. */
export const SIZES = ["book", "ticket", "panels", "tape"] as const;
export type Size = (typeof SIZES)[number];

type Sizes = Readonly<Partial<Record<Size, number>>>;

interface Workspace {
  readonly layout: Layout;
  /** In pixels; a size that is missing is the layout's own. */
  readonly sizes: Readonly<Partial<Record<Layout, Sizes>>>;
}

/** The stored layout and sizes, as far as they are valid. */
export function readWorkspace(given: unknown): Workspace {
  const { layout, sizes } = recordOf(given);
  const known = recordOf(sizes);
  return {
    layout: LAYOUTS.find((each) => each === layout) ?? "standard",
    sizes: Object.fromEntries(LAYOUTS.map((each) => [each, readSizes(known[each])])),
  };
}

export const workspace = storedChoice("openbell.trade.layout", readWorkspace);

export function chooseLayout(layout: Layout): void {
  workspace.save({ ...workspace.read(), layout });
}

export function chooseNextLayout(): void {
  const next = LAYOUTS.indexOf(workspace.read().layout) + 1;
  chooseLayout(LAYOUTS[next % LAYOUTS.length] ?? "standard");
}

/** @param sizePx undefined for the layout's own */
export function resize(size: Size, sizePx: number | undefined): void {
  const { layout, sizes } = workspace.read();
  const { [size]: _former, ...others } = sizes[layout] ?? {};
  const own = sizePx === undefined ? others : { ...others, [size]: sizePx };
  workspace.save({ layout, sizes: { ...sizes, [layout]: own } });
}

/** Gives all panels of the current layout its own sizes again. */
export function resetLayout(): void {
  const { layout, sizes } = workspace.read();
  workspace.save({ layout, sizes: { ...sizes, [layout]: {} } });
}

function recordOf(given: unknown): Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null ? (given as Record<string, unknown>) : {};
}

function readSizes(given: unknown): Sizes {
  const known = recordOf(given);
  return Object.fromEntries(
    SIZES.filter((size) => Number.isFinite(known[size])).map((size) => [size, known[size]]),
  );
}
