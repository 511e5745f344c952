import { Link } from "@tanstack/react-router";
import type { Coin } from "#contract/types.ts";
import { firstChange } from "../../format/decimal-text.ts";
import { formatGivenPrice } from "../../format/given-price.ts";
import { directionOf, formatPercent } from "../../format/money.ts";
import { Change } from "../../ui/price-change.tsx";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { LiveText } from "../../ui/live-text.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import { filterAndSortCoins } from "./coin-order.ts";

const SHOWN_MAX = 6;

/** The markets with the highest volume of the last day, live. */
export function MarketStrip({ coins }: { readonly coins: readonly Coin[] }) {
  const liveliest = filterAndSortCoins(coins, "", { key: "volume24h", descending: true }).slice(
    0,
    SHOWN_MAX,
  );
  return (
    <ul
      aria-label="Liveliest markets"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-3 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none"
    >
      {liveliest.map((coin) => (
        <li key={coin.symbol} className="relative min-w-0 bg-surface p-3.5 hover:bg-hover">
          <div className="flex items-center gap-2 text-xs">
            <CoinIcon symbol={coin.symbol} className="size-4!" />
            <Link
              to="/trade"
              search={{ market: coin.markets[0] }}
              className="truncate font-medium text-text after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
            >
              {coin.markets[0]}
            </Link>
          </div>
          <div className="figures mt-2 truncate text-base text-text">
            <LiveText text={formatGivenPrice(coin.price)} firstChange={firstChange} />
          </div>
          <div className="mt-1 flex items-end justify-between gap-2">
            <Change
              text={formatPercent(coin.change24h)}
              direction={directionOf(coin.change24h)}
              className="figures text-xs"
            />
            <Sparkline
              values={coin.sparkline}
              direction={directionOf(coin.change24h)}
              className="h-5! w-14!"
            />
          </div>
        </li>
      ))}
    </ul>
  );
}
