/**
 * The server renders the book that everybody sees. A viewer who has chosen another one in this browser
 * sees the chosen side alone from the first paint, and what only the page's script can show, such as
 * grouped levels, is left blank until then: attributes of the root element, which the style sheet reads.
 */
import type { Market } from "#contract/types.ts";
import { BOOK_KEY } from "./book-choices.ts";
import { groupingSteps } from "./book-view.ts";

/** A script that runs before the book is painted. */
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

/** The page's script shows the chosen sides and totals. */
export function bookIsChosen(): void {
  const { dataset } = document.documentElement;
  delete dataset["bookSides"];
  delete dataset["bookTotals"];
}

/** The chosen levels have arrived. */
export function bookIsShown(): void {
  delete document.documentElement.dataset["bookLevels"];
}
