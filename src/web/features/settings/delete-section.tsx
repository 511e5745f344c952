import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { accountAnswer } from "../../session/account-error.ts";
import { currentPasswordError } from "../../session/account-fields.ts";
import { authClient } from "../../session/auth-client.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions, DialogClose, DialogContent } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { SettingsSection } from "./settings-section.tsx";

/** The accounts answer with this where the account is gone already, without a mail to confirm. */
const DELETED = "User deleted";

export function DeleteSection() {
  const [open, setOpen] = useState(false);
  const [mailSent, setMailSent] = useState(false);
  const { register, handleSubmit, formState, reset } = useForm({ defaultValues: { password: "" } });
  const remove = useMutation({
    mutationFn: ({ password }: { password: string }) =>
      accountAnswer(authClient.deleteUser({ password, callbackURL: "/" })),
    onSuccess: ({ message }) => {
      if (message === DELETED) window.location.assign("/");
      else setMailSent(true);
    },
  });
  const change = (next: boolean) => {
    setOpen(next);
    setMailSent(false);
    reset();
  };
  return (
    <SettingsSection
      id="delete"
      title="Delete account"
      text="Your sign-in goes for good. What happened in the ledger stays in the ledger."
    >
      <Button variant="danger" onClick={() => change(true)}>
        Delete account
      </Button>
      <Dialog open={open} onOpenChange={change}>
        {mailSent ? (
          <DialogContent
            title="Check your email"
            description="We sent you a link. Open it on this device to delete the account."
          >
            <DialogActions>
              <DialogClose asChild>
                <Button>Close</Button>
              </DialogClose>
            </DialogActions>
          </DialogContent>
        ) : (
          <DialogContent title="Delete account" description="This cannot be undone.">
            <form
              method="post"
              noValidate
              onSubmit={handleSubmit((values) => remove.mutate(values))}
            >
              <Field label="Your password" error={formState.errors.password?.message}>
                {(control) => (
                  <Input
                    type="password"
                    autoComplete="current-password"
                    {...control}
                    {...register("password", { validate: currentPasswordError })}
                  />
                )}
              </Field>
              <DialogActions>
                <DialogClose asChild>
                  <Button>Cancel</Button>
                </DialogClose>
                <Button type="submit" variant="danger" busy={remove.isPending}>
                  Delete account
                </Button>
              </DialogActions>
            </form>
          </DialogContent>
        )}
      </Dialog>
    </SettingsSection>
  );
}
