import { Star } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, Ticker } from "#contract/types.ts";
import { directionOf, formatPercent, formatPrice, formatVolume } from "../../format/money.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { useWatchlist } from "../../session/watchlist.ts";
import { FundsBadge } from "../../ui/badge.tsx";
import { Change } from "../../ui/price-change.tsx";
import { classNames } from "../../ui/class-names.ts";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { SortableHead, type Sort } from "../../ui/table.tsx";
import { listMarkets, type MarketColumn, type MarketRow } from "./market-rows.ts";

const NO_MARKETS: readonly Market[] = [];
const NO_TICKERS: readonly Ticker[] = [];

interface MarketListProps {
  readonly current: string | null;
  readonly onChoose: (symbol: string) => void;
}

/**
 * The searchable list of all markets with their prices; arrow keys move from the search box through
 * the rows. Loaded lazily, hence the default export.
 */
export default function MarketList({ current, onChoose }: MarketListProps) {
  const [search, setSearch] = useState("");
  const [favouritesOnly, setFavouritesOnly] = useState(false);
  const [sort, setSort] = useState<Sort<MarketColumn>>({ key: "volume", descending: true });
  const watchlist = useWatchlist();
  const { data: markets = NO_MARKETS } = useFrameQuery(functions.markets.list, {});
  const { data: tickers = NO_TICKERS } = useFrameQuery(functions.markets.tickers, {});
  const rows = useMemo(
    () =>
      listMarkets(markets, tickers, new Set(watchlist.markets), { search, favouritesOnly, sort }),
    [markets, tickers, watchlist, search, favouritesOnly, sort],
  );
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // On a phone the keyboard would cover half of the list, of which most are chosen without a search.
    if (window.matchMedia("(pointer: coarse)").matches) return;
    root.current?.querySelector("input")?.focus();
  }, []);
  const keys = (event: KeyboardEvent<HTMLDivElement>) => {
    if (
      event.key === "Enter" &&
      event.target instanceof HTMLInputElement &&
      rows[0] !== undefined
    ) {
      onChoose(rows[0].market.symbol);
      return;
    }
    moveBetweenRows(event);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys come from its box and buttons
    <div ref={root} className="flex min-h-0 flex-1 flex-col" onKeyDown={keys}>
      <div className="flex shrink-0 items-center gap-2 border-b p-2">
        <SearchInput
          value={search}
          onChange={setSearch}
          label="Search markets"
          className="flex-1"
        />
        <button
          type="button"
          aria-pressed={favouritesOnly}
          onClick={() => setFavouritesOnly(!favouritesOnly)}
          className={classNames(
            "inline-flex h-9 items-center gap-1.5 rounded-md border px-2.5 text-xs font-medium",
            favouritesOnly
              ? "border-warn/50 bg-warn-soft text-warn"
              : "border-line-strong text-muted hover:text-text",
          )}
        >
          <Star className="size-3.5" aria-hidden fill={favouritesOnly ? "currentColor" : "none"} />
          Favourites
        </button>
      </div>
      <div className="relative min-h-0 flex-1 overflow-y-auto">
        {rows.length === 0 ? (
          <EmptyState
            title={favouritesOnly && search === "" ? "No favourites yet" : "No market found"}
            text={
              favouritesOnly && search === ""
                ? "Mark a market with its star to keep it here."
                : "Try a symbol such as BTC or a name such as Bitcoin."
            }
          />
        ) : (
          <table className="w-full border-collapse text-xs">
            <thead className="sticky top-0 z-10 bg-raised">
              <tr className="border-b">
                <SortableHead column="symbol" sort={sort} onSort={setSort} className="pl-10!">
                  Market
                </SortableHead>
                <SortableHead column="price" sort={sort} onSort={setSort} numeric>
                  Price
                </SortableHead>
                <SortableHead column="change" sort={sort} onSort={setSort} numeric>
                  24 h
                </SortableHead>
                <SortableHead
                  column="volume"
                  sort={sort}
                  onSort={setSort}
                  numeric
                  className="max-sm:hidden"
                >
                  Volume
                </SortableHead>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row
                  key={row.market.symbol}
                  row={row}
                  isCurrent={row.market.symbol === current}
                  onChoose={onChoose}
                  onToggle={watchlist.toggle}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  );
}

interface RowProps {
  readonly row: MarketRow;
  readonly isCurrent: boolean;
  readonly onChoose: (symbol: string) => void;
  readonly onToggle: (symbol: string) => void;
}

function Row({ row, isCurrent, onChoose, onToggle }: RowProps) {
  const { market, ticker, isFavourite } = row;
  const change = ticker?.change24h ?? null;
  return (
    <tr className={classNames("relative hover:bg-hover", isCurrent && "bg-accent-soft")}>
      <td className="h-10 px-2">
        <div className="flex items-center gap-2">
          <button
            type="button"
            aria-label={`${market.symbol} is a favourite`}
            aria-pressed={isFavourite}
            onClick={() => onToggle(market.symbol)}
            className={classNames(
              "relative z-10 grid size-7 place-items-center rounded-sm hover:text-warn",
              isFavourite ? "text-warn" : "text-faint",
            )}
          >
            <Star className="size-3.5" aria-hidden fill={isFavourite ? "currentColor" : "none"} />
          </button>
          <CoinIcon symbol={market.base} className="size-5!" />
          <button
            type="button"
            data-market
            aria-current={isCurrent || undefined}
            onClick={() => onChoose(market.symbol)}
            className="whitespace-nowrap text-left font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {market.base}
            <span className="text-faint">/{market.quote}</span>
            {market.funds === null ? (
              <span className="ml-2 font-normal text-muted max-sm:hidden">{market.baseName}</span>
            ) : null}
          </button>
          {market.funds === null ? null : (
            <FundsBadge funds={market.funds} isSimulated={market.simulated} />
          )}
        </div>
      </td>
      <td className="figures px-3 text-right">
        {formatPrice(ticker?.last ?? null, market.priceDecimals)}
      </td>
      <td className="figures px-3 text-right">
        <Change text={formatPercent(change)} direction={directionOf(change)} />
      </td>
      <td className="figures px-3 text-right text-muted max-sm:hidden">
        {formatVolume(ticker?.quoteVolume24h ?? null)}
      </td>
    </tr>
  );
}

function moveBetweenRows(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const targets = [
    ...event.currentTarget.querySelectorAll<HTMLElement>("input[type=search], [data-market]"),
  ];
  const at = targets.indexOf(document.activeElement as HTMLElement);
  const next = targets[Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1))];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
