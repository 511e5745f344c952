import { useForm } from "react-hook-form";
import { useUnsavedChanges } from "../../session/unsaved-changes.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { passkeyNameError } from "./passkeys.ts";

interface PasskeyNameDialogProps {
  readonly title: string;
  readonly description?: string;
  readonly confirmLabel: string;
  /** Initial value of the name field. */
  readonly name: string;
  readonly busy: boolean;
  readonly onConfirm: (name: string) => void;
  readonly onCancel: () => void;
}

/** Asks for a passkey's name. */
export function PasskeyNameDialog(props: PasskeyNameDialogProps) {
  const { title, description, confirmLabel, name, busy, onConfirm, onCancel } = props;
  const { register, handleSubmit, formState } = useForm({ defaultValues: { name } });
  useUnsavedChanges(formState.isDirty);
  return (
    <Dialog onClose={onCancel} title={title} description={description}>
      <Form className="" onSubmit={handleSubmit((values) => onConfirm(values.name.trim()))}>
        <TextField
          label="Name"
          error={formState.errors.name?.message}
          autoComplete="off"
          {...register("name", { validate: passkeyNameError })}
        />
        <DialogActions>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {confirmLabel}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
