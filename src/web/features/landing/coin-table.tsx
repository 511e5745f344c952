import { Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useState } from "react";
import type { Coin } from "#contract/types.ts";
import { coinStatusText } from "../../format/coin-status.ts";
import { firstChange } from "../../format/decimal-text.ts";
import { formatGivenPrice } from "../../format/given-price.ts";
import { directionOf, formatPercent, formatVolume } from "../../format/money.ts";
import { Badge, SimulatedBadge } from "../../ui/badge.tsx";
import { Change } from "../../ui/price-change.tsx";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LiveText } from "../../ui/live-text.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import { SortableHead, Table, TableCell, TableHead, TableRow, type Sort } from "../../ui/table.tsx";
import { type CoinColumn, filterAndSortCoins, tradedCoins } from "./coin-order.ts";

interface CoinTableProps {
  readonly coins: readonly Coin[];
  readonly settlementCoin: string;
}

/** The table of all coins with price, 24-hour change and volume, and the curve of the last day. */
export function CoinTable({ coins, settlementCoin }: CoinTableProps) {
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState<Sort<CoinColumn>>({ key: "volume24h", descending: true });
  const shown = filterAndSortCoins(coins, search, sort);
  // If all prices are simulated, the page header says so once.
  const marksSimulated = tradedCoins(coins).some(({ priceSource }) => priceSource !== "simulated");
  const heading = { sort, onSort: setSort };
  return (
    <div className="rounded-lg border bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b p-3">
        <SearchInput
          label="Search coins"
          value={search}
          onChange={setSearch}
          className="w-full sm:w-64"
        />
        <output className="text-xs text-faint">
          {shown.length} of {coins.length} coins
        </output>
      </div>
      {shown.length === 0 ? (
        <EmptyState icon={SearchX} title="No coin matches" text="Try a symbol such as BTC." />
      ) : (
        <Table aria-label={`Coins, prices in ${settlementCoin}`} className="sm:text-sm">
          <thead className="border-b">
            <tr>
              <SortableHead column="name" {...heading}>
                Coin
              </SortableHead>
              <SortableHead column="price" numeric {...heading}>
                Price
              </SortableHead>
              <SortableHead column="change24h" numeric {...heading}>
                24 h
              </SortableHead>
              <SortableHead
                column="volume24h"
                numeric
                className="hidden sm:table-cell"
                {...heading}
              >
                Volume 24 h
              </SortableHead>
              <TableHead className="hidden w-40 text-right md:table-cell">Last 24 h</TableHead>
              <TableHead className="hidden w-24 md:table-cell">
                <span className="sr-only">Trade</span>
              </TableHead>
            </tr>
          </thead>
          <tbody>
            {shown.map((coin) => (
              <CoinRow key={coin.symbol} coin={coin} marksSimulated={marksSimulated} />
            ))}
          </tbody>
        </Table>
      )}
    </div>
  );
}

interface CoinRowProps {
  readonly coin: Coin;
  readonly marksSimulated: boolean;
}

function CoinRow({ coin, marksSimulated }: CoinRowProps) {
  const direction = directionOf(coin.change24h);
  const settles = coin.priceSource === "settlement";
  const market = settles ? undefined : coin.markets[0];
  return (
    <TableRow className="relative hover:bg-hover">
      <TableCell className="h-12! max-w-44 sm:max-w-none">
        <div className="flex items-center gap-3">
          <CoinIcon symbol={coin.symbol} />
          <span className="min-w-0">
            {market === undefined ? (
              <span className="block truncate font-medium text-text">{coin.name}</span>
            ) : (
              <Link
                to="/trade"
                search={{ market }}
                className="block truncate font-medium text-text after:absolute after:inset-0"
              >
                {coin.name}
              </Link>
            )}
            <span className="flex items-center gap-2 text-xs text-faint">
              {coin.symbol}
              {marksSimulated && coin.priceSource === "simulated" ? <SimulatedBadge /> : null}
            </span>
            {coin.status === "listed" ? null : (
              <Badge tone="warn">{coinStatusText(coin.status)}</Badge>
            )}
          </span>
        </div>
      </TableCell>
      <TableCell numeric>
        <LiveText text={formatGivenPrice(coin.price)} firstChange={firstChange} />
      </TableCell>
      <TableCell numeric>
        <Change text={formatPercent(coin.change24h)} direction={direction} />
      </TableCell>
      <TableCell numeric className="hidden text-muted sm:table-cell">
        {formatVolume(settles ? null : coin.volume24h)}
      </TableCell>
      <TableCell className="hidden md:table-cell">
        <Sparkline values={coin.sparkline} direction={direction} className="ml-auto" />
      </TableCell>
      <TableCell className="hidden text-right md:table-cell">
        {market === undefined ? (
          <span className="text-xs text-faint">{settles ? "Settlement" : ""}</span>
        ) : (
          <span aria-hidden className="text-xs font-medium text-accent">
            Trade
          </span>
        )}
      </TableCell>
    </TableRow>
  );
}
