import { Link } from "@tanstack/react-router";
import { Coins } from "lucide-react";
import type { Portfolio } from "#contract/types.ts";
import { Amount } from "../../format/amount.tsx";
import { formatShare } from "../../format/money.ts";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";

const SHOWN = 6;

/** The user's largest holdings, by value. */
export function HoldingsPanel({ portfolio }: { readonly portfolio: Portfolio }) {
  const { holdings, settlementCoin } = portfolio;
  return (
    <Panel
      title="Holdings"
      aside={
        <Link to="/portfolio" className="touchable rounded-sm text-accent hover:underline">
          Portfolio
        </Link>
      }
    >
      {holdings.length === 0 ? (
        <EmptyState icon={Coins} title="Nothing held yet" text="What you own appears here." />
      ) : (
        <Table aria-label="Largest holdings">
          <thead className="border-b">
            <tr>
              <TableHead>Coin</TableHead>
              <TableHead numeric>Quantity</TableHead>
              <TableHead numeric className="max-sm:pr-4">
                Value ({settlementCoin})
              </TableHead>
              <TableHead numeric className="hidden sm:table-cell">
                Share
              </TableHead>
            </tr>
          </thead>
          <tbody>
            {holdings.slice(0, SHOWN).map(({ coin, quantity, displayDecimals, value, share }) => (
              <TableRow key={coin}>
                <TableCell>
                  <span className="flex items-center gap-2 font-medium">
                    <CoinIcon symbol={coin} className="size-5!" />
                    {coin}
                  </span>
                </TableCell>
                <TableCell numeric>
                  <Amount amount={quantity} decimals={displayDecimals} />
                </TableCell>
                <TableCell numeric className="max-sm:pr-4">
                  <Amount amount={value} />
                </TableCell>
                <TableCell numeric className="hidden text-muted sm:table-cell">
                  {formatShare(share)}
                </TableCell>
              </TableRow>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}
