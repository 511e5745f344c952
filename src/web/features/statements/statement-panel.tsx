import { useConvexAction } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { nextCandleOpenTime } from "#contract/candle-intervals.ts";
import { functions } from "#contract/functions.ts";
import type { StatementCoin } from "#contract/types.ts";
import { formatExact, formatExactSigned } from "../../format/decimal-text.ts";
import { REASON_TEXTS } from "../../format/ledger-reasons.ts";
import { directionOf } from "../../format/money.ts";
import { errorDataOf } from "../../session/error-sentence.ts";
import { Unreadable } from "../../session/unreadable.tsx";
import { Change } from "../../ui/price-change.tsx";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LoadingText, Skeleton } from "../../ui/skeleton.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";

const REREAD_MS = 1_000;
const READS_MAX = 3;

/** A month's statement: for each coin the opening balance, the changes and the closing balance. */
export function StatementPanel({ monthMs }: { readonly monthMs: number }) {
  const read = useConvexAction(functions.accounts.statement);
  const { data, error, failureReason, refetch } = useQuery({
    queryKey: ["statement", monthMs],
    queryFn: () => read({ from: monthMs, to: nextCandleOpenTime("1M", monthMs) }),
    staleTime: 0,
    // The server waits before it reports that the history lags behind, so that sums are never incomplete.
    retry: (reads, reason) => isBehind(reason) || reads < READS_MAX,
    retryDelay: REREAD_MS,
  });
  if (error !== null) {
    return <Unreadable what="statement" error={error} onRetry={refetch} />;
  }
  if (data === undefined) {
    return (
      <div className="space-y-2 p-4">
        {isBehind(failureReason) ? <HistoryBehind /> : <LoadingText />}
        <Skeleton className="h-7" />
        <Skeleton className="h-7" />
        <Skeleton className="h-7" />
      </div>
    );
  }
  if (data.coins.length === 0) {
    return (
      <EmptyState
        icon={FileText}
        title="Nothing moved"
        text="You owned nothing in this month, and nothing moved."
      />
    );
  }
  return (
    <>
      {isBehind(failureReason) ? <HistoryBehind /> : null}
      <Table aria-label="Statement">
        <thead className="border-b">
          <tr>
            <TableHead>Balance or change</TableHead>
            <TableHead numeric>Postings</TableHead>
            <TableHead numeric>Amount</TableHead>
          </tr>
        </thead>
        {data.coins.map((coin) => (
          <CoinStatement key={coin.coin} statement={coin} />
        ))}
      </Table>
    </>
  );
}

function isBehind(error: unknown): boolean {
  return errorDataOf(error)?.code === "unavailable";
}

function HistoryBehind() {
  return (
    <output className="block px-4 py-2.5 text-xs text-warn">
      The newest entries are not in the history yet; the statement appears by itself.
    </output>
  );
}

/**
 * One coin's part of the statement. Prints all digits of the ledger, so that opening balance and
 * changes add up to the closing balance.
 */
function CoinStatement({ statement }: { readonly statement: StatementCoin }) {
  const { coin, opening, closing, closingHeld, lines } = statement;
  return (
    <tbody className="border-b last:border-b-0">
      <tr>
        <th scope="rowgroup" colSpan={3} className="h-10 px-4 text-left text-sm font-semibold">
          <span className="flex items-center gap-2">
            <CoinIcon symbol={coin} className="size-5!" />
            {coin}
          </span>
        </th>
      </tr>
      <TableRow>
        <TableCell>Opening balance</TableCell>
        <TableCell />
        <TableCell numeric>{formatExact(opening)}</TableCell>
      </TableRow>
      {lines.map(({ reason, amount, entries }) => (
        <TableRow key={reason}>
          <TableCell className="text-muted">{REASON_TEXTS[reason]}</TableCell>
          <TableCell numeric className="text-faint">
            {entries}
          </TableCell>
          <TableCell numeric>
            <Change text={formatExactSigned(amount)} direction={directionOf(amount)} />
          </TableCell>
        </TableRow>
      ))}
      <TableRow className="font-medium">
        <TableCell>Closing balance</TableCell>
        <TableCell />
        <TableCell numeric>{formatExact(closing)}</TableCell>
      </TableRow>
      {Number(closingHeld) === 0 ? null : (
        <TableRow>
          <TableCell className="text-faint">of it in orders</TableCell>
          <TableCell />
          <TableCell numeric className="text-faint">
            {formatExact(closingHeld)}
          </TableCell>
        </TableRow>
      )}
    </tbody>
  );
}
