import { optionalComponent } from "../../../ui/optional-component.tsx";
import { useWasTouched } from "../../../ui/use-was-touched.ts";
import { applySize, resizePanel, type Size } from "./layouts.ts";

/** Loaded on the first interaction with the page. */
const Splitter = optionalComponent(() => import("../../../ui/splitter.tsx"));

/** Ids of the panels that splitters resize. */
export const PANEL_IDS = {
  book: "trade-book",
  ticket: "trade-ticket",
  panels: "trade-panels",
  tape: "trade-tape",
} as const satisfies Record<Size, string>;

const SPLITTER_CLASSES = {
  book: "hidden lg:block [grid-area:book] justify-self-start -translate-x-[4px]",
  ticket: "hidden lg:block [grid-area:ticket] justify-self-start -translate-x-[4px]",
  panels: "hidden lg:block [grid-area:panels] self-start -translate-y-[4px]",
} as const;

const SPLITTER_LABELS = {
  book: "Width of the order book",
  ticket: "Width of the order ticket",
  panels: "Height of orders and balances",
  tape: "Size of the trades",
} as const satisfies Record<Size, string>;

interface PanelSplitterProps {
  readonly size: Size;
  readonly axis: "x" | "y";
  readonly className: string;
}

/** A splitter that resizes one panel, and stores its size. */
export function PanelSplitter({ size, axis, className }: PanelSplitterProps) {
  if (!useWasTouched()) return null;
  return (
    <Splitter
      label={SPLITTER_LABELS[size]}
      axis={axis}
      panel={PANEL_IDS[size]}
      onMove={(sizePx) => applySize(size, sizePx)}
      onEnd={(sizePx) => resizePanel(size, sizePx)}
      onReset={() => resizePanel(size, undefined)}
      className={className}
    />
  );
}

/** The splitters between the columns and above the panels, on wide screens. */
export function WorkspaceSplitters() {
  return (
    <>
      <PanelSplitter size="book" axis="x" className={SPLITTER_CLASSES.book} />
      <PanelSplitter size="ticket" axis="x" className={SPLITTER_CLASSES.ticket} />
      <PanelSplitter size="panels" axis="y" className={SPLITTER_CLASSES.panels} />
    </>
  );
}
