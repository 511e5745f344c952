import { Check, X } from "lucide-react";
import type { CoinSolvency } from "#contract/solvency.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";

const COLUMNS = [
  { key: "people", title: "People" },
  { key: "simulated", title: "Simulated" },
  { key: "fees", title: "Fees" },
  { key: "house", title: "Plans" },
  { key: "adjustments", title: "Adjustments" },
  { key: "external", title: "Outside" },
] as const satisfies readonly { readonly key: keyof CoinSolvency; readonly title: string }[];

/** The table of balances by coin and kind of account, with the totals. */
export function SolvencyTable({ coins }: { readonly coins: readonly CoinSolvency[] }) {
  return (
    <Table aria-label="Sums of each coin over all accounts">
      <thead className="border-b">
        <tr>
          <TableHead className="sticky left-0 bg-surface">Coin</TableHead>
          {COLUMNS.map(({ key, title }) => (
            <TableHead key={key} numeric>
              {title}
            </TableHead>
          ))}
          <TableHead numeric className="sticky right-0 bg-surface">
            Sum
          </TableHead>
        </tr>
      </thead>
      <tbody>
        {coins.map((coin) => (
          <TableRow key={coin.coin}>
            <TableCell className="sticky left-0 bg-surface font-medium">{coin.coin}</TableCell>
            {COLUMNS.map(({ key }) => (
              <TableCell key={key} numeric>
                {formatExact(coin[key])}
              </TableCell>
            ))}
            <TableCell numeric className="sticky right-0 bg-surface">
              {formatExact(coin.sum)}
              {Number(coin.sum) === 0 ? (
                <Check aria-label="as it must be" className="ml-2 inline size-4 text-buy" />
              ) : (
                <X aria-label="not zero" className="ml-2 inline size-4 text-sell" />
              )}
            </TableCell>
          </TableRow>
        ))}
      </tbody>
    </Table>
  );
}
