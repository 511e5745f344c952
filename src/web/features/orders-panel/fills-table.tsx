import { Link } from "@tanstack/react-router";
import { ArrowLeftRight, ReceiptText } from "lucide-react";
import { useMemo } from "react";
import { compareDecimals } from "#contract/decimal.ts";
import { functions } from "#contract/functions.ts";
import type { Fill } from "#contract/types.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatMoney } from "../../format/money.ts";
import { formatNumbersIn } from "../../format/number-sentence.ts";
import { useTimeZone } from "../../format/time.ts";
import { useBackend } from "../../session/use-backend.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type Column, SortedTable } from "../../ui/sorted-table.tsx";
import { LoadMore } from "./load-more.tsx";
import { compareTexts, type Markets, printQuantity } from "./order-cells.tsx";
import { placeColumns, priceColumn } from "./order-columns.tsx";
import { fillFilter, isFiltered, type OrderFilter } from "./order-filter.ts";
import { NothingMatches } from "./nothing-matches.tsx";
import { RowsLoading } from "./rows-loading.tsx";
import { usePagedHistory } from "./use-paged-history.ts";

interface FillsTableProps {
  readonly markets: Markets;
  readonly filter: OrderFilter;
}

/** The table of the viewer's fills, each with its fee. Loaded lazily, hence the default export. */
export default function FillsTable({ markets, filter }: FillsTableProps) {
  const backend = useBackend();
  const wanted = fillFilter(filter);
  const { data, error } = useFrameQuery(functions.fills.recent, { ...wanted });
  const history = usePagedHistory(
    data,
    wanted,
    (cursor) =>
      backend.action(functions.fills.history, {
        ...wanted,
        ...(cursor === null ? {} : { cursor }),
      }),
    keyOf,
  );
  const { rows } = history;
  const columns = useFillColumns(markets);
  if (data === undefined || history.isSearching) return <RowsLoading error={error} name="trades" />;
  if (rows.length === 0 && !history.hasMore) {
    return isFiltered(wanted) ? (
      <NothingMatches />
    ) : (
      <EmptyState
        icon={ArrowLeftRight}
        title="No trades yet"
        text="A market order trades at once; a limit order when another order meets its price."
      />
    );
  }
  return (
    <>
      {rows.length === 0 ? <NothingMatches /> : null}
      <SortedTable
        caption="Trades"
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        action={EXPLAIN}
        initialSort={{ key: "time", descending: true }}
      />
      <LoadMore hasMore={history.hasMore} isLoading={history.isLoading} onLoad={history.loadMore} />
    </>
  );
}

const EXPLAIN = {
  title: "Explain",
  cell: (fill: Fill) => (
    <Link
      to="/fills/$orderId/$tradeId"
      params={{ orderId: fill.orderId, tradeId: fill.tradeId.toString() }}
      title="Explain this trade"
      aria-label={formatNumbersIn(
        `Explain the trade of ${fill.quantity} in ${fill.market} at ${fill.price}`,
      )}
      className="inline-grid size-7 place-items-center rounded-md text-muted hover:bg-hover hover:text-text"
    >
      <ReceiptText className="size-4" aria-hidden />
    </Link>
  ),
};

/** The key of a row. Includes the order: a trade has two fills if both orders are the viewer's. */
function keyOf({ market, tradeId, orderId }: Fill): string {
  return `${market} ${tradeId} ${orderId}`;
}

type Key = "time" | "market" | "side" | "price" | "quantity" | "total" | "fee" | "role";

function useFillColumns(markets: Markets): readonly Column<Fill, Key>[] {
  const timeZone = useTimeZone();
  return useMemo(
    () => [
      ...placeColumns<Fill>((fill) => fill.time, timeZone, "max-md:hidden"),
      priceColumn(markets),
      {
        key: "quantity",
        title: "Quantity",
        numeric: true,
        compare: (left, right) => compareDecimals(left.quantity, right.quantity),
        cell: (fill) => printQuantity(fill.quantity, markets.get(fill.market)),
      },
      {
        key: "total",
        title: "Total",
        numeric: true,
        compare: (left, right) => compareDecimals(left.quoteAmount, right.quoteAmount),
        cell: (fill) => {
          const market = markets.get(fill.market);
          return formatMoney(fill.quoteAmount, market?.quoteDecimals ?? 2, market?.quote);
        },
      },
      {
        key: "fee",
        title: "Fee",
        numeric: true,
        cell: (fill) => `${formatExact(fill.fee)} ${fill.feeCoin}`,
      },
      {
        key: "role",
        title: "Role",
        className: "text-muted max-md:hidden",
        compare: (left, right) => compareTexts(left.role, right.role),
        cell: (fill) => (fill.role === "maker" ? "Maker" : "Taker"),
      },
    ],
    [markets, timeZone],
  );
}
