import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type CatalogueEntries, functions } from "#contract/functions.ts";
import type { Market, MarketStatus, Ticker } from "#contract/types.ts";
import { formatPrice, formatQuantity, formatVolume } from "../../format/money.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";
import { PanelLoading } from "./panel-loading.tsx";
import { EntryDialog } from "./catalogue/entry-dialog.tsx";
import { versionIn } from "./catalogue/entry-fields.ts";
import { MarketStateDialog } from "./market-state-dialog.tsx";
import { CAUSE_TEXTS, STATUS_TEXTS } from "./market-texts.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";

/** The open dialog, and its market; "" for a new one. */
type Asked =
  | { readonly what: "state"; readonly symbol: string; readonly wanted: MarketStatus }
  | { readonly what: "schedule" | "terms"; readonly symbol: string };

/** The markets with their current states: edits state, schedule and terms. */
export function MarketsPanel() {
  const { data: markets, error } = useQuery(convexQuery(functions.markets.list, {}));
  const { data: tickers } = useQuery(convexQuery(functions.markets.tickers, {}));
  const { data: entries } = useQuery(convexQuery(functions.catalogue.entries, {}));
  const [asked, setAsked] = useState<Asked | null>(null);
  if (markets === undefined) return <PanelLoading what="markets" error={error} className="h-96" />;
  const stopped = markets.filter(({ status }) => status !== "trading").length;
  return (
    <Panel
      title="Market states"
      aside={
        <>
          <output>{stopped === 0 ? "All trading" : `${stopped} not trading`}</output>
          <Button size="sm" onClick={() => setAsked({ what: "terms", symbol: "" })}>
            List a market
          </Button>
        </>
      }
    >
      <Table aria-label="Market states">
        <thead className="border-b">
          <tr>
            <TableHead>Market</TableHead>
            <TableHead>State</TableHead>
            <TableHead className="max-lg:hidden">Since</TableHead>
            <TableHead numeric className="max-lg:hidden">
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
              onAsk={setAsked}
            />
          ))}
        </tbody>
      </Table>
      {asked === null ? null : (
        <MarketDialog
          asked={asked}
          markets={markets}
          entries={entries}
          onClose={() => setAsked(null)}
        />
      )}
    </Panel>
  );
}

interface MarketDialogProps {
  readonly asked: Asked;
  readonly markets: readonly Market[];
  /** Undefined until they are read. */
  readonly entries: CatalogueEntries | undefined;
  readonly onClose: () => void;
}

function MarketDialog({ asked, markets, entries, onClose }: MarketDialogProps) {
  const { symbol } = asked;
  const { data: state } = useQuery(
    convexQuery(functions.markets.state, symbol === "" ? "skip" : { market: symbol }),
  );
  const market = markets.find((each) => each.symbol === symbol);
  if (asked.what === "terms") {
    if (entries === undefined) return null;
    return (
      <EntryDialog
        kind="market"
        listed={entries.markets.find((each) => each.symbol === symbol) ?? null}
        version={versionIn(entries, "market", symbol)}
        title={symbol === "" ? "List a market" : `Terms of ${symbol}`}
        onClose={onClose}
      />
    );
  }
  if (market === undefined) return null;
  if (asked.what === "state") {
    return <MarketStateDialog market={market} wanted={asked.wanted} onClose={onClose} />;
  }
  if (state === undefined) return null;
  return <ScheduleDialog market={symbol} scheduled={state.scheduled} onClose={onClose} />;
}

interface MarketRowProps {
  readonly market: Market;
  readonly ticker: Ticker | undefined;
  readonly onAsk: (asked: Asked) => void;
}

function MarketRow({ market, ticker, onAsk }: MarketRowProps) {
  const { symbol, status } = market;
  const { label, tone } = STATUS_TEXTS[status];
  const isTrading = status === "trading";
  const askState = (wanted: MarketStatus) => onAsk({ what: "state", symbol, wanted });
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
        <Badge tone={tone}>{label}</Badge> <StateDetails market={market} />
      </TableCell>
      <TableCell className="text-muted max-lg:hidden">
        <StateOrigin market={market} />
      </TableCell>
      <TableCell numeric className="max-lg:hidden">
        {formatPrice(ticker?.last ?? null, market.priceDecimals)}
      </TableCell>
      <TableCell numeric className="text-muted max-lg:hidden">
        {formatVolume(ticker?.quoteVolume24h ?? null, market.quote)}
      </TableCell>
      <TableCell className="sticky right-0 bg-surface text-right group-hover:bg-raised">
        {/* In rows of two if there is no room for a single row. */}
        <span className="grid w-max grid-cols-2 gap-2 py-1 md:inline-flex md:py-0">
          {isTrading ? (
            <Button size="sm" aria-label={`Halt ${symbol}`} onClick={() => askState("halted")}>
              Halt
            </Button>
          ) : (
            <Button size="sm" aria-label={`Open ${symbol}`} onClick={() => askState("trading")}>
              Open
            </Button>
          )}
          <Button
            size="sm"
            aria-label={`Change the state of ${symbol}`}
            onClick={() =>
              askState(isTrading ? "postOnly" : status === "auction" ? "halted" : "auction")
            }
          >
            Change
          </Button>
          <Button
            size="sm"
            aria-label={`Schedule ${symbol}`}
            onClick={() => onAsk({ what: "schedule", symbol })}
          >
            Schedule
          </Button>
          <Button
            size="sm"
            aria-label={`Terms of ${symbol}`}
            onClick={() => onAsk({ what: "terms", symbol })}
          >
            Terms
          </Button>
        </span>
      </TableCell>
    </TableRow>
  );
}

/**
 * The time at which the state ends by itself, the scheduled state, and the indicative price of an auction.
 */
function StateDetails({ market }: { readonly market: Market }) {
  const timeZone = useTimeZone();
  const { data: state } = useQuery(convexQuery(functions.markets.state, { market: market.symbol }));
  if (state === undefined) return null;
  const [next] = state.scheduled;
  return (
    // Below the state where the buttons would cover it.
    <span className="ml-2 text-muted max-lg:ml-0 max-lg:block max-lg:w-44 max-lg:whitespace-normal max-md:w-22 max-md:text-2xs">
      {next === undefined ? null : (
        <>
          {STATUS_TEXTS[next.status].label.toLowerCase()} at{" "}
          <span className="figures">{formatShortDateTime(next.at, timeZone)}</span>{" "}
        </>
      )}
      {state.until === null ? null : (
        <>
          until <span className="figures">{formatShortDateTime(state.until, timeZone)}</span>
        </>
      )}
      {state.indicative === null ? null : (
        <span className="lg:before:content-['_·_'] max-lg:block">
          indicative{" "}
          <span className="figures">
            {formatQuantity(state.indicative.quantity, market.quantityDecimals)} at{" "}
            {formatPrice(state.indicative.price, market.priceDecimals)}
          </span>
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
