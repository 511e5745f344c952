import { useState } from "react";
import { fullNameOf } from "../../format/person-name.ts";
import { newPasswordError } from "../../session/account-fields.ts";
import { useSite } from "../../session/site.ts";
import { Field } from "../../ui/field.tsx";
import { PasswordInput } from "../../ui/password-input.tsx";
import { ActionDialog, titleOf, type UserDialogProps } from "./action-dialog.tsx";
import { setPassword } from "./admin-client.ts";

/** Sets a new password for a user who cannot reset it. */
export function PasswordDialog({ user, onClose }: UserDialogProps) {
  const { passwordLengthMin } = useSite();
  const [password, setText] = useState("");
  const [isTried, setIsTried] = useState(false);
  const name = fullNameOf(user);
  const error = newPasswordError(password);
  const submit = () => {
    setIsTried(true);
    return error === undefined ? setPassword(user.id, password) : undefined;
  };
  return (
    <ActionDialog
      title={titleOf("Set a password for ", name, "")}
      text="The old one stops working and every device is signed out. Tell them the new one in a way that you trust, and ask them to change it."
      submitLabel="Set password"
      isDirty={password !== ""}
      onSubmit={submit}
      done={`${name} has a new password.`}
      onClose={onClose}
    >
      <Field
        label="New password"
        hint={`At least ${passwordLengthMin} characters.`}
        error={isTried ? error : undefined}
      >
        {(control) => (
          <PasswordInput
            {...control}
            autoComplete="new-password"
            value={password}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
    </ActionDialog>
  );
}
