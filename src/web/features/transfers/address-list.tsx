import { useMutation } from "@tanstack/react-query";
import { functions } from "#contract/functions.ts";
import type { WithdrawalAddress } from "#contract/transfers.ts";
import { useIsReadOnly } from "../../session/read-only.ts";
import { useRequests } from "../../session/requests.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";

/** The caller's address book. */
export function AddressList({ addresses }: { readonly addresses: readonly WithdrawalAddress[] }) {
  const requests = useRequests();
  const isReadOnly = useIsReadOnly();
  const remove = useMutation({
    mutationFn: (addressId: string) =>
      requests.send(functions.transfers.removeAddress, { addressId }),
  });
  if (addresses.length === 0) return null;
  return (
    <Panel title="Addresses">
      <ul aria-label="Addresses" className="divide-y">
        {addresses.map(({ addressId, address, coin, label, memo, network }) => (
          <li key={addressId} className="flex items-center gap-4 px-4 py-2.5">
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
              busy={remove.isPending && remove.variables === addressId}
              onClick={() => remove.mutate(addressId)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
