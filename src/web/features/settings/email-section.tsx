import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import type { CurrentUser } from "#contract/types.ts";
import { accountAnswer } from "../../session/account-error.ts";
import { authClient } from "../../session/auth-client.ts";
import { emailError } from "../../session/account-fields.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { SettingsSection } from "./settings-section.tsx";

const BACK_HERE = "/settings";

export function EmailSection({ user }: { readonly user: CurrentUser }) {
  const { register, handleSubmit, formState, reset } = useForm({ defaultValues: { newEmail: "" } });
  const change = useMutation({
    mutationFn: ({ newEmail }: { newEmail: string }) =>
      accountAnswer(authClient.changeEmail({ newEmail: newEmail.trim(), callbackURL: BACK_HERE })),
    onSuccess: () => {
      reset();
      toastSuccess(
        user.emailVerified
          ? "Check your present email to confirm the change."
          : "Check your new email to verify it.",
      );
    },
  });
  const verify = useMutation({
    mutationFn: () =>
      accountAnswer(
        authClient.sendVerificationEmail({ email: user.email, callbackURL: BACK_HERE }),
      ),
    onSuccess: () => toastSuccess("A verification link is on its way."),
  });
  return (
    <SettingsSection id="email" title="Email" text="You sign in with it, and mail goes there.">
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <span className="min-w-0 break-all font-medium">{user.email}</span>
        <Badge tone={user.emailVerified ? "buy" : "warn"}>
          {user.emailVerified ? "Verified" : "Not verified"}
        </Badge>
        {user.emailVerified ? null : (
          <Button size="sm" busy={verify.isPending} onClick={() => verify.mutate()}>
            Send verification link
          </Button>
        )}
      </p>
      <form
        method="post"
        noValidate
        className="mt-4 grid items-start gap-3 sm:grid-cols-[1fr_auto]"
        onSubmit={handleSubmit((values) => change.mutate(values))}
      >
        <Field label="New email" error={formState.errors.newEmail?.message}>
          {(control) => (
            <Input
              type="email"
              autoComplete="email"
              inputMode="email"
              {...control}
              {...register("newEmail", { validate: emailError })}
            />
          )}
        </Field>
        <Button type="submit" className="sm:mt-[1.375rem]" busy={change.isPending}>
          Change email
        </Button>
      </form>
    </SettingsSection>
  );
}
