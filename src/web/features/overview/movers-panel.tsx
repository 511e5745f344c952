import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Coin, Market, Ticker } from "#contract/types.ts";
import { firstChange } from "../../format/decimal-text.ts";
import { directionOf, formatPercent, formatPrice, formatVolume } from "../../format/money.ts";
import { Change } from "../../ui/price-change.tsx";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { LiveText } from "../../ui/live-text.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Sparkline } from "../../ui/sparkline.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../ui/tabs.tsx";
import { moversOf, type MoverList } from "./movers.ts";

const SHOWN_MAX = 6;
const LISTS = [
  { list: "gainers", label: "Gainers" },
  { list: "losers", label: "Losers" },
  { list: "volume", label: "Volume" },
] as const;

interface MoversPanelProps {
  readonly tickers: readonly Ticker[];
  readonly markets: readonly Market[];
  /** The coins, with their prices over the last day. */
  readonly coins: readonly Coin[];
}

/** The markets with the largest price changes in 24 hours. */
export function MoversPanel({ tickers, markets, coins }: MoversPanelProps) {
  const [list, setList] = useState<MoverList>("gainers");
  const movers = moversOf(tickers, list, SHOWN_MAX);
  return (
    <Panel title="Markets, 24 h">
      <Tabs value={list} onValueChange={(value) => setList(value as MoverList)}>
        <TabsList aria-label="Order of the markets" className="px-2">
          {LISTS.map(({ list: value, label }) => (
            <TabsTrigger key={value} value={value}>
              {label}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value={list} tabIndex={-1}>
          {movers.length === 0 ? (
            <p className="px-4 py-8 text-center text-xs text-muted">No market in this list now.</p>
          ) : (
            <ul className="@container divide-y">
              {movers.map((ticker) => {
                const market = markets.find(({ symbol }) => symbol === ticker.market);
                const coin = coins.find(({ symbol }) => symbol === market?.base);
                return (
                  <MoverRow
                    key={ticker.market}
                    ticker={ticker}
                    market={market}
                    sparkline={coin?.sparkline ?? []}
                    showsVolume={list === "volume"}
                  />
                );
              })}
            </ul>
          )}
        </TabsContent>
      </Tabs>
    </Panel>
  );
}

interface MoverRowProps {
  readonly ticker: Ticker;
  readonly market: Market | undefined;
  readonly sparkline: readonly number[];
  readonly showsVolume: boolean;
}

function MoverRow({ ticker, market, sparkline, showsVolume }: MoverRowProps) {
  return (
    <li>
      <Link
        to="/trade"
        search={{ market: ticker.market }}
        className="grid h-10 grid-cols-[1fr_auto_4.5rem] @sm:grid-cols-[1fr_auto_auto_4.5rem] items-center gap-3 px-4 text-xs hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="flex min-w-0 items-center gap-2 font-medium">
          <CoinIcon symbol={market?.base ?? ticker.market} className="size-5!" />
          <span className="truncate">{ticker.market}</span>
        </span>
        <Sparkline
          values={sparkline}
          direction={directionOf(ticker.change24h)}
          className="hidden! h-5! w-14! @sm:block!"
        />
        <span className="figures min-w-16 text-right">
          <LiveText
            text={formatPrice(ticker.last, market?.priceDecimals ?? 2)}
            firstChange={firstChange}
          />
        </span>
        {showsVolume ? (
          <span className="figures text-right text-muted">
            {formatVolume(ticker.quoteVolume24h)}
          </span>
        ) : (
          <Change
            className="figures text-right"
            text={formatPercent(ticker.change24h)}
            direction={directionOf(ticker.change24h)}
          />
        )}
      </Link>
    </li>
  );
}
