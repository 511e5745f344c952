import { Link } from "@tanstack/react-router";
import { Coins } from "lucide-react";
import type { ComponentType } from "react";
import type { Balance, Holding, Portfolio, VenueInfo } from "#contract/types.ts";
import { Amount } from "../../format/amount.tsx";
import { NO_VALUE } from "../../format/decimal-text.ts";
import { formatGivenPrice } from "../../format/given-price.ts";
import { formatShare } from "../../format/money.ts";
import { buttonClass } from "../../ui/button.tsx";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Table, TableCell, TableHead, TableRow } from "../../ui/table.tsx";

interface HoldingsTableProps {
  readonly portfolio: Portfolio;
  readonly balances: readonly Balance[];
  readonly funds: VenueInfo["funds"];
  /** Opens the description of a coin. */
  readonly about: ComponentType<{ readonly symbol: string }>;
}

/** The table of holdings by coin: quantity and value. */
export function HoldingsTable({ portfolio, balances, funds, about }: HoldingsTableProps) {
  const { holdings, settlementCoin } = portfolio;
  return (
    <Panel title="Holdings">
      {holdings.length === 0 ? (
        <EmptyState
          icon={Coins}
          title="Nothing held yet"
          text={
            funds === "practice"
              ? "Take practice funds on the dashboard, then buy your first coin."
              : "Make a deposit, then buy your first coin."
          }
          action={
            <Link to="/dashboard" className={buttonClass({ size: "sm" })}>
              Open dashboard
            </Link>
          }
        />
      ) : (
        <Table aria-label={`Holdings, values in ${settlementCoin}`}>
          <thead className="border-b">
            <tr>
              <TableHead>Coin</TableHead>
              <TableHead numeric>Quantity</TableHead>
              <TableHead numeric className="hidden lg:table-cell">
                In orders
              </TableHead>
              <TableHead numeric className="hidden md:table-cell">
                Price
              </TableHead>
              <TableHead numeric>Value</TableHead>
              <TableHead numeric className="hidden sm:table-cell">
                Share
              </TableHead>
            </tr>
          </thead>
          <tbody>
            {holdings.map((holding) => (
              <HoldingRow
                key={holding.coin}
                holding={holding}
                about={about}
                held={balances.find(({ coin }) => coin === holding.coin)?.held ?? "0"}
                isSettlement={holding.coin === settlementCoin}
              />
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

interface HoldingRowProps {
  readonly holding: Holding;
  readonly about: HoldingsTableProps["about"];
  readonly held: string;
  readonly isSettlement: boolean;
}

function HoldingRow({ holding, about: About, held, isSettlement }: HoldingRowProps) {
  const { coin, name, quantity, displayDecimals, price, value, share } = holding;
  return (
    <TableRow className="hover:bg-hover">
      <TableCell className="h-12!">
        <span className="flex items-center gap-2 sm:gap-2.5">
          <CoinIcon symbol={coin} />
          <span className="min-w-0">
            <span className="block font-medium">{coin}</span>
            <span className="hidden max-w-32 truncate text-faint sm:block">{name}</span>
          </span>
          <About symbol={coin} />
        </span>
      </TableCell>
      <TableCell numeric>
        <Amount amount={quantity} decimals={displayDecimals} />
      </TableCell>
      <TableCell numeric className="hidden text-muted lg:table-cell">
        {Number(held) === 0 ? NO_VALUE : <Amount amount={held} decimals={displayDecimals} />}
      </TableCell>
      <TableCell numeric className="hidden md:table-cell">
        {isSettlement ? NO_VALUE : formatGivenPrice(price)}
      </TableCell>
      <TableCell numeric>
        <Amount amount={value} />
      </TableCell>
      <TableCell numeric className="hidden text-muted sm:table-cell">
        {formatShare(share)}
      </TableCell>
    </TableRow>
  );
}
