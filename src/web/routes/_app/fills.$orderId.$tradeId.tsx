import { useConvexAction } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute, Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { functions } from "#contract/functions.ts";
import { FillExplanation } from "../../features/explain-fill/fill-explanation.tsx";
import { formatExact } from "../../format/decimal-text.ts";
import { Page } from "../../frame/page.tsx";
import { errorDataOf, errorSentence } from "../../session/error-sentence.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageSkeleton } from "../../ui/page-skeleton.tsx";

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
      <Page title="Trade explained" narrow>
        <EmptyState
          icon={SearchX}
          title={isUnknown(error) ? "No such trade of yours" : "The trade could not be read"}
          text={
            isUnknown(error)
              ? "The address is not right, or the trade belongs to another user."
              : errorSentence(error)
          }
          action={
            isUnknown(error) ? (
              <Link to="/activity" className={buttonClass({ size: "sm" })}>
                All activity
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
  if (record === undefined) return <PageSkeleton />;
  const { fill, base, quote } = record;
  const did = fill.side === "buy" ? "Bought" : "Sold";
  return (
    <Page
      title={`${did} ${formatExact(fill.quantity)} ${base.coin} at ${formatExact(fill.price)} ${quote.coin}`}
      aside={
        <Link to="/activity" className="rounded-sm text-xs text-accent hover:underline">
          All activity
        </Link>
      }
      narrow
    >
      <FillExplanation record={record} />
    </Page>
  );
}

/** Error codes of an order or trade that does not exist or belongs to another user. */
const UNKNOWN_CODES: ReadonlySet<string> = new Set(["unknownOrder", "notFound", "invalidArgument"]);

function isUnknown(error: Error): boolean {
  const code = errorDataOf(error)?.code;
  return code !== undefined && UNKNOWN_CODES.has(code);
}
