import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { functions } from "#contract/functions.ts";
import { orderTitle } from "../../format/order-words.ts";
import { OrderDetail } from "../../features/order-detail/order-detail.tsx";
import { orderLifeQuery } from "../../features/order-detail/order-life-query.ts";
import { OrderSkeleton } from "../../features/order-detail/order-skeleton.tsx";
import { useOrderLife } from "../../features/order-detail/use-order-life.ts";
import { OrderActions } from "../../features/orders-panel/order-actions.tsx";
import { StatusCell } from "../../features/orders-panel/order-cells.tsx";
import { Page } from "../../frame/page.tsx";
import { errorDataOf, errorSentence } from "../../session/error-sentence.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";

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
            isUnknown(error) ? (
              <Link
                to="/activity"
                search={{ kind: "order" }}
                className={buttonClass({ size: "sm" })}
              >
                All orders
              </Link>
            ) : (
              <Button size="sm" onClick={() => void refetch()}>
                Try again
              </Button>
            )
          }
        />
      </Page>
    );
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

/** Whether the order does not exist or belongs to another user. */
function isUnknown(error: Error): boolean {
  const code = errorDataOf(error)?.code;
  return code === "unknownOrder" || code === "invalidArgument";
}
