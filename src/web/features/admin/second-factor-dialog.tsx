import { fullNameOf } from "../../format/person-name.ts";
import { ActionDialog, titleOf, type UserDialogProps } from "./action-dialog.tsx";
import { removeSecondFactor } from "./admin-client.ts";

/** Disables two-factor sign-in of a user who has lost the app and the backup codes. */
export function SecondFactorDialog({ user, onClose }: UserDialogProps) {
  const name = fullNameOf(user);
  return (
    <ActionDialog
      title={titleOf("Remove the second factor of ", name, "?")}
      text="Then the password alone opens the account. Be sure that it is really them who asks. They are signed out everywhere and told by mail."
      submitLabel="Remove second factor"
      isDangerous
      onSubmit={() => removeSecondFactor(user.id)}
      done={`${name} signs in with the password alone now.`}
      onClose={onClose}
    />
  );
}
