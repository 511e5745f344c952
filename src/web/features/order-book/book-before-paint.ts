/**
 * The server renders the default view of the book. If this browser has stored another one, attributes
 * of the root element, which the style sheet reads, hide the other side from the first paint on and
 * leave blank the parts that only the page's script can render, such as grouped levels.
 */
import type { Market } from "#contract/types.ts";
import { BOOK_KEY } from "./book-choices.ts";
import { groupingSteps } from "./book-view.ts";

/** The source of a script that runs before the book is painted. */
export function bookBeforePaint({ symbol, tickSize }: Market): string {
  const tick = JSON.stringify(groupingSteps(tickSize, null)[0]);
  return `try {
  const { sides, totals, groupings } = JSON.parse(localStorage.getItem("${BOOK_KEY}"));
  const root = document.documentElement.dataset;
  const isGrouped = (groupings[${JSON.stringify(symbol)}] ?? ${tick}) !== ${tick};
  if (sides !== "both") root.bookSides = sides;
  if (sides !== "both" || totals !== "base" || isGrouped) root.bookTotals = totals;
  if (isGrouped) root.bookLevels = "other";
} catch {}`;
}

/** Call when the page's script renders the chosen sides and totals. */
export function bookIsChosen(): void {
  const { dataset } = document.documentElement;
  delete dataset["bookSides"];
  delete dataset["bookTotals"];
}

/** Call when the chosen levels have been loaded. */
export function bookIsShown(): void {
  delete document.documentElement.dataset["bookLevels"];
}
