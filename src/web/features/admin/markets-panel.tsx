import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, MarketStatus, Ticker } from "#contract/types.ts";
import { formatPrice, formatQuantity, formatVolume } from "../../format/money.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";
import { MarketStateDialog } from "./market-state-dialog.tsx";
import { CAUSE_TEXTS, STATUS_TEXTS } from "./market-texts.ts";

interface Asked {
  readonly symbol: string;
  readonly wanted: MarketStatus;
}

/** Every market with its current state, which can be changed here. */
export function MarketsPanel() {
  const { data: markets, error } = useQuery(convexQuery(functions.markets.list, {}));
  const { data: tickers } = useQuery(convexQuery(functions.markets.tickers, {}));
  const [asked, setAsked] = useState<Asked | null>(null);
  if (error !== null) {
    return (
      <Panel>
        <EmptyState title="The markets could not be read" text={errorSentence(error)} />
      </Panel>
    );
  }
  if (markets === undefined) {
    return (
      <>
        <LoadingText />
        <Skeleton className="h-96 rounded-lg" />
      </>
    );
  }
  const stopped = markets.filter(({ status }) => status !== "trading").length;
  const askedMarket = markets.find(({ symbol }) => symbol === asked?.symbol);
  return (
    <Panel
      title="Market states"
      aside={<output>{stopped === 0 ? "All trading" : `${stopped} not trading`}</output>}
    >
      <Table aria-label="Market states">
        <thead className="border-b">
          <tr>
            <TableHead>Market</TableHead>
            <TableHead>State</TableHead>
            <TableHead className="max-md:hidden">Since</TableHead>
            <TableHead numeric className="max-sm:hidden">
              Last price
            </TableHead>
            <TableHead numeric className="max-lg:hidden">
              Volume 24 h
            </TableHead>
            <TableHead className="sticky right-0 bg-surface">
              <span className="sr-only">Change</span>
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {markets.map((market) => (
            <MarketRow
              key={market.symbol}
              market={market}
              ticker={tickers?.find((ticker) => ticker.market === market.symbol)}
              onAsk={(wanted) => setAsked({ symbol: market.symbol, wanted })}
            />
          ))}
        </tbody>
      </Table>
      {asked === null || askedMarket === undefined ? null : (
        <MarketStateDialog
          market={askedMarket}
          wanted={asked.wanted}
          onClose={() => setAsked(null)}
        />
      )}
    </Panel>
  );
}

interface MarketRowProps {
  readonly market: Market;
  readonly ticker: Ticker | undefined;
  readonly onAsk: (wanted: MarketStatus) => void;
}

function MarketRow({ market, ticker, onAsk }: MarketRowProps) {
  const { symbol, status } = market;
  const { label, tone } = STATUS_TEXTS[status];
  const isTrading = status === "trading";
  return (
    <TableRow className="group hover:bg-raised">
      <TableCell>
        <Link
          to="/trade"
          search={{ market: symbol }}
          className="rounded-sm font-medium hover:underline"
        >
          {symbol}
        </Link>
      </TableCell>
      <TableCell>
        <Badge tone={tone}>{label}</Badge>
        {isTrading ? null : <StateDetails market={market} />}
      </TableCell>
      <TableCell className="text-muted max-md:hidden">
        {isTrading ? null : <StateOrigin market={market} />}
      </TableCell>
      <TableCell numeric className="max-sm:hidden">
        {formatPrice(ticker?.last ?? null, market.priceDecimals)}
      </TableCell>
      <TableCell numeric className="text-muted max-lg:hidden">
        {formatVolume(ticker?.quoteVolume24h ?? null, market.quote)}
      </TableCell>
      <TableCell className="sticky right-0 bg-surface text-right group-hover:bg-raised">
        <span className="inline-flex gap-2">
          {isTrading ? (
            <Button size="sm" aria-label={`Halt ${symbol}`} onClick={() => onAsk("halted")}>
              Halt
            </Button>
          ) : (
            <Button size="sm" aria-label={`Open ${symbol}`} onClick={() => onAsk("trading")}>
              Open
            </Button>
          )}
          <Button
            size="sm"
            className="max-sm:hidden"
            aria-label={`Change the state of ${symbol}`}
            onClick={() =>
              onAsk(isTrading ? "postOnly" : status === "auction" ? "halted" : "auction")
            }
          >
            Change
          </Button>
        </span>
      </TableCell>
    </TableRow>
  );
}

/** When the state ends automatically, and at which price an auction would end now. */
function StateDetails({ market }: { readonly market: Market }) {
  const timeZone = useTimeZone();
  const { data: state } = useQuery(convexQuery(functions.markets.state, { market: market.symbol }));
  if (state === undefined) return null;
  return (
    <span className="ml-2 text-muted">
      {state.until === null ? null : (
        <>
          until <span className="figures">{formatShortDateTime(state.until, timeZone)}</span>
        </>
      )}
      {state.indicative === null ? null : (
        <span className="figures">
          {" "}
          {formatQuantity(state.indicative.quantity, market.quantityDecimals)} at{" "}
          {formatPrice(state.indicative.price, market.priceDecimals)}
        </span>
      )}
    </span>
  );
}

function StateOrigin({ market }: { readonly market: Market }) {
  const timeZone = useTimeZone();
  const { data: state } = useQuery(convexQuery(functions.markets.state, { market: market.symbol }));
  if (state === undefined) return null;
  return (
    <>
      <span className="figures">{formatShortDateTime(state.since, timeZone)}</span>,{" "}
      {CAUSE_TEXTS[state.cause]}
    </>
  );
}
