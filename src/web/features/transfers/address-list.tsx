import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import type { WithdrawalAddress } from "#contract/transfers.ts";
import { useIsReadOnly } from "../../session/read-only.ts";
import { useRequests } from "../../session/requests.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { KeptFocus } from "../../ui/kept-focus.tsx";
import { Panel } from "../../ui/panel.tsx";

/** The caller's address book. */
export function AddressList({ addresses }: { readonly addresses: readonly WithdrawalAddress[] }) {
  return addresses.length === 0 ? null : (
    <Panel title="Addresses">
      <KeptFocus as="ul" aria-label="Addresses" className="divide-y">
        {addresses.map((address) => (
          <AddressRow key={address.addressId} address={address} />
        ))}
      </KeptFocus>
    </Panel>
  );
}

function AddressRow({ address: listed }: { readonly address: WithdrawalAddress }) {
  const { addressId, address, coin, label, memo, network } = listed;
  const requests = useRequests();
  const isReadOnly = useIsReadOnly();
  const [isAsking, setIsAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => requests.send(functions.transfers.removeAddress, { addressId }),
    onSettled: () => setIsAsking(false),
  });
  return (
    <li className="flex items-center gap-4 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">
          <bdi>{label}</bdi>{" "}
          <span className="text-xs font-normal text-muted">
            {coin}, {network}
          </span>
        </p>
        <p className="figures wrap-anywhere text-xs text-muted">
          {address}
          {memo === null ? "" : ` · memo ${memo}`}
        </p>
      </div>
      <Button
        size="sm"
        aria-label={`Remove ${label}`}
        disabled={isReadOnly}
        onClick={() => setIsAsking(true)}
      >
        Remove
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Remove the address"
        text={`No withdrawal goes to “${label}” (${address}) any more, except those that are under way. If it is added again, it counts as new.`}
        confirmLabel="Remove"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
        onCancel={() => setIsAsking(false)}
      />
    </li>
  );
}
