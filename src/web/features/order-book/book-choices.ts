/** The viewer's choices for the book's display, stored in this browser. */
import type { Decimal } from "#contract/types.ts";
import { storedChoice } from "../../ui/shared-value.ts";

export const BOOK_SIDES = ["both", "bids", "asks"] as const;
export type BookSides = (typeof BOOK_SIDES)[number];

export interface BookChoices {
  readonly sides: BookSides;
  /** The coin of the running totals. */
  readonly totals: "base" | "quote";
  /** Grouping steps by market; a market without one shows every tick. */
  readonly groupings: Readonly<Record<string, Decimal>>;
}

export const BOOK_KEY = "openbell.trade.book";

export const bookChoices = storedChoice<BookChoices>(BOOK_KEY, (given) => {
  const { sides, totals, groupings } = (
    typeof given === "object" && given !== null ? given : {}
  ) as Record<string, unknown>;
  return {
    sides: BOOK_SIDES.find((each) => each === sides) ?? "both",
    totals: totals === "quote" ? "quote" : "base",
    groupings: parseGroupings(groupings),
  };
});

function parseGroupings(given: unknown): Readonly<Record<string, Decimal>> {
  if (typeof given !== "object" || given === null) return {};
  return Object.fromEntries(
    Object.entries(given).filter(
      (entry): entry is [string, Decimal] => typeof entry[1] === "string",
    ),
  );
}
