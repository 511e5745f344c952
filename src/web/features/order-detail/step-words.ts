/** Describes each step of an order's life in words. */
import { formatDecimal } from "#contract/decimal.ts";
import { orderEnd } from "#contract/order-ends.ts";
import type { ChangingTerms, OrderStep } from "#contract/order-life.ts";
import type { Decimal, Order } from "#contract/types.ts";
import { orderTitle, orderWait } from "../../format/order-words.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatGivenPrice } from "../../format/given-price.ts";

export interface StepWords {
  readonly title: string;
  readonly detail: string | null;
}

const ENDED = { filled: "Filled", cancelled: "Cancelled", expired: "Expired" } as const;

// oxlint-disable-next-line typescript/consistent-return -- the compiler proves that every kind has its case
export function stepWords(step: OrderStep, order: Order): StepWords {
  const [base = "", quote = ""] = order.market.split("-");
  switch (step.kind) {
    case "placed":
      return { title: "Placed", detail: `${orderTitle(orderWith(step.terms, order))}.` };
    case "waiting":
      return { title: "Waiting", detail: waitSentence(step, order) };
    case "activated":
      return step.cause === "trigger"
        ? {
            title: "Triggered",
            detail: `The last price was ${formatGivenPrice(step.last)} ${quote}.`,
          }
        : { title: "Entry order filled", detail: "This order follows it with what it received." };
    case "amended":
      return { title: "Changed", detail: amendedSentence(step, base, quote) };
    case "decremented":
      return {
        title: "Reduced",
        detail: `It met an order of your own: both lost ${formatExact(step.quantity)} ${base} instead of trading.`,
      };
    case "filled": {
      const { fill } = step;
      const verb = fill.side === "buy" ? "Bought" : "Sold";
      return {
        title: `${verb} ${formatExact(fill.quantity)} ${base} at ${formatGivenPrice(fill.price)}`,
        detail: `${formatExact(fill.quoteAmount)} ${quote}, ${fill.role} fee ${formatExact(fill.fee)} ${fill.feeCoin}.`,
      };
    }
    case "ended": {
      const { status } = order;
      const title = status === "open" || status === "partiallyFilled" ? "Ended" : ENDED[status];
      return { title, detail: status === "filled" ? null : orderEnd(order) };
    }
  }
}

function waitSentence(
  { waitsFor, price }: OrderStep & { readonly kind: "waiting" },
  order: Order,
): string | null {
  const { special = {} } = order;
  const trigger = special.trigger && {
    ...special.trigger,
    ...(price !== null && { price }),
  };
  return orderWait({ ...order, special: { ...special, waitsFor, ...(trigger && { trigger }) } });
}

/** The order as it was on these terms. */
function orderWith({ triggerPrice, trailBps, ...terms }: ChangingTerms, order: Order): Order {
  const { special } = order;
  if (special?.trigger === undefined) return { ...order, ...terms };
  const trigger = {
    ...special.trigger,
    ...(triggerPrice !== undefined && { price: triggerPrice }),
    ...(trailBps !== undefined && { trailBps }),
  };
  return { ...order, ...terms, special: { ...special, trigger } };
}

function amendedSentence(
  { before, after, keptPlace }: OrderStep & { readonly kind: "amended" },
  base: string,
  quote: string,
): string {
  const isTrailing = after.trailBps !== undefined;
  const changes = [
    change("price", before.price, after.price, quote),
    // The trigger price of a trailing stop follows from its distance.
    isTrailing
      ? null
      : change("trigger price", before.triggerPrice ?? null, after.triggerPrice ?? null, quote),
    change("distance", percentOf(before), percentOf(after), "%"),
    change("quantity", before.quantity, after.quantity, base),
    change("total", before.quoteAmount ?? null, after.quoteAmount ?? null, quote),
  ].filter((text) => text !== null);
  if (changes.length === 0)
    return "It holds what it needs beside the order that it is linked with.";
  const sentence = changes.join(", ");
  const words = [
    `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`,
    placeSentence(keptPlace),
  ];
  return words.filter((text) => text !== null).join(" ");
}

function placeSentence(keptPlace: boolean | null): string | null {
  if (keptPlace === null) return null;
  return keptPlace
    ? "It kept its place in the queue."
    : "It went to the end of the queue at its price.";
}

function percentOf({ trailBps }: ChangingTerms): Decimal | null {
  return trailBps === undefined ? null : formatDecimal(trailBps, 2);
}

function change(
  name: string,
  from: Decimal | null,
  to: Decimal | null,
  unit: string,
): string | null {
  if (from === null || to === null || from === to) return null;
  return `${name} from ${formatExact(from)} to ${formatExact(to)} ${unit}`;
}
