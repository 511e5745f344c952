import { Link } from "@tanstack/react-router";
import { type NamedOrder, orderKind } from "#contract/order-words.ts";
import type { Order } from "#contract/types.ts";
import { orderChips, orderName } from "./order-words.ts";
import { Badge } from "../ui/badge.tsx";
import { formatMinute, useTimeZone } from "./time.ts";

interface OrderLabelProps {
  readonly order: Order;
  /**
   * A note on the condition that the order waits for or the reason for its end; null if neither applies.
   */
  readonly note: string | null;
}

/** An order's name, linked to its page, with its chips; used wherever orders are listed. */
export function OrderLabel({ order, note }: OrderLabelProps) {
  // The order's name has the trigger and the price, but not the kind as one word.
  const isTriggeredLimit = order.type === "limit" && order.special?.trigger !== undefined;
  const more = [isTriggeredLimit ? orderKind(order) : null, note].filter((text) => text !== null);
  return (
    <span className="inline-grid py-0.5 align-middle max-[110rem]:whitespace-normal">
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
        <Link
          to="/orders/$orderId"
          params={{ orderId: order.orderId }}
          className="figures touchable rounded-sm underline-offset-2 hover:text-accent hover:underline"
        >
          {orderName(order)}
        </Link>
        <OrderChips order={order} />
      </span>
      {more.length === 0 ? null : (
        <span className="max-w-72 text-2xs/3.5 text-pretty whitespace-normal text-muted">
          {more.join(" · ")}
        </span>
      )}
    </span>
  );
}

/** An order's chips: facts that its name omits, such as its end or its list. */
export function OrderChips({ order }: { readonly order: NamedOrder }) {
  const timeZone = useTimeZone();
  const chips = orderChips(order, (timeMs) => formatMinute(timeMs, timeZone));
  return chips.map(({ text, meaning }) => (
    <Badge key={text} title={meaning}>
      {text}
    </Badge>
  ));
}
