import { TextField } from "../../ui/text-field.tsx";
import { convexQuery } from "@convex-dev/react-query";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { functions } from "#contract/functions.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { fullNameOf } from "../../format/person-name.ts";
import { ActionDialog, titleOf, type UserDialogProps } from "./action-dialog.tsx";
import { removeUser } from "./admin-client.ts";

/** Deletes a user permanently, once their email address is typed to confirm. */
export function DeleteDialog({ user, onClose }: UserDialogProps) {
  const [typed, setTyped] = useState("");
  const navigate = useNavigate();
  const name = fullNameOf(user);
  return (
    <ActionDialog
      title={titleOf("Delete ", name, "?")}
      text="The sign-in and every session go at once, and cannot be brought back. The ledger keeps the account, which belongs to no one then."
      submitLabel="Delete for good"
      isDangerous
      isDisabled={typed.trim().toLowerCase() !== user.email}
      onSubmit={() => removeUser(user.id)}
      done={`${name} is deleted.`}
      onDone={() => navigate({ to: "/admin/users" })}
      onClose={onClose}
    >
      <LeftBehind userId={user.id} />
      <TextField
        label={
          <>
            Type <span className="select-all break-all text-text">{user.email}</span> to confirm
          </>
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </ActionDialog>
  );
}

/** The user's open orders and balances, which the deletion ends or leaves behind. */
function LeftBehind({ userId }: { readonly userId: string }) {
  const { data: summary } = useQuery(convexQuery(functions.users.summary, { userId }));
  const { data: options } = useQuery(convexQuery(functions.transfers.options, {}));
  if (summary === undefined || options === undefined) return null;
  const openOrders = summary?.openOrders ?? 0;
  const balances = summary?.balances ?? [];
  if (openOrders === 0 && balances.length === 0) {
    return <p className="text-sm text-muted">It has no open orders and no balance.</p>;
  }
  return (
    <ul className="list-disc space-y-1 rounded-md border border-warn/40 bg-warn-soft py-2 pl-7 pr-3 text-xs text-text">
      {openOrders === 0 ? null : (
        <li>{openOrders === 1 ? "1 open order is" : `${openOrders} open orders are`} cancelled.</li>
      )}
      {balances.length === 0 ? null : (
        <li>
          {/* The exchange refuses it then: no one could withdraw the money. */}
          {balances.some(({ coin }) => options.coins.some((each) => each.coin === coin))
            ? "It is not deleted while it holds money that was paid in:"
            : "No one can reach what it holds any more:"}{" "}
          <span className="figures">
            {balances.map(({ coin, total }) => `${formatExact(total)} ${coin}`).join(", ")}
          </span>
          .
        </li>
      )}
    </ul>
  );
}
