import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, BellPlus, Star } from "lucide-react";
import { useState } from "react";
import type { Coin, Market, Ticker } from "#contract/types.ts";
import { firstChange } from "../../format/decimal-text.ts";
import { directionOf, formatPercent, formatPrice } from "../../format/money.ts";
import { useIsReadOnly } from "../../session/read-only.ts";
import { wantAlert } from "../../session/wanted-alert.ts";
import { useWatchlist, type Watchlist } from "../../session/watchlist.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Change } from "../../ui/price-change.tsx";
import { classNames } from "../../ui/class-names.ts";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { KeptButton } from "../../ui/kept-button.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { LiveText } from "../../ui/live-text.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";

interface WatchlistPanelProps {
  readonly tickers: readonly Ticker[];
  readonly markets: readonly Market[];
  /** The coins, with their prices over the last day. */
  readonly coins: readonly Coin[];
}

/** The user's watchlist, in the user's order. */
export function WatchlistPanel({ tickers, markets, coins }: WatchlistPanelProps) {
  const watchlist = useWatchlist();
  const isReadOnly = useIsReadOnly();
  const [isReordering, setIsReordering] = useState(false);
  const watched = (watchlist.markets ?? []).flatMap((symbol) => {
    const market = markets.find((each) => each.symbol === symbol);
    return market === undefined ? [] : [market];
  });
  return (
    <Panel
      title="Watchlist"
      className="@container"
      aside={
        watched.length < 2 || isReadOnly ? undefined : (
          <Button
            size="sm"
            variant="ghost"
            aria-pressed={isReordering}
            onClick={() => setIsReordering(!isReordering)}
          >
            {isReordering ? "Done" : "Reorder"}
          </Button>
        )
      }
    >
      {watchlist.markets === null ? (
        <div className="p-4" aria-busy>
          <Skeleton className="h-16" />
        </div>
      ) : watched.length === 0 ? (
        <EmptyState
          icon={Star}
          title="You watch no markets yet"
          text="Mark a market with its star in the list of markets, and it appears here."
          action={
            <Link to="/trade" className={buttonClass({ size: "sm" })}>
              Choose markets
            </Link>
          }
        />
      ) : (
        <WatchedMarkets
          watched={watched}
          watchlist={watchlist}
          tickers={tickers}
          coins={coins}
          isReordering={isReordering}
        />
      )}
    </Panel>
  );
}

interface WatchedMarketsProps {
  readonly watched: readonly Market[];
  readonly watchlist: Watchlist;
  readonly tickers: readonly Ticker[];
  readonly coins: readonly Coin[];
  readonly isReordering: boolean;
}

function WatchedMarkets(props: WatchedMarketsProps) {
  const { watched, watchlist, tickers, coins, isReordering } = props;
  const isReadOnly = useIsReadOnly();
  return (
    <KeptFocus as="ul" className="max-h-80 divide-y overflow-y-auto" aria-label="Watched markets">
      {watched.map((market, index) => (
        <li
          key={market.symbol}
          className="flex h-10 items-center gap-1 px-1.5 text-xs hover:bg-hover"
        >
          <StarButton symbol={market.symbol} watchlist={watchlist} isDisabled={isReadOnly} />
          <WatchedMarket
            market={market}
            ticker={tickers.find((ticker) => ticker.market === market.symbol)}
            sparkline={coins.find(({ symbol }) => symbol === market.base)?.sparkline ?? []}
            showsDay={!isReordering}
          />
          {isReordering ? (
            <MoveButtons
              symbol={market.symbol}
              watchlist={watchlist}
              isFirst={index === 0}
              isLast={index === watched.length - 1}
            />
          ) : isReadOnly ? null : (
            <AlertButton symbol={market.symbol} />
          )}
        </li>
      ))}
    </KeptFocus>
  );
}

interface StarButtonProps {
  readonly symbol: string;
  readonly watchlist: Watchlist;
  readonly isDisabled: boolean;
}

function StarButton({ symbol, watchlist, isDisabled }: StarButtonProps) {
  return (
    <button
      type="button"
      aria-label={`Stop watching ${symbol}`}
      disabled={isDisabled}
      onClick={() => watchlist.toggle(symbol)}
      className="grid size-7 shrink-0 place-items-center rounded-sm text-warn hover:text-muted"
    >
      <Star className="size-3.5" aria-hidden fill="currentColor" />
    </button>
  );
}

function AlertButton({ symbol }: { readonly symbol: string }) {
  return (
    <button
      type="button"
      aria-label={`Price alert for ${symbol}`}
      title="Price alert"
      onClick={() => wantAlert(symbol)}
      className="grid size-7 shrink-0 place-items-center rounded-sm text-faint hover:text-text"
    >
      <BellPlus className="size-3.5" aria-hidden />
    </button>
  );
}

interface WatchedMarketProps {
  readonly market: Market;
  readonly ticker: Ticker | undefined;
  readonly sparkline: readonly number[];
  /** Whether to show the day's curve and change; if not, their space is used by other controls. */
  readonly showsDay: boolean;
}

function WatchedMarket({ market, ticker, sparkline, showsDay }: WatchedMarketProps) {
  const change = ticker?.change24h ?? null;
  return (
    <Link
      to="/trade"
      search={{ market: market.symbol }}
      className={classNames(
        "grid h-10 min-w-0 flex-1 items-center gap-2 rounded-sm focus-visible:-outline-offset-2",
        showsDay
          ? "grid-cols-[1fr_auto_3.5rem] @sm:grid-cols-[1fr_auto_auto_3.75rem]"
          : "grid-cols-[1fr_auto]",
      )}
    >
      <span className="flex min-w-0 items-center gap-2 font-medium">
        <CoinIcon symbol={market.base} className="size-5!" />
        <span className="truncate">{market.symbol}</span>
      </span>
      {showsDay ? (
        <Sparkline
          values={sparkline}
          direction={directionOf(change)}
          className="hidden! h-5! w-12! @sm:block!"
        />
      ) : null}
      <span className="figures min-w-16 text-right">
        <LiveText
          text={formatPrice(ticker?.last ?? null, market.priceDecimals)}
          firstChange={firstChange}
        />
      </span>
      {showsDay ? (
        <Change
          className="figures text-right"
          text={formatPercent(change)}
          direction={directionOf(change)}
        />
      ) : null}
    </Link>
  );
}

interface MoveButtonsProps {
  readonly symbol: string;
  readonly watchlist: Watchlist;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function MoveButtons({ symbol, watchlist, isFirst, isLast }: MoveButtonsProps) {
  return (
    <span className="flex shrink-0">
      <KeptButton
        size="iconSm"
        variant="ghost"
        aria-label={`Move ${symbol} up`}
        disabled={isFirst}
        onClick={() => watchlist.shift(symbol, -1)}
      >
        <ArrowUp className="size-3.5" aria-hidden />
      </KeptButton>
      <KeptButton
        size="iconSm"
        variant="ghost"
        aria-label={`Move ${symbol} down`}
        disabled={isLast}
        onClick={() => watchlist.shift(symbol, 1)}
      >
        <ArrowDown className="size-3.5" aria-hidden />
      </KeptButton>
    </span>
  );
}
