/** The shapes of the trading screen: one grid whose areas move with the window's width and the layout. */
import type { Layout } from "./layouts.ts";

/** Sizes of panels are variables, so that a splitter changes one without rendering anything. */
export const GRID = [
  "flex flex-1 flex-col gap-px bg-line",
  "md:grid md:flex-none md:grid-cols-[minmax(0,1fr)_19rem] md:grid-rows-[24rem_auto_auto] md:[grid-template-areas:'chart_chart'_'book_ticket'_'panels_panels']",
  "lg:min-h-0 lg:flex-1 lg:grid-cols-[minmax(14rem,1fr)_clamp(15rem,var(--book),45%)_clamp(17rem,var(--ticket,19.5rem),32%)] lg:grid-rows-[minmax(10rem,1fr)_clamp(7rem,var(--panels),60%)] lg:[grid-template-areas:'chart_book_ticket'_'panels_panels_ticket']",
  "min-[90rem]:[grid-template-areas:'chart_book_ticket'_'panels_book_ticket']",
].join(" ");

/** The sizes of each layout, for laptops and for wide screens. */
export const LAYOUT_SIZES = {
  standard:
    "[--book:15rem] [--panels:15rem] [--tape:40%] min-[90rem]:[--book:18.5rem] min-[90rem]:[--panels:16.5rem]",
  chart:
    "[--book:15rem] [--panels:9rem] [--tape:40%] min-[90rem]:[--book:16rem] min-[90rem]:[--panels:10rem]",
  book: "[--book:20rem] [--panels:12rem] [--tape:22%] min-[90rem]:[--book:25rem] min-[90rem]:[--panels:16.5rem]",
  tape: "[--book:19rem] [--panels:15rem] [--tape:50%] min-[90rem]:[--book:34rem] min-[90rem]:[--panels:16.5rem]",
} as const satisfies Record<Layout, string>;
