import type { Decimal } from "#contract/types.ts";
import { DataAge } from "../../session/data-age.tsx";
import { classNames } from "../../ui/class-names.ts";
import { PlainSelect } from "../../ui/plain-select.tsx";
import { BOOK_SIDES, type BookSides } from "./book-choices.ts";

const SIDES_LABELS = {
  both: "Bids and asks",
  bids: "Bids only",
  asks: "Asks only",
} as const satisfies Record<BookSides, string>;

interface BookHeaderProps {
  readonly sides: BookSides;
  readonly onSides: (sides: BookSides) => void;
  readonly step: Decimal;
  readonly steps: readonly Decimal[];
  readonly onStep: (step: Decimal) => void;
}

/** The header of the book, with the choice of sides and grouping. */
export function BookHeader({ sides, onSides, step, steps, onStep }: BookHeaderProps) {
  return (
    <header className="flex h-9 shrink-0 items-center justify-between gap-1 border-b pl-3 pr-1.5">
      <div className="flex min-w-0 items-center gap-2">
        <h2 className="truncate text-xs font-semibold">Order book</h2>
        <DataAge />
      </div>
      <div data-book-choice className="flex min-w-0 items-center">
        <fieldset aria-label="Sides of the book" className="flex shrink-0">
          {BOOK_SIDES.map((each) => (
            <button
              key={each}
              type="button"
              aria-label={SIDES_LABELS[each]}
              title={SIDES_LABELS[each]}
              aria-pressed={each === sides}
              onClick={() => onSides(each)}
              className={classNames(
                "grid size-6 place-items-center rounded-sm hover:bg-hover focus-visible:-outline-offset-2",
                each === sides ? "bg-hover" : "opacity-60 hover:opacity-100",
              )}
            >
              <SidesMark sides={each} />
            </button>
          ))}
        </fieldset>
        <PlainSelect
          aria-label="Group prices by"
          value={step}
          options={steps.map((value) => ({ value, label: value }))}
          onChange={onStep}
          className="figures h-6"
        />
      </div>
    </header>
  );
}

/** An icon of two bars for the sides of the book, asks above; a hidden side is an outline. */
function SidesMark({ sides }: { readonly sides: BookSides }) {
  return (
    <svg viewBox="0 0 12 12" aria-hidden className="size-3.5 fill-none stroke-1">
      <rect
        x="0.5"
        y="0.5"
        width="11"
        height="4.5"
        className={sides === "bids" ? "stroke-control" : "fill-sell stroke-sell"}
      />
      <rect
        x="0.5"
        y="7"
        width="11"
        height="4.5"
        className={sides === "asks" ? "stroke-control" : "fill-buy stroke-buy"}
      />
    </svg>
  );
}
