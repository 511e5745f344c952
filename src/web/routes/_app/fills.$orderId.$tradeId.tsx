import { useConvexAction } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { functions } from "#contract/functions.ts";
import { FillExplanation } from "../../features/explain-fill/fill-explanation.tsx";
import { Page } from "../../frame/page.tsx";
import { errorSentence } from "../../session/error-sentence.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";
import { SearchX } from "lucide-react";

export const Route = createFileRoute("/_app/fills/$orderId/$tradeId")({
  head: () => ({ meta: [{ title: "Trade explained" }] }),
  pendingComponent: PageSkeleton,
  component: FillPage,
});

function FillPage() {
  const { orderId, tradeId } = Route.useParams();
  const read = useConvexAction(functions.fills.record);
  const { data: record, error } = useQuery({
    queryKey: ["fillRecord", orderId, tradeId],
    queryFn: () => read({ orderId, tradeId: Number(tradeId) }),
    // The journal never changes.
    staleTime: Infinity,
    retry: false,
  });
  if (error !== null) {
    return (
      <Page title="Trade explained" narrow>
        <EmptyState icon={SearchX} title="No such trade of yours" text={errorSentence(error)} />
      </Page>
    );
  }
  if (record === undefined) return <PageSkeleton />;
  const { fill } = record;
  const bought = fill.side === "buy" ? "Bought" : "Sold";
  return (
    <Page title={`${bought} ${record.base.coin} for ${record.quote.coin}`} narrow>
      <FillExplanation record={record} />
    </Page>
  );
}
