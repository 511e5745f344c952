import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market } from "#contract/types.ts";
import { useFrameQuery } from "../../../session/use-frame-query.ts";
import { classNames } from "../../../ui/class-names.ts";
import { SearchInput } from "../../../ui/search-input.tsx";

const NO_MARKETS: readonly Market[] = [];

interface CompareMenuProps {
  readonly market: string;
  readonly compared: string | null;
  readonly onCompare: (symbol: string | null) => void;
}

/** A menu of the markets to compare this one with. Loaded lazily, hence the default export. */
export default function CompareMenu({ market, compared, onCompare }: CompareMenuProps) {
  const [search, setSearch] = useState("");
  const { data: markets = NO_MARKETS } = useFrameQuery(functions.markets.list, {});
  const wanted = search.trim().toLowerCase();
  const found = markets.filter(
    ({ symbol, baseName }) =>
      symbol !== market && `${symbol} ${baseName}`.toLowerCase().includes(wanted),
  );
  return (
    <div className="grid gap-1 p-1">
      <SearchInput value={search} onChange={setSearch} label="Search markets" />
      <fieldset aria-label="Compare with" className="max-h-64 overflow-y-auto">
        {found.map(({ symbol, baseName }) => (
          <button
            key={symbol}
            type="button"
            aria-pressed={symbol === compared}
            onClick={() => onCompare(symbol === compared ? null : symbol)}
            className={classNames(
              "flex h-8 w-full items-center justify-between gap-3 rounded-sm px-2 text-left text-xs hover:bg-hover focus-visible:-outline-offset-2",
              symbol === compared ? "text-accent" : "text-muted hover:text-text",
            )}
          >
            {symbol} <span className="truncate text-2xs text-faint">{baseName}</span>
          </button>
        ))}
        {found.length === 0 ? (
          <p className="px-2 py-3 text-xs text-muted">No other market is called that.</p>
        ) : null}
      </fieldset>
    </div>
  );
}
