import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { orderTitle } from "../../format/order-words.ts";
import { OrderDetail } from "../../features/order-detail/order-detail.tsx";
import { orderLifeQuery } from "../../features/order-detail/order-life-query.ts";
import { OrderSkeleton } from "../../features/order-detail/order-skeleton.tsx";
import { useOrderLife } from "../../features/order-detail/use-order-life.ts";
import { OrderActions } from "../../features/orders-panel/order-actions.tsx";
import { StatusCell } from "../../features/orders-panel/order-cells.tsx";
import { Page } from "../../frame/page.tsx";
import { UnreadableRecord } from "./-unreadable-record.tsx";

export const Route = createFileRoute("/_app/orders/$orderId")({
  head: () => ({ meta: [{ title: "Order" }] }),
  loader: async ({ context: { backend, queryClient }, params }) => {
    const life = queryClient.prefetchQuery(orderLifeQuery(backend, params.orderId));
    // Awaited on the server only: the browser shows the page's skeleton while loading.
    if (backend.serverHttpClient !== undefined) await life;
  },
  component: OrderPage,
});

function OrderPage() {
  const { orderId } = Route.useParams();
  const { backend } = Route.useRouteContext();
  const { data: markets } = useQuery(convexQuery(functions.markets.list, {}));
  const { data: life, error, refetch } = useOrderLife(backend, orderId);
  if (life === undefined && error !== null) {
    return <UnreadableRecord title="Order" what="order" error={error} onRetry={refetch} />;
  }
  if (life === undefined) return <OrderSkeleton />;
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
