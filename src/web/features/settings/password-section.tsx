import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { accountAnswer } from "../../session/account-error.ts";
import {
  currentPasswordError,
  newPasswordError,
  PASSWORD_LENGTH_MIN,
} from "../../session/account-fields.ts";
import { authClient } from "../../session/auth-client.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { SESSIONS_KEY } from "./sessions-section.tsx";
import { SettingsSection } from "./settings-section.tsx";

interface PasswordValues {
  currentPassword: string;
  newPassword: string;
  revokeOtherSessions: boolean;
}

export function PasswordSection() {
  const queryClient = useQueryClient();
  const { register, handleSubmit, formState, reset } = useForm<PasswordValues>({
    defaultValues: { currentPassword: "", newPassword: "", revokeOtherSessions: true },
  });
  const change = useMutation({
    mutationFn: (values: PasswordValues) => accountAnswer(authClient.changePassword(values)),
    onSuccess: () => {
      reset();
      toastSuccess("Password changed.");
      void queryClient.invalidateQueries({ queryKey: [SESSIONS_KEY] });
    },
  });
  const { errors } = formState;
  return (
    <SettingsSection id="password" title="Password">
      <form
        method="post"
        noValidate
        className="grid gap-4"
        onSubmit={handleSubmit((values) => change.mutate(values))}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Current password" error={errors.currentPassword?.message}>
            {(control) => (
              <Input
                type="password"
                autoComplete="current-password"
                {...control}
                {...register("currentPassword", { validate: currentPasswordError })}
              />
            )}
          </Field>
          <Field
            label="New password"
            hint={`At least ${PASSWORD_LENGTH_MIN} characters.`}
            error={errors.newPassword?.message}
          >
            {(control) => (
              <Input
                type="password"
                autoComplete="new-password"
                {...control}
                {...register("newPassword", { validate: newPasswordError })}
              />
            )}
          </Field>
        </div>
        <Checkbox label="Sign out everywhere else" {...register("revokeOtherSessions")} />
        <div>
          <Button type="submit" busy={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </SettingsSection>
  );
}
