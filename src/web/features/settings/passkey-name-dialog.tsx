import { useForm } from "react-hook-form";
import { useUnsavedChanges } from "../../session/unsaved-changes.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions, DialogContent } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
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
    <Dialog open onOpenChange={onCancel}>
      <DialogContent title={title} description={description}>
        <form
          method="post"
          noValidate
          onSubmit={handleSubmit((values) => onConfirm(values.name.trim()))}
        >
          <Field label="Name" error={formState.errors.name?.message}>
            {(control) => (
              <Input
                autoComplete="off"
                {...control}
                {...register("name", { validate: passkeyNameError })}
              />
            )}
          </Field>
          <DialogActions>
            <Button onClick={onCancel}>Cancel</Button>
            <Button type="submit" variant="primary" busy={busy}>
              {confirmLabel}
            </Button>
          </DialogActions>
        </form>
      </DialogContent>
    </Dialog>
  );
}
