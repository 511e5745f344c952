import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { addDecimals } from "#contract/decimal.ts";
import type { OrderLife } from "#contract/order-life.ts";
import { wordsOf } from "#contract/order-options.ts";
import { orderKind } from "#contract/order-words.ts";
import type { FeeSource, Order, TimeInForce } from "#contract/types.ts";
import { formatExact, NO_VALUE } from "../../format/decimal-text.ts";
import { formatGivenPrice } from "../../format/given-price.ts";
import { formatBps } from "../../format/money.ts";
import { formatDateTime, useTimeZone } from "../../format/time.ts";

const TIMES_IN_FORCE: Record<TimeInForce, string> = {
  gtc: "GTC, until cancelled",
  gtd: "GTD, until a time",
  ioc: "IOC, what does not trade at once ends",
  fok: "FOK, all at once or nothing",
};
const FEE_SOURCES: Record<FeeSource, string> = {
  plan: "your plan",
  volume: "your volume",
  market: "the market",
};

/** The order's terms, and how much of it has filled. */
export function OrderFacts({ life }: { readonly life: OrderLife }) {
  const { order, base, quote } = life;
  const timeZone = useTimeZone();
  const { special = {} } = order;
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    [
      "Market",
      <Link
        key="market"
        to="/trade"
        search={{ market: order.market }}
        className="touchable rounded-sm text-accent hover:underline"
      >
        {order.market}
      </Link>,
    ],
    ["Kind", `${order.side === "buy" ? "Buy" : "Sell"}, ${orderKind(order).toLowerCase()}`],
    ...(order.price === null
      ? []
      : [["Price", `${formatGivenPrice(order.price)} ${quote.coin}`] as const]),
    ...(special.trigger?.price === undefined
      ? []
      : [["Trigger price", `${formatGivenPrice(special.trigger.price)} ${quote.coin}`] as const]),
    ...(special.trigger?.trailBps === undefined
      ? []
      : [["Distance", formatBps(special.trigger.trailBps)] as const]),
    ["Size", sizeText(life)],
    ["Filled", `${formatExact(order.filledQuantity)} ${base.coin}`],
    [
      "Average price",
      order.averagePrice === null ? NO_VALUE : `${formatExact(order.averagePrice)} ${quote.coin}`,
    ],
    ["Value traded", `${formatExact(order.filledQuote)} ${quote.coin}`],
    ["Fees paid", feesText(life)],
    [
      "Fee rates",
      `${formatBps(order.makerFeeBps)} maker, ${formatBps(order.takerFeeBps)} taker, by ${FEE_SOURCES[order.feeSource]}`,
    ],
    ["Time in force", TIMES_IN_FORCE[order.timeInForce]],
    ...(order.postOnly ? [["Post-only", "Never trades at once"] as const] : []),
    ...wordsOf(special, {
      quantity: (quantity) => `${formatExact(quantity)} ${base.coin}`,
      time: (timeMs) => formatDateTime(timeMs, timeZone),
    }).map(([name, value]) => [name, value] as const),
    ["Placed", formatDateTime(order.placedAt, timeZone)],
    ["Id", order.orderId],
    ...(order.clientOrderId === "" ? [] : [["Your id", order.clientOrderId] as const]),
  ];
  return (
    <dl className="grid gap-x-8 gap-y-2.5 px-4 py-3 text-xs sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4">
          <dt className="shrink-0 text-muted">{name}</dt>
          <dd className="tabular min-w-0 text-right break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function sizeText({ order, base, quote }: OrderLife): string {
  if (order.quantity !== null) return `${formatExact(order.quantity)} ${base.coin}`;
  if (order.quoteAmount !== null) return `${formatExact(order.quoteAmount)} ${quote.coin}`;
  return "What the entry order receives";
}

/** The sum of an order's fees, all of which are in the coin that it receives. */
function feesText({ steps, isComplete, omittedFills, order }: OrderLife): string {
  if (!isComplete) return NO_VALUE;
  if (omittedFills) return "See its fills";
  const fills = steps.flatMap((step) => (step.kind === "filled" ? [step.fill] : []));
  const total = fills.reduce((sum, fill) => addDecimals(sum, fill.fee), "0");
  return `${formatExact(total)} ${fills[0]?.feeCoin ?? feeCoinOf(order)}`;
}

function feeCoinOf({ market, side }: Order): string {
  return market.split("-")[side === "buy" ? 0 : 1] ?? "";
}
