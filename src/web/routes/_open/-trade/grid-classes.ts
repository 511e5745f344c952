/** Classes of the trading screen's grid, whose areas depend on the window's width and the layout. */

/**
 * Panel sizes are CSS variables, so that a splitter resizes panels without a render. The viewer's own
 * sizes are set on the root element; the defaults are the layout's, for laptops and for wide screens.
 */
export const GRID = [
  "flex flex-1 flex-col gap-px bg-line",
  "md:grid md:flex-none md:grid-cols-[minmax(0,1fr)_19rem] md:grid-rows-[24rem_auto_auto] md:[grid-template-areas:'chart_chart'_'book_ticket'_'panels_panels']",
  "lg:min-h-0 lg:flex-1 lg:grid-cols-[minmax(14rem,1fr)_clamp(15rem,var(--own-book,var(--book)),45%)_clamp(17rem,var(--own-ticket,19.5rem),32%)] lg:grid-rows-[minmax(10rem,1fr)_clamp(7rem,var(--own-panels,var(--panels)),60%)] lg:[grid-template-areas:'chart_book_ticket'_'panels_panels_ticket']",
  "min-[90rem]:[grid-template-areas:'chart_book_ticket'_'panels_book_ticket']",
  "[--book:15rem] [--panels:15rem] min-[90rem]:[--book:18.5rem] min-[90rem]:[--panels:16.5rem]",
  "layout-chart:[--panels:9rem] layout-chart:min-[90rem]:[--book:16rem] layout-chart:min-[90rem]:[--panels:10rem]",
  "layout-book:[--book:20rem] layout-book:[--panels:12rem] layout-book:min-[90rem]:[--book:25rem] layout-book:min-[90rem]:[--panels:16.5rem]",
  "layout-tape:[--book:19rem] layout-tape:min-[90rem]:[--book:34rem]",
].join(" ");

/** The tape's share of the column, or row, that it shares with the book. */
export const TAPE_SIZE =
  "[--tape:40%] layout-book:[--tape:22%] layout-tape:[--tape:50%] min-[90rem]:flex-[0_0_clamp(5rem,var(--own-tape,var(--tape)),70%)] layout-tape:min-[90rem]:flex-[0_0_clamp(14rem,var(--own-tape,var(--tape)),55%)]";
