import { orderEnd } from "#contract/order-ends.ts";
import type { ActivityItem, ActivityKind, ActivityOrder } from "#contract/users.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { OrderChips } from "../../format/order-label.tsx";
import { formatNumbersIn } from "../../format/number-sentence.ts";
import { formatGivenPrice } from "../../format/given-price.ts";
import { directionOf } from "../../format/money.ts";
import { formatShortDateTime, useTimeZone } from "../../format/time.ts";
import { deviceText } from "../../format/user-agent.ts";
import { Badge } from "../../ui/badge.tsx";
import { Change } from "../../ui/price-change.tsx";
import { classNames } from "../../ui/class-names.ts";
import { ExpandingRow } from "../../ui/expanding-row.tsx";
import { ActivityDetails } from "./activity-details.tsx";
import { ActivityIcon } from "./activity-icon.tsx";
import { statusText } from "./activity-kinds.ts";

const KIND_LABELS = {
  order: "Order",
  fill: "Fill",
  transfer: "Transfer",
  plan: "Plan",
  security: "Security",
} as const satisfies Record<ActivityKind, string>;

/** One event of the feed; it expands to its facts and the postings that it caused. */
export function ActivityRow({ item }: { readonly item: ActivityItem }) {
  return (
    <ExpandingRow
      className="grid-cols-[1fr_auto] md:grid-cols-[9rem_5rem_1fr_auto_1rem] lg:grid-cols-[9rem_5rem_1fr_13rem_6rem_1rem]"
      chevronClassName="md:block"
      details={<ActivityDetails item={item} />}
    >
      <RowContent item={item} />
    </ExpandingRow>
  );
}

function RowContent({ item }: { readonly item: ActivityItem }) {
  const timeZone = useTimeZone();
  return (
    <>
      <time
        dateTime={new Date(item.time).toISOString()}
        className="figures order-3 text-faint md:order-none"
      >
        {formatShortDateTime(item.time, timeZone)}
      </time>
      <span className="order-4 flex items-center gap-2 justify-self-end md:order-none md:justify-self-start">
        <span className="text-muted md:hidden">{statusText(item.status)}</span>
        <Badge>{KIND_LABELS[item.kind]}</Badge>
      </span>
      <span
        className={classNames(
          "order-1 flex min-w-0 items-center gap-2.5 text-sm text-text md:order-none md:text-xs",
          item.amount === null && "max-md:col-span-2",
        )}
      >
        <ActivityIcon item={item} />
        <span className="min-w-0">
          <span className="wrap-anywhere text-pretty">{formatNumbersIn(item.title)}</span>
          {item.order === undefined ? null : <OrderState order={item.order} />}
        </span>
      </span>
      <span
        className={classNames(
          "order-2 min-w-0 self-start text-right leading-5 md:order-none md:self-auto",
          item.amount === null && "max-md:hidden",
        )}
      >
        <RowAside item={item} />
      </span>
      <span
        className={classNames(
          "hidden lg:block",
          item.status === "refused" ? "text-warn" : "text-muted",
        )}
      >
        {statusText(item.status)}
      </span>
    </>
  );
}

/**
 * An order's chips, the quantity that has filled, and why it ended; the fills themselves are in the row's
 * details.
 */
function OrderState({ order }: { readonly order: ActivityOrder }) {
  const end = order.endReason === "filled" ? null : orderEnd(order);
  return (
    <>
      {" "}
      <span className="inline-flex flex-wrap gap-1 align-middle">
        <OrderChips order={order} />
      </span>
      {order.averagePrice === null ? null : (
        <span className="block text-2xs text-muted">
          Filled <span className="figures">{formatExact(order.filledQuantity)}</span> at{" "}
          <span className="figures">{formatGivenPrice(order.averagePrice)}</span> on average
        </span>
      )}
      {end === null ? null : <span className="block text-2xs text-muted">{end}</span>}
    </>
  );
}

/** The amount that the event moved, or for a security event where it happened. */
function RowAside({ item: { amount, coin, security } }: { readonly item: ActivityItem }) {
  if (amount !== null) {
    return (
      <span className="figures">
        <Change
          text={`${directionOf(amount) === "up" ? "+" : ""}${formatExact(amount)} ${coin ?? ""}`}
          direction={directionOf(amount)}
        />
      </span>
    );
  }
  if (security === undefined || security.userAgent === null) return null;
  return <span className="text-muted">{deviceText(security.userAgent)}</span>;
}
