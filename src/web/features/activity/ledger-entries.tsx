import { useConvexAction } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import type { LedgerSelection } from "#contract/types.ts";
import type { ActivityItem } from "#contract/users.ts";
import { formatNumbersIn } from "../../format/number-sentence.ts";
import { PostingsTable } from "../../format/postings-table.tsx";
import { errorSentence } from "../../session/error-sentence.ts";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";

interface LedgerEntriesProps {
  readonly item: ActivityItem;
  readonly selection: LedgerSelection;
}

/** The postings of one activity row, as changes to the viewer's own balances. */
export function LedgerEntries({ item, selection }: LedgerEntriesProps) {
  const read = useConvexAction(functions.accounts.ledgerEntries);
  const { data: entries, error } = useQuery({
    queryKey: ["ledgerEntries", item.id, item.status],
    queryFn: () => read(selection),
    // Postings never change, and an order releases funds only when its status (in the key) changes too.
    staleTime: Infinity,
  });
  if (error !== null) return <p className="px-4 py-3 text-xs text-sell">{errorSentence(error)}</p>;
  if (entries === undefined) {
    return (
      <div className="space-y-2 px-4 py-3">
        <LoadingText />
        <Skeleton className="h-5" />
        <Skeleton className="h-5" />
      </div>
    );
  }
  if (entries.length === 0) {
    return <p className="px-4 py-3 text-xs text-muted">This moved nothing of yours.</p>;
  }
  return (
    <PostingsTable label={`Ledger postings of ${formatNumbersIn(item.title)}`} entries={entries} />
  );
}
