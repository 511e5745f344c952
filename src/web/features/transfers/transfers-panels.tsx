import { type ComponentType, useState } from "react";
import type { Transfer, TransferOptions, WithdrawalAddress } from "#contract/transfers.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { AddressDialog } from "./address-dialog.tsx";
import { AddressList } from "./address-list.tsx";
import type { RunFresh } from "./confirmed-form.tsx";
import { DepositPanel } from "./deposit-panel.tsx";
import { DustPanel } from "./dust-panel.tsx";
import { TransferList } from "./transfer-list.tsx";
import { WithdrawPanel } from "./withdraw-panel.tsx";

interface TransfersPanelsProps {
  readonly options: TransferOptions;
  readonly transfers: readonly Transfer[];
  /** The caller's address book; null while it is loading. */
  readonly addresses: readonly WithdrawalAddress[] | null;
  readonly run: RunFresh;
  /** Opens the description of a coin. */
  readonly about: ComponentType<{ readonly symbol: string }>;
}

/** The panels of the transfers page: deposit, withdraw, address book and past transfers. */
export function TransfersPanels(props: TransfersPanelsProps) {
  const { options, transfers, addresses, run, about } = props;
  const [isAdding, setIsAdding] = useState(false);
  return (
    <div className="live-data grid items-start gap-4 lg:grid-cols-2">
      <DepositPanel
        options={options}
        about={about}
        waiting={transfers.filter(({ status }) => status === "requested")}
      />
      <div className="grid min-w-0 gap-4">
        {addresses === null ? (
          <Skeleton className="h-60 rounded-lg" />
        ) : (
          <>
            <WithdrawPanel
              options={options}
              addresses={addresses}
              run={run}
              onAddAddress={() => setIsAdding(true)}
            />
            <AddressList addresses={addresses} />
            <DustPanel coins={options.coins} />
          </>
        )}
      </div>
      <div className="min-w-0 lg:col-span-2">
        <TransferList transfers={transfers} />
      </div>
      {isAdding ? (
        <AddressDialog options={options} run={run} onClose={() => setIsAdding(false)} />
      ) : null}
    </div>
  );
}
