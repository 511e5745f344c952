import type { CoinProfit, ProfitReport } from "#contract/types.ts";
import { Amount, ProfitAmount } from "../../format/amount.tsx";
import { formatGivenPrice } from "../../format/given-price.ts";
import { formatPercent } from "../../format/money.ts";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";
import { profitPercent } from "./profit.ts";

/** The table of costs and profits by coin, with totals. */
export function ProfitTable({ report }: { readonly report: ProfitReport }) {
  const { coins, total, settlementCoin } = report;
  return (
    <Table aria-label={`Profit by coin in ${settlementCoin}`}>
      <thead className="border-b">
        <tr>
          <TableHead>Coin</TableHead>
          <TableHead numeric className="hidden md:table-cell">
            Average cost
          </TableHead>
          <TableHead numeric className="hidden lg:table-cell">
            Cost
          </TableHead>
          <TableHead numeric className="hidden lg:table-cell">
            Bought
          </TableHead>
          <TableHead numeric className="hidden lg:table-cell">
            Sold
          </TableHead>
          <TableHead numeric>Unrealised</TableHead>
          <TableHead numeric>Realised</TableHead>
          <TableHead numeric className="hidden sm:table-cell">
            Fees
          </TableHead>
        </tr>
      </thead>
      <tbody>
        {coins.map((coin) => (
          <CoinRow key={coin.coin} profit={coin} />
        ))}
      </tbody>
      <tfoot className="border-t font-medium">
        <tr>
          <TableCell>All coins</TableCell>
          <TableCell className="hidden md:table-cell" />
          <TableCell className="hidden lg:table-cell" />
          <TableCell className="hidden lg:table-cell" />
          <TableCell className="hidden lg:table-cell" />
          <TableCell numeric>
            <ProfitAmount amount={total.unrealisedProfit} />
          </TableCell>
          <TableCell numeric>
            <ProfitAmount amount={total.realisedProfit} />
          </TableCell>
          <TableCell numeric className="hidden sm:table-cell">
            <Amount amount={total.feesPaid} />
          </TableCell>
        </tr>
      </tfoot>
    </Table>
  );
}

function CoinRow({ profit }: { readonly profit: CoinProfit }) {
  const { coin, displayDecimals, averageCost, cost, value, unrealisedProfit } = profit;
  const percent = profitPercent(unrealisedProfit, value);
  return (
    <TableRow className="hover:bg-hover">
      <TableCell>
        <span className="flex items-center gap-2 font-medium">
          <CoinIcon symbol={coin} className="size-5!" />
          {coin}
        </span>
      </TableCell>
      <TableCell numeric className="hidden text-muted md:table-cell">
        {formatGivenPrice(averageCost)}
      </TableCell>
      <TableCell numeric className="hidden text-muted lg:table-cell">
        <Amount amount={cost} />
      </TableCell>
      <TableCell numeric className="hidden text-muted lg:table-cell">
        <Amount amount={profit.bought} decimals={displayDecimals} />
      </TableCell>
      <TableCell numeric className="hidden text-muted lg:table-cell">
        <Amount amount={profit.sold} decimals={displayDecimals} />
      </TableCell>
      <TableCell numeric>
        <ProfitAmount amount={unrealisedProfit} />
        {percent === null ? null : (
          <span className="block text-2xs text-faint">{formatPercent(percent)}</span>
        )}
      </TableCell>
      <TableCell numeric>
        <ProfitAmount amount={profit.realisedProfit} />
      </TableCell>
      <TableCell numeric className="hidden text-muted sm:table-cell">
        <Amount amount={profit.feesPaid} />
      </TableCell>
    </TableRow>
  );
}
