import { Wallet } from "lucide-react";
import { useMemo, useState } from "react";
import { compareDecimals } from "#contract/decimal.ts";
import { functions } from "#contract/functions.ts";
import type { Balance, Decimal } from "#contract/types.ts";
import { Amount } from "../../format/amount.tsx";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { CoinIcon } from "../../ui/coin-icon.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { type Column, SortedTable } from "../../ui/sorted-table.tsx";

interface BalancesTableProps {
  /** The coin in which values are given. */
  readonly settlementCoin: string;
}

type Key = "coin" | "total" | "available" | "held" | "value";

/** The viewer's balances by coin. Loaded lazily, hence the default export. */
export default function BalancesTable({ settlementCoin }: BalancesTableProps) {
  const [showsEmpty, setShowsEmpty] = useState(false);
  const { data: balances, error } = useFrameQuery(functions.accounts.balances, {});
  const columns = useBalanceColumns(settlementCoin);
  const owned = useMemo(
    () => balances?.filter((balance) => showsEmpty || /[1-9]/.test(balance.total)),
    [balances, showsEmpty],
  );
  if (owned === undefined) {
    return error === null ? (
      <div className="grid gap-2 p-3" aria-busy>
        <Skeleton className="h-7" />
        <Skeleton className="h-7" />
        <Skeleton className="h-7" />
      </div>
    ) : (
      <p role="alert" className="p-6 text-center text-xs text-muted">
        The balances could not be loaded. Reload the page to try again.
      </p>
    );
  }
  return (
    <>
      {owned.length === 0 ? (
        <EmptyState
          icon={Wallet}
          title="Your account is empty"
          text="Take practice funds in the ticket to place a first order."
        />
      ) : (
        <SortedTable
          caption="Balances"
          columns={columns}
          rows={owned}
          rowKey={(balance) => balance.coin}
          initialSort={{ key: "value", descending: true }}
        />
      )}
      <Checkbox
        label="Show coins without a balance"
        checked={showsEmpty}
        onChange={() => setShowsEmpty(!showsEmpty)}
        className="cursor-pointer p-3 text-xs! hover:text-text"
      />
    </>
  );
}

function useBalanceColumns(settlementCoin: string): readonly Column<Balance, Key>[] {
  return useMemo(
    () => [
      {
        key: "coin",
        title: "Coin",
        compare: (left, right) => (left.coin < right.coin ? -1 : 1),
        cell: (balance) => (
          <span className="flex items-center gap-2 font-medium">
            <CoinIcon symbol={balance.coin} className="size-5!" />
            {balance.coin}
          </span>
        ),
      },
      amountColumn("total", "Total", (balance) => balance.total),
      amountColumn("available", "Available", (balance) => balance.available),
      {
        ...amountColumn("held", "In orders", (balance) => balance.held),
        // The difference of the other two, which a phone has no room for.
        className: "max-sm:hidden",
      },
      {
        key: "value",
        title: `Value (${settlementCoin})`,
        numeric: true,
        compare: (left, right) => compareDecimals(left.value ?? "-1", right.value ?? "-1"),
        cell: (balance) => <Amount amount={balance.value} />,
      },
    ],
    [settlementCoin],
  );
}

function amountColumn(
  key: "total" | "available" | "held",
  title: string,
  amountOf: (balance: Balance) => Decimal,
): Column<Balance, Key> {
  return {
    key,
    title,
    numeric: true,
    compare: (left, right) => compareDecimals(amountOf(left), amountOf(right)),
    cell: (balance) => <Amount amount={amountOf(balance)} decimals={balance.displayDecimals} />,
  };
}
