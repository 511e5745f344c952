import { Check, X } from "lucide-react";
import type { PostingCheck } from "#contract/fill-recomputation.ts";
import { formatExactSigned } from "../../format/decimal-text.ts";
import { directionOf } from "../../format/money.ts";
import { Change } from "../../ui/price-change.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";

const REASON_LABELS: Partial<Record<PostingCheck["reason"], string>> = {
  trade: "Trade",
  makerFee: "Maker fee",
  takerFee: "Taker fee",
};
const BALANCE_LABELS = { available: "Available", held: "In orders" } as const;

/** A table of expected postings, each beside the recorded one. */
export function PostingChecks({ postings }: { readonly postings: readonly PostingCheck[] }) {
  return (
    <Table aria-label="Postings of this trade">
      <thead className="border-b">
        <tr>
          <TableHead>Posting</TableHead>
          <TableHead numeric>Recomputed</TableHead>
          <TableHead numeric>Recorded</TableHead>
        </tr>
      </thead>
      <tbody>
        {postings.map(({ reason, balance, coin, expected, recorded, agrees }) => (
          <TableRow key={`${reason} ${balance} ${coin}`}>
            <TableCell>
              {REASON_LABELS[reason] ?? reason}
              <span className="block text-2xs text-muted">
                {BALANCE_LABELS[balance]} {coin}
              </span>
            </TableCell>
            <TableCell numeric>
              <Change text={formatExactSigned(expected)} direction={directionOf(expected)} />
            </TableCell>
            <TableCell numeric>
              {formatExactSigned(recorded)}
              {agrees ? (
                <Check aria-label="agrees" className="ml-2 inline size-4 text-buy" />
              ) : (
                <X aria-label="does not agree" className="ml-2 inline size-4 text-sell" />
              )}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
