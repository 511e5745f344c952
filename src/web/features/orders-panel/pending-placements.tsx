import { LoaderCircle } from "lucide-react";
import { orderTitle } from "../../format/order-words.ts";
import type { PendingPlacement } from "../../session/pending-requests.ts";
import { DirectionMark } from "../../ui/direction-mark.tsx";

interface PendingPlacementsProps {
  readonly placements: readonly PendingPlacement[];
}

/** Orders that were sent but not answered yet, listed above the open orders. */
export function PendingPlacements({ placements }: PendingPlacementsProps) {
  if (placements.length === 0) return null;
  return (
    <ul aria-label="Orders being sent" aria-live="polite" className="divide-y border-b">
      {placements.flatMap(({ id, isUncertain, orders }) =>
        orders.map((order, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the orders of a request never change
          <li key={`${id} ${index}`} className="flex min-h-9 items-center gap-2 px-4 text-xs">
            <LoaderCircle
              className="size-3.5 shrink-0 animate-spin text-muted motion-reduce:animate-none"
              aria-hidden
            />
            <span className={order.side === "buy" ? "text-buy" : "text-sell"}>
              <DirectionMark direction={order.side === "buy" ? "up" : "down"} />
            </span>
            <span className="figures min-w-0 text-muted">
              {order.market}: {orderTitle(order)}
            </span>
            <span className={isUncertain ? "ml-auto text-right text-warn" : "ml-auto text-muted"}>
              {isUncertain ? "No answer yet; checking…" : "Sending…"}
            </span>
          </li>
        )),
      )}
    </ul>
  );
}
