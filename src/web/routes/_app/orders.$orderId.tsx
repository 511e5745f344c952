import { convexQuery, useConvexAction } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useCallback } from "react";
import { functions } from "#contract/functions.ts";
import { orderTitle } from "#contract/order-words.ts";
import type { Order } from "#contract/types.ts";
import { OrderDetail } from "../../features/order-detail/order-detail.tsx";
import { StatusCell } from "../../features/orders-panel/order-cells.tsx";
import { OrderActions } from "../../features/orders-panel/order-actions.tsx";
import { Page } from "../../frame/page.tsx";
import { errorDataOf, errorSentence } from "../../session/error-sentence.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";

export const Route = createFileRoute("/_app/orders/$orderId")({
  head: () => ({ meta: [{ title: "Order" }] }),
  pendingComponent: PageSkeleton,
  component: OrderPage,
});

function OrderPage() {
  const { orderId } = Route.useParams();
  const read = useConvexAction(functions.orders.life);
  const { data: markets } = useQuery(convexQuery(functions.markets.list, {}));
  // Every change of a recent order is pushed; the life of an old one is over.
  const versionOf = useCallback(
    (orders: Order[]) => {
      const order = orders.find((each) => each.orderId === orderId);
      return order === undefined
        ? ""
        : `${order.updatedAt} ${order.status} ${order.filledQuantity} ${order.special?.waitsFor}`;
    },
    [orderId],
  );
  const { data: version, error: recentError } = useFrameQuery(
    functions.orders.recent,
    {},
    versionOf,
  );
  const { data: life, error } = useQuery({
    queryKey: ["orderLife", orderId, version],
    queryFn: () => read({ orderId }),
    enabled: version !== undefined || recentError !== null,
    staleTime: Infinity,
    retry: false,
    placeholderData: (previous) => (previous?.order.orderId === orderId ? previous : undefined),
  });
  if (error !== null) {
    return (
      <Page title="Order" narrow>
        <EmptyState
          icon={SearchX}
          title={isUnknown(error) ? "No such order of yours" : "The order could not be read"}
          text={
            isUnknown(error)
              ? "The address is not right, or the order belongs to another user."
              : errorSentence(error)
          }
          action={
            <Link to="/activity" search={{ kind: "order" }} className={buttonClass({ size: "sm" })}>
              All orders
            </Link>
          }
        />
      </Page>
    );
  }
  if (life === undefined) return <PageSkeleton />;
  const { order } = life;
  const market = markets?.find(({ symbol }) => symbol === order.market);
  return (
    <Page
      title={orderTitle(order)}
      aside={
        <>
          <StatusCell status={order.status} />
          {market === undefined ? null : <OrderActions order={order} market={market} />}
        </>
      }
      narrow
    >
      <OrderDetail life={life} market={market} />
    </Page>
  );
}

/** The order does not exist, or belongs to another user. */
function isUnknown(error: Error): boolean {
  const code = errorDataOf(error)?.code;
  return code === "unknownOrder" || code === "invalidArgument";
}
