import type { RefObject } from "react";
import { lazyComponent } from "../../../ui/lazy-component.tsx";
import { useWasTouched } from "../../../ui/use-was-touched.ts";
import { resize, type Size } from "./layouts.ts";

/** Of use only to someone who has begun to use the page. */
const Splitter = lazyComponent(() => import("../../../ui/splitter.tsx"));

/** Ids of the panels that splitters resize. */
export const PANEL_IDS = {
  book: "trade-book",
  ticket: "trade-ticket",
  panels: "trade-panels",
  tape: "trade-tape",
} as const satisfies Record<Size, string>;

const PLACES = {
  book: "hidden lg:block [grid-area:book] justify-self-start -translate-x-[4px]",
  ticket: "hidden lg:block [grid-area:ticket] justify-self-start -translate-x-[4px]",
  panels: "hidden lg:block [grid-area:panels] self-start -translate-y-[4px]",
} as const;

const LABELS = {
  book: "Width of the order book",
  ticket: "Width of the order ticket",
  panels: "Height of orders and balances",
  tape: "Size of the trades",
} as const satisfies Record<Size, string>;

interface PanelSplitterProps {
  readonly size: Size;
  readonly axis: "x" | "y";
  /** Has the sizes as variables. */
  readonly grid: RefObject<HTMLElement | null>;
  readonly className: string;
}

/** Resizes one panel of the workspace, and stores its size. */
export function PanelSplitter({ size, axis, grid, className }: PanelSplitterProps) {
  if (!useWasTouched()) return null;
  return (
    <Splitter
      label={LABELS[size]}
      axis={axis}
      panel={PANEL_IDS[size]}
      onMove={(sizePx) => grid.current?.style.setProperty(`--${size}`, `${sizePx}px`)}
      onEnd={(sizePx) => resize(size, sizePx)}
      onReset={() => {
        grid.current?.style.removeProperty(`--${size}`);
        resize(size, undefined);
      }}
      className={className}
    />
  );
}

/** The splitters between the columns and above the panels, on wide screens. */
export function WorkspaceSplitters({ grid }: Pick<PanelSplitterProps, "grid">) {
  return (
    <>
      <PanelSplitter size="book" axis="x" grid={grid} className={PLACES.book} />
      <PanelSplitter size="ticket" axis="x" grid={grid} className={PLACES.ticket} />
      <PanelSplitter size="panels" axis="y" grid={grid} className={PLACES.panels} />
    </>
  );
}
