import { Link } from "@tanstack/react-router";
import { useCallback } from "react";
import { functions } from "#contract/functions.ts";
import type { OrderLife } from "#contract/order-life.ts";
import { orderEnd } from "#contract/order-ends.ts";
import type { Market, Ticker } from "#contract/types.ts";
import { orderWait } from "../../format/order-words.ts";
import { OrderLabel } from "../../format/order-label.tsx";
import { formatMinute, useTimeZone } from "../../format/time.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Panel } from "../../ui/panel.tsx";
import { notFilledFacts } from "./not-filled.ts";
import { OrderFacts } from "./order-facts.tsx";
import { OrderTimeline } from "./order-timeline.tsx";

interface OrderDetailProps {
  readonly life: OrderLife;
  /** The order's market; undefined if it is no longer listed. */
  readonly market: Market | undefined;
}

/** The page of one order, from its placement to its end. */
export function OrderDetail({ life, market }: OrderDetailProps) {
  const { order, linked, replaces, replacedBy } = life;
  return (
    <div className="grid gap-4">
      <Panel title="Terms">
        <OrderFacts life={life} />
      </Panel>
      {order.status === "filled" ? null : <NotFilled life={life} market={market} />}
      {linked.length === 0 && replaces === null && replacedBy === null ? null : (
        <LinkedOrders life={life} />
      )}
      <Panel title="What happened">
        <OrderTimeline life={life} />
      </Panel>
    </div>
  );
}

function NotFilled({ life, market }: OrderDetailProps) {
  const timeZone = useTimeZone();
  const { order } = life;
  const isOpen = order.status === "open" || order.status === "partiallyFilled";
  const { data: book } = useFrameQuery(
    functions.markets.book,
    isOpen ? { market: order.market, levels: 1 } : "skip",
  );
  const lastOf = useCallback(
    (tickers: Ticker[]) => tickers.find((ticker) => ticker.market === order.market)?.last ?? null,
    [order.market],
  );
  const { data: last } = useFrameQuery(functions.markets.tickers, isOpen ? {} : "skip", lastOf);
  // An open order cannot be explained before the book is loaded.
  const facts =
    isOpen && book === undefined
      ? []
      : notFilledFacts(
          life,
          {
            bid: book?.bids[0] ?? null,
            ask: book?.asks[0] ?? null,
            last: last ?? null,
            isTrading: market?.status === "trading",
          },
          (timeMs) => formatMinute(timeMs, timeZone),
        );
  return (
    <Panel title={isOpen ? "Why it has not filled" : "Why it did not fill"}>
      <ul className="live-data grid min-h-9 gap-1.5 px-4 py-3 text-xs text-pretty text-muted">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
    </Panel>
  );
}

function LinkedOrders({ life }: { readonly life: OrderLife }) {
  const { linked, replaces, replacedBy } = life;
  return (
    <Panel title="Linked orders">
      <ul className="divide-y">
        {linked.map((other) => (
          <li key={other.orderId} className="flex flex-wrap items-center gap-x-3 px-4 py-2 text-xs">
            <span className={other.side === "buy" ? "text-buy" : "text-sell"}>
              {other.side === "buy" ? "Buy" : "Sell"}
            </span>
            <OrderLabel order={other} note={orderEnd(other) ?? orderWait(other)} />
          </li>
        ))}
        {replaces === null ? null : <Replacement text="It replaced order" orderId={replaces} />}
        {replacedBy === null ? null : (
          <Replacement text="It was replaced by order" orderId={replacedBy} />
        )}
      </ul>
    </Panel>
  );
}

function Replacement({ text, orderId }: { readonly text: string; readonly orderId: string }) {
  return (
    <li className="px-4 py-2.5 text-xs">
      {text}{" "}
      <Link
        to="/orders/$orderId"
        params={{ orderId }}
        className="rounded-sm text-accent hover:underline"
      >
        {orderId}
      </Link>
    </li>
  );
}
