import { useState } from "react";
import { fullNameOf } from "../../format/person-name.ts";
import type { Role } from "#contract/users.ts";
import { ActionDialog, titleOf, type UserDialogProps } from "./action-dialog.tsx";
import { setRole } from "./admin-client.ts";

/** Grants or revokes the administrator role. */
export function RoleDialog({ user, onClose, ...now }: UserDialogProps & { readonly role: Role }) {
  // The action as it was requested: if another administrator does it first, the dialog does not turn to
  // the opposite.
  const [role] = useState(now.role);
  const name = fullNameOf(user);
  const isPromotion = role !== "admin";
  return (
    <ActionDialog
      title={titleOf("Make ", name, ` ${isPromotion ? "an administrator" : "a user again"}?`)}
      text={
        isPromotion
          ? "Administrators see every user, change roles and passwords, ban and delete. Only other administrators can stop them. They may approve money movements only after a waiting period, one day by default."
          : "They keep their account and their orders, and see no more of anyone else."
      }
      submitLabel={isPromotion ? "Make administrator" : "Make user"}
      isDangerous={isPromotion}
      onSubmit={() => setRole(user.id, isPromotion ? "admin" : "user")}
      done={isPromotion ? `${name} is an administrator now.` : `${name} is a user again.`}
      onClose={onClose}
    />
  );
}
