import { useConvexAction } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import type { LedgerEntry, LedgerSelection } from "#contract/types.ts";
import type { ActivityItem } from "#contract/users.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { directionOf } from "../../format/money.ts";
import { errorSentence } from "../../session/error-sentence.ts";
import { Change } from "../../ui/change.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";

const REASONS = {
  practiceFunds: "Practice funds",
  hold: "Set aside for an order",
  release: "Released from an order",
  trade: "Trade",
  makerFee: "Maker fee",
  takerFee: "Taker fee",
  planFee: "Plan fee",
  adjustment: "Adjustment",
} as const satisfies Record<LedgerEntry["reason"], string>;

const PLACES = { available: "Available", held: "In orders" } as const;

interface LedgerEntriesProps {
  readonly item: ActivityItem;
  readonly selection: LedgerSelection;
}

/** The postings of one row, as changes of the viewer's own balances. */
export function LedgerEntries({ item, selection }: LedgerEntriesProps) {
  const read = useConvexAction(functions.accounts.ledgerEntries);
  const { data: entries, error } = useQuery({
    queryKey: ["ledgerEntries", item.id, item.status],
    queryFn: () => read(selection),
    // The journal never changes, and an order releases funds only when its status changes too.
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
    <Table aria-label={`Ledger postings of ${item.title}`}>
      <thead className="border-b">
        <tr>
          <TableHead>Reason</TableHead>
          <TableHead>Balance</TableHead>
          <TableHead numeric>Amount</TableHead>
          <TableHead>Coin</TableHead>
          <TableHead numeric>Posting</TableHead>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, reason, balance, amount, coin }) => (
          <TableRow key={id}>
            <TableCell>{REASONS[reason]}</TableCell>
            <TableCell className="text-muted">{PLACES[balance]}</TableCell>
            <TableCell numeric>
              <Change text={signed(amount)} direction={directionOf(amount)} />
            </TableCell>
            <TableCell>{coin}</TableCell>
            <TableCell numeric className="text-faint">
              {id}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}

function signed(amount: string): string {
  return directionOf(amount) === "up" ? `+${formatExact(amount)}` : formatExact(amount);
}
