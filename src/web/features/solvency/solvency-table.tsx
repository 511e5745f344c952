import { Check, X } from "lucide-react";
import { decimalsOf } from "#contract/decimal.ts";
import type { CoinSolvency } from "#contract/solvency.ts";
import type { Decimal } from "#contract/types.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { classNames } from "../../ui/class-names.ts";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";

const COLUMNS = [
  { key: "people", title: "People" },
  { key: "simulated", title: "Simulated" },
  { key: "fees", title: "Fees" },
  { key: "house", title: "Plans" },
  { key: "adjustments", title: "Adjustments" },
  { key: "external", title: "Outside" },
] as const satisfies readonly { readonly key: keyof CoinSolvency; readonly title: string }[];

/**
 * Stays visible while the table scrolls sideways, with a line that separates it from the clipped columns.
 */
const STAYS_LEFT = "sticky left-0 bg-surface max-lg:shadow-[1px_0_var(--color-line-strong)]";
const STAYS_RIGHT = "sticky right-0 bg-surface max-lg:shadow-[-1px_0_var(--color-line-strong)]";

/** The table of balances by coin and kind of account, with the totals. */
export function SolvencyTable({ coins }: { readonly coins: readonly CoinSolvency[] }) {
  const isSimulated = coins.some(({ simulated }) => Number(simulated) !== 0);
  const columns = COLUMNS.filter(({ key }) => key !== "simulated" || isSimulated);
  return (
    <Table aria-label="Sums of each coin over all accounts">
      <thead className="border-b">
        <tr>
          <TableHead className={STAYS_LEFT}>Coin</TableHead>
          {columns.map(({ key, title }) => (
            <TableHead key={key} numeric>
              {title}
            </TableHead>
          ))}
          <TableHead numeric className={STAYS_RIGHT}>
            Sum
          </TableHead>
        </tr>
      </thead>
      <tbody>
        {coins.map((coin) => (
          <TableRow key={coin.coin} className="hover:bg-hover">
            <TableCell className={classNames(STAYS_LEFT, "font-medium")}>{coin.coin}</TableCell>
            {columns.map(({ key }) => (
              <TableCell key={key} numeric>
                <Aligned amount={coin[key]} column={coins.map((each) => each[key])} />
              </TableCell>
            ))}
            <TableCell numeric className={STAYS_RIGHT}>
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

interface AlignedProps {
  readonly amount: Decimal;
  /** All amounts of the column. */
  readonly column: readonly Decimal[];
}

/** An amount with all its digits, whose decimal point stands below those of its column. */
function Aligned({ amount, column }: AlignedProps) {
  const missing = Math.max(...column.map(fractionLength)) - fractionLength(amount);
  return (
    <span
      className={classNames(Number(amount) === 0 && "text-faint")}
      // A character's width in a column of figures.
      style={{ paddingRight: `calc(${missing} * (1ch - 0.02em))` }}
    >
      {formatExact(amount)}
    </span>
  );
}

/** Characters from the decimal point on. */
function fractionLength(amount: Decimal): number {
  const decimals = decimalsOf(amount);
  return decimals === 0 ? 0 : decimals + 1;
}
