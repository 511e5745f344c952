import { classNames } from "../../../ui/class-names.ts";

export type View = "chart" | "book" | "trades" | "orders";

const VIEWS: readonly { readonly view: View; readonly label: string }[] = [
  { view: "chart", label: "Chart" },
  { view: "book", label: "Book" },
  { view: "trades", label: "Trades" },
  { view: "orders", label: "Orders" },
];

interface ViewSwitchProps {
  readonly view: View;
  readonly onChange: (view: View) => void;
  /** Offers only book and trades, if everything else is visible anyway. */
  readonly isShort?: boolean;
}

/** Switches between panels on screens without room for all. */
export function ViewSwitch({ view, onChange, isShort = false }: ViewSwitchProps) {
  const views = isShort
    ? VIEWS.filter(({ view: each }) => each === "book" || each === "trades")
    : VIEWS;
  return (
    <fieldset
      aria-label={isShort ? "Book or trades" : "View"}
      className={classNames(
        "flex shrink-0 border-b bg-surface",
        isShort ? "max-md:hidden min-[90rem]:hidden" : "md:hidden",
      )}
    >
      {views.map(({ view: each, label }) => (
        <button
          key={each}
          type="button"
          aria-pressed={view === each}
          onClick={() => onChange(each)}
          className={classNames(
            "-mb-px flex-1 border-b-2 text-xs font-medium transition-colors focus-visible:-outline-offset-2",
            isShort ? "h-8" : "h-10",
            view === each ? "border-accent text-text" : "border-transparent text-muted",
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}
