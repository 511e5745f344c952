import { Check, X } from "lucide-react";
import { formatExactSigned } from "../../format/decimal-text.ts";
import { directionOf } from "../../format/money.ts";
import { Change } from "../../ui/change.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";
import type { PostingCheck } from "#contract/fill-recomputation.ts";

const REASONS: Partial<Record<PostingCheck["reason"], string>> = {
  trade: "Trade",
  makerFee: "Maker fee",
  takerFee: "Taker fee",
};
const PLACES = { available: "Available", held: "In orders" } as const;

/** Each posting as it must be beside what was recorded. */
export function PostingChecks({ postings }: { readonly postings: readonly PostingCheck[] }) {
  return (
    <Table aria-label="Postings of this trade">
      <thead className="border-b">
        <tr>
          <TableHead>Reason</TableHead>
          <TableHead>Balance</TableHead>
          <TableHead numeric>Recomputed</TableHead>
          <TableHead numeric>Recorded</TableHead>
          <TableHead>Coin</TableHead>
          <TableHead numeric>Agrees</TableHead>
        </tr>
      </thead>
      <tbody>
        {postings.map(({ reason, balance, coin, expected, recorded, agrees }) => (
          <TableRow key={`${reason} ${balance} ${coin}`}>
            <TableCell>{REASONS[reason] ?? reason}</TableCell>
            <TableCell className="text-muted">{PLACES[balance]}</TableCell>
            <TableCell numeric>
              <Change text={formatExactSigned(expected)} direction={directionOf(expected)} />
            </TableCell>
            <TableCell numeric>{formatExactSigned(recorded)}</TableCell>
            <TableCell>{coin}</TableCell>
            <TableCell numeric>
              {agrees ? (
                <Check aria-label="yes" className="ml-auto size-4 text-buy" />
              ) : (
                <X aria-label="no" className="ml-auto size-4 text-sell" />
              )}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
