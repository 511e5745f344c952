import type { ConvexQueryClient } from "@convex-dev/react-query";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { functions } from "#contract/functions.ts";
import type { Order } from "#contract/types.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { orderLifeQuery } from "./order-life-query.ts";

/**
 * Reads an order's life, and rereads it after each change of the order or of its list. An order that
 * ended long ago never changes.
 */
export function useOrderLife(backend: ConvexQueryClient, orderId: string) {
  const queryClient = useQueryClient();
  const life = useQuery(orderLifeQuery(backend, orderId));
  const versionOf = useCallback((orders: Order[]) => versionsOf(orders, orderId), [orderId]);
  const { data: version } = useFrameQuery(functions.orders.recent, {}, versionOf);
  const seen = useRef(version);
  useEffect(() => {
    if (version === seen.current) return;
    seen.current = version;
    // Also on the first render: the life may have been read before the last change.
    void queryClient.invalidateQueries({ queryKey: ["orderLife", orderId] });
  }, [version, orderId, queryClient]);
  return life;
}

/** A text that changes with the order, and with any order of its list. */
function versionsOf(orders: readonly Order[], orderId: string): string {
  const listId = orders.find((each) => each.orderId === orderId)?.special?.listId;
  return orders
    .filter(
      (each) =>
        each.orderId === orderId || (listId !== undefined && each.special?.listId === listId),
    )
    .map(({ filledQuantity, special, status, updatedAt }) =>
      [updatedAt, status, filledQuantity, special?.waitsFor].join(" "),
    )
    .join();
}
