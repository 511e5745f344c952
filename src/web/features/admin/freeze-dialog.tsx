import { useState } from "react";
import { functions } from "#contract/functions.ts";
import { fullNameOf } from "../../format/person-name.ts";
import { useRequests } from "../../session/requests.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ActionDialog, titleOf, type UserDialogProps } from "./action-dialog.tsx";
import { ReasonField, useReasonForm } from "./reason-field.tsx";

interface FreezeDialogProps extends UserDialogProps {
  readonly isFrozen: boolean;
}

/** Freezes an account, which stops its trading without banning the user, or unfreezes it. */
export function FreezeDialog({ user, onClose, ...current }: FreezeDialogProps) {
  const requests = useRequests();
  // The action as it was requested: if another administrator does it first, the dialog does not turn to
  // the opposite.
  const [isFrozen] = useState(current.isFrozen);
  const form = useReasonForm();
  const [cancelOrders, setCancelOrders] = useState(false);
  const name = fullNameOf(user);
  const submit = () => {
    form.markTried();
    if (form.reason === "") return undefined;
    return requests.send(functions.accounts.freeze, {
      userId: user.id,
      frozen: !isFrozen,
      reason: form.reason,
      ...(isFrozen ? {} : { cancelOrders }),
    });
  };
  return (
    <ActionDialog
      title={titleOf(`${isFrozen ? "Unfreeze" : "Freeze"} the account of `, name, "?")}
      text={
        isFrozen
          ? "It can place orders, change its plan and withdraw again."
          : "It places no orders, changes no plan and withdraws nothing until it is unfrozen. It can still be looked at, and its orders cancelled."
      }
      submitLabel={isFrozen ? "Unfreeze" : "Freeze"}
      isDangerous={!isFrozen}
      isDirty={form.reason !== ""}
      onSubmit={submit}
      done={`The account of ${name} is ${isFrozen ? "no longer frozen" : "frozen"}.`}
      onClose={onClose}
    >
      <ReasonField {...form.reasonField} hint="It is kept in the journal." />
      {isFrozen ? null : (
        <Checkbox
          label="Cancel its open orders"
          checked={cancelOrders}
          onChange={() => setCancelOrders(!cancelOrders)}
        />
      )}
    </ActionDialog>
  );
}
