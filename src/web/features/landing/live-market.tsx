import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import type { Coin } from "#contract/types.ts";
import { firstChange } from "../../format/decimal-text.ts";
import { decimalsOf, formatGivenPrice } from "../../format/given-price.ts";
import { directionOf, formatNarrowQuantity, formatPercent } from "../../format/money.ts";
import { Change } from "../../ui/price-change.tsx";
import { classNames } from "../../ui/class-names.ts";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { linePath } from "../../ui/line-path.ts";
import { LiveText } from "../../ui/live-text.tsx";
import { type BookLevel, bookLevels } from "./book-rows.ts";
import { LIVE_LEVELS, liveBookArgs } from "./live-book.ts";

const WIDTH = 480;
const HEIGHT = 120;

interface LiveMarketProps {
  readonly coin: Coin;
  readonly market: string;
}

/** A live market: its last day, its price and the top of its book. */
export function LiveMarket({ coin, market }: LiveMarketProps) {
  const { data: book } = useQuery(convexQuery(functions.markets.book, liveBookArgs(market)));
  const { bids, asks } = bookLevels(book ?? { bids: [], asks: [] }, LIVE_LEVELS);
  const direction = directionOf(coin.change24h);
  return (
    <section
      aria-label={`${market} now`}
      className="relative min-w-0 overflow-hidden rounded-lg border bg-surface"
    >
      <div className="flex items-center gap-2.5 px-4 pt-3.5">
        <CoinIcon symbol={coin.symbol} />
        <div className="min-w-0">
          <Link
            to="/trade"
            search={{ market }}
            className="text-sm font-semibold after:absolute after:inset-0 hover:underline"
          >
            {market}
          </Link>
          <p className="text-xs text-faint">{coin.name}</p>
        </div>
        <p className="ml-auto text-right">
          <span className="figures block text-lg leading-6 font-medium">
            <LiveText text={formatGivenPrice(coin.price)} firstChange={firstChange} />
          </span>
          <Change
            className="figures text-xs"
            text={`${formatPercent(coin.change24h)} in 24 h`}
            direction={direction}
          />
        </p>
      </div>
      <svg
        aria-hidden
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="mt-3 h-28 w-full"
      >
        {coin.sparkline.length < 2 ? null : <LastDay values={coin.sparkline} />}
      </svg>
      <div className="grid grid-cols-2 gap-px border-t bg-line">
        <Side title="Bids" levels={bids} isBid />
        <Side title="Asks" levels={asks} />
      </div>
    </section>
  );
}

function LastDay({ values }: { readonly values: readonly number[] }) {
  const line = linePath(values, WIDTH, HEIGHT, 6);
  return (
    <>
      <path d={`${line}V${HEIGHT}H0Z`} className="fill-accent/8" />
      <path
        d={line}
        className="fill-none stroke-accent"
        strokeWidth={1.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </>
  );
}

interface SideProps {
  readonly title: string;
  /** Levels with the best price first. */
  readonly levels: readonly BookLevel[];
  readonly isBid?: boolean;
}

/** One side of the book, as high as a full one, so that nothing below it moves. */
function Side({ title, levels, isBid = false }: SideProps) {
  return (
    <div className="min-h-36 min-w-0 bg-surface py-2">
      <p className="px-4 pb-1 text-2xs text-faint">{title}</p>
      <ul aria-label={title}>
        {levels.map(({ price, quantity, share }, place) => (
          <li
            // By place: prices come and go, and no row moves.
            // oxlint-disable-next-line react/no-array-index-key -- rows have no state
            key={place}
            className="figures relative flex h-5.5 items-center justify-between gap-2 px-4 text-xs"
          >
            <span
              aria-hidden
              className={classNames(
                "absolute inset-y-px right-0 w-full origin-right",
                isBid ? "bg-buy-soft" : "bg-sell-soft",
              )}
              style={{ transform: `scaleX(${share})` }}
            />
            <span className={classNames("relative", isBid ? "text-buy" : "text-sell")}>
              {formatGivenPrice(price)}
            </span>
            <span className="relative text-muted">
              {formatNarrowQuantity(quantity, decimalsOf(quantity))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
