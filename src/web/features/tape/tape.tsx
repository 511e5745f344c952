import { ArrowUp } from "lucide-react";
import { useMemo, useRef } from "react";
import { functions } from "#contract/functions.ts";
import type { Fill, Market } from "#contract/types.ts";
import { useTimeZone } from "../../format/time.ts";
import { DataAge } from "../../session/data-age.tsx";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";
import { classNames } from "../../ui/class-names.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useSharedValue } from "../../ui/shared-value.ts";
import { tapeUnit } from "./tape-choices.ts";
import { TapeRow } from "./tape-row.tsx";
import { useRowsInView } from "./use-rows-in-view.ts";
import { useTapeScroll } from "./use-tape-scroll.ts";

const NO_FILLS: readonly Fill[] = [];
const SKELETON_ROWS = Array.from({ length: 12 }, (_, row) => row);
const ROW_REM = 1.25;
const COLUMN = "px-3 font-normal";

/** The tape of a market: its latest trades, newest first. */
export function Tape({ market }: { readonly market: Market }) {
  const { data: trades, error } = useFrameQuery(functions.markets.trades, {
    market: market.symbol,
  });
  const own = useOwnTrades(market.symbol);
  const timeZone = useTimeZone();
  const unit = useSharedValue(tapeUnit);
  const list = useRef<HTMLElement>(null);
  const { listed, isAway, newer, onScroll, showNewest } = useTapeScroll(list, trades);
  const inView = useRowsInView(list);
  const rows = isAway ? listed : listed?.slice(0, inView);
  const below = (listed?.length ?? 0) - (rows?.length ?? 0);
  return (
    <section aria-label="Trades" className="relative flex h-full min-h-0 flex-col">
      <header className="flex h-9 shrink-0 items-center justify-between gap-2 border-b px-3">
        <h2 className="text-xs font-semibold">Trades</h2>
        <DataAge />
      </header>
      <section
        ref={list}
        onScroll={onScroll}
        aria-label="Last trades"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable
        tabIndex={0}
        className="live-data relative min-h-0 flex-1 overflow-y-auto [scrollbar-width:thin] focus-visible:-outline-offset-2"
      >
        {error !== null && trades === undefined ? (
          <p className="p-4 text-center text-xs text-muted">The trades could not be loaded.</p>
        ) : listed?.length === 0 ? (
          <p className="p-4 text-center text-xs text-muted">
            No trades yet. The first one appears here.
          </p>
        ) : (
          // Reserves the height of the remaining rows, which are rendered once the list is scrolled.
          <div style={{ paddingBottom: `${below * ROW_REM}rem` }}>
            <table className="w-full table-fixed border-collapse text-xs">
              <thead className="sticky top-0 z-10 bg-surface text-2xs text-faint">
                <tr className="h-6">
                  <th scope="col" className={classNames(COLUMN, "w-[41%] pr-0! text-left")}>
                    Price ({market.quote})
                  </th>
                  <th scope="col" className={classNames(COLUMN, "px-0! text-right")}>
                    <button
                      type="button"
                      title="Change the coin"
                      onClick={() => tapeUnit.set(unit === "base" ? "quote" : "base")}
                      className="h-6 rounded-sm underline decoration-dotted underline-offset-2 hover:text-text"
                    >
                      {unit === "base" ? `Size (${market.base})` : `Value (${market.quote})`}
                    </button>
                  </th>
                  <th scope="col" className={classNames(COLUMN, "w-[31%] pl-0! text-right")}>
                    Time
                  </th>
                </tr>
              </thead>
              <tbody className="figures">
                {rows === undefined
                  ? SKELETON_ROWS.map((row) => (
                      <tr key={row}>
                        <td colSpan={3} className="px-3 py-0.5">
                          <Skeleton className="h-4" />
                        </td>
                      </tr>
                    ))
                  : rows.map((trade, place) => (
                      <TapeRow
                        // Keyed by position: a new trade changes the texts of the rows and moves no row.
                        // oxlint-disable-next-line react/no-array-index-key -- rows have no state
                        key={place}
                        trade={trade}
                        market={market}
                        timeZone={timeZone}
                        unit={unit}
                        isOwn={own.has(trade.tradeId)}
                      />
                    ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
      {isAway ? (
        <button
          type="button"
          onClick={() => {
            showNewest();
            list.current?.focus({ preventScroll: true });
          }}
          className="absolute left-1/2 top-16 z-20 flex h-7 -translate-x-1/2 items-center gap-1.5 whitespace-nowrap rounded-full border border-line-strong bg-raised px-3 text-xs font-medium text-accent shadow-lg hover:bg-hover"
        >
          <ArrowUp className="size-3.5" aria-hidden />
          {newer === 0 ? "Newest trades" : newer === 1 ? "1 newer trade" : `${newer} newer trades`}
        </button>
      ) : null}
    </section>
  );
}

/** Ids of the market's recent trades in which the viewer was a party. */
function useOwnTrades(market: string): ReadonlySet<number> {
  const { data: fills = NO_FILLS } = useFrameQuery(
    functions.fills.recent,
    useIsSignedIn() ? { market } : "skip",
  );
  return useMemo(() => new Set(fills.map(({ tradeId }) => tradeId)), [fills]);
}
