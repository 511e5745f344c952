import { useConvexAction } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { FillExplanation } from "../../features/explain-fill/fill-explanation.tsx";
import { formatExact } from "../../format/decimal-text.ts";
import { Page } from "../../frame/page.tsx";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";
import { UnreadableRecord } from "./-unreadable-record.tsx";

export const Route = createFileRoute("/_app/fills/$orderId/$tradeId")({
  head: () => ({ meta: [{ title: "Trade explained" }] }),
  pendingComponent: PageSkeleton,
  component: FillPage,
});

function FillPage() {
  const { orderId, tradeId } = Route.useParams();
  const read = useConvexAction(functions.fills.record);
  const {
    data: record,
    error,
    refetch,
  } = useQuery({
    queryKey: ["fillRecord", orderId, tradeId],
    queryFn: () => read({ orderId, tradeId: Number(tradeId) }),
    // A recorded fill never changes.
    staleTime: Infinity,
    retry: false,
  });
  if (error !== null) {
    return (
      <UnreadableRecord title="Trade explained" what="trade" error={error} onRetry={refetch} />
    );
  }
  if (record === undefined) return <PageSkeleton />;
  const { fill, base, quote } = record;
  const did = fill.side === "buy" ? "Bought" : "Sold";
  return (
    <Page
      title={`${did} ${formatExact(fill.quantity)} ${base.coin} at ${formatExact(fill.price)} ${quote.coin}`}
      aside={
        <Link to="/activity" className="touchable rounded-sm text-xs text-accent hover:underline">
          All activity
        </Link>
      }
      narrow
    >
      <FillExplanation record={record} />
    </Page>
  );
}
