import { useState } from "react";
import { functions } from "#contract/functions.ts";
import { fullNameOf } from "../../format/person-name.ts";
import { useRequests } from "../../session/requests.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { ActionDialog, type UserDialogProps } from "./action-dialog.tsx";
import { ReasonField } from "./reason-field.tsx";

interface FreezeDialogProps extends UserDialogProps {
  readonly isFrozen: boolean;
}

/** Freezes an account, which stops its trading without banning the user, or unfreezes it. */
export function FreezeDialog({ user, isFrozen, onClose }: FreezeDialogProps) {
  const requests = useRequests();
  const [reason, setReason] = useState("");
  const [cancelOrders, setCancelOrders] = useState(false);
  const [isTried, setIsTried] = useState(false);
  const name = fullNameOf(user);
  const submit = () => {
    setIsTried(true);
    if (reason.trim() === "") return undefined;
    return requests.send(functions.accounts.freeze, {
      userId: user.id,
      frozen: !isFrozen,
      reason: reason.trim(),
      ...(isFrozen ? {} : { cancelOrders }),
    });
  };
  return (
    <ActionDialog
      title={
        <>
          {isFrozen ? "Unfreeze" : "Freeze"} the account of <bdi>{name}</bdi>?
        </>
      }
      text={
        isFrozen
          ? "It can place orders and change its plan again."
          : "It places no orders and changes no plan until it is unfrozen. It can still be looked at, and its orders cancelled."
      }
      submitLabel={isFrozen ? "Unfreeze" : "Freeze"}
      isDangerous={!isFrozen}
      isDirty={reason !== ""}
      onSubmit={submit}
      done={`The account of ${name} is ${isFrozen ? "no longer frozen" : "frozen"}.`}
      onClose={onClose}
    >
      <ReasonField
        value={reason}
        onChange={setReason}
        hint="It is kept in the journal."
        isMissing={isTried && reason.trim() === ""}
      />
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
