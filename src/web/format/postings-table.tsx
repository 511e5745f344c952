import type { LedgerEntry } from "#contract/types.ts";
import { Change } from "../ui/price-change.tsx";
import { Table, TableCell, TableHead, TableRow } from "../ui/table.tsx";
import { REASON_TEXTS } from "./ledger-reasons.ts";
import { formatExactSigned } from "./decimal-text.ts";
import { directionOf } from "./money.ts";

const BALANCE_LABELS = { available: "Available", held: "In orders" } as const;

interface PostingsTableProps {
  /** The table's accessible name. */
  readonly label: string;
  readonly entries: readonly LedgerEntry[];
}

/** A table of ledger postings, as changes to the viewer's balances. */
export function PostingsTable({ label, entries }: PostingsTableProps) {
  return (
    <Table aria-label={label}>
      <thead className="border-b">
        <tr>
          <TableHead>Reason</TableHead>
          <TableHead className="max-sm:hidden">Balance</TableHead>
          <TableHead numeric>Amount</TableHead>
          <TableHead>Coin</TableHead>
          <TableHead numeric className="max-sm:hidden">
            Posting
          </TableHead>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, reason, balance, amount, coin }) => (
          <TableRow key={id}>
            <TableCell className="max-sm:py-1.5 max-sm:whitespace-normal">
              {REASON_TEXTS[reason]}
              {/* A narrow screen has no room for a column of it beside the amount. */}
              <span className="block text-muted sm:hidden">{BALANCE_LABELS[balance]}</span>
            </TableCell>
            <TableCell className="text-muted max-sm:hidden">{BALANCE_LABELS[balance]}</TableCell>
            <TableCell numeric>
              <Change text={formatExactSigned(amount)} direction={directionOf(amount)} />
            </TableCell>
            <TableCell>{coin}</TableCell>
            <TableCell numeric className="text-faint max-sm:hidden">
              {id}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
