import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import {
  CurrentPasswordField,
  FIELD_RULES,
  NewPasswordField,
} from "../../session/account-form-fields.tsx";
import { askAccounts, hasCode, isAboutNewPassword } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";
import { replacingSession } from "../../session/backend-token.ts";
import { useSite } from "../../session/site.ts";
import { useUnsavedChanges } from "../../session/unsaved-changes.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Form } from "../../ui/form.tsx";
import { toastSuccess } from "../../ui/toast.ts";
import { WaitingButton } from "../../ui/waiting-button.tsx";
import { accountStateQuery } from "./account-state.ts";
import { sessionsQuery } from "./sessions.ts";
import { SettingsSection } from "./settings-section.tsx";

export function PasswordSection({ email }: { readonly email: string }) {
  const { data: account } = useQuery(accountStateQuery);
  return (
    <SettingsSection
      id="password"
      title="Password"
      text="A long one that you use nowhere else. A password manager invents and keeps it."
    >
      {account?.hasPassword === false ? <FirstPassword email={email} /> : <ChangePassword />}
    </SettingsSection>
  );
}

/**
 * Lets users who signed up with a provider set their first password by a mailed link, since only the
 * owner of the mailbox can open it.
 */
function FirstPassword({ email }: { readonly email: string }) {
  const { offers } = useSite();
  const send = useMutation({
    mutationFn: () =>
      askAccounts(authClient.requestPasswordReset({ email, redirectTo: "/reset-password" })),
    onSuccess: () => toastSuccess("A link to set a password is on its way."),
  });
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-sm text-muted">
        You have no password: you sign in through another account. With one you get in even when
        that account is lost.
      </p>
      {offers.passwordReset ? (
        <WaitingButton
          label="Send me a link to set one"
          busy={send.isPending}
          onSend={async () => send.mutateAsync()}
        />
      ) : null}
    </div>
  );
}

interface PasswordValues {
  currentPassword: string;
  newPassword: string;
  revokeOtherSessions: boolean;
}

function ChangePassword() {
  const queryClient = useQueryClient();
  const { register, handleSubmit, setError, formState, reset } = useForm<PasswordValues>({
    defaultValues: { currentPassword: "", newPassword: "", revokeOtherSessions: true },
  });
  const change = useMutation({
    mutationFn: async (values: PasswordValues) =>
      replacingSession(() => askAccounts(authClient.changePassword(values))),
    meta: {
      shownInPlace: (error) => hasCode(error, "INVALID_PASSWORD") || isAboutNewPassword(error),
    },
    onSuccess: () => {
      reset();
      toastSuccess("Password changed.");
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError: (error) => {
      const { message } = error;
      if (hasCode(error, "INVALID_PASSWORD")) {
        setError("currentPassword", { message }, { shouldFocus: true });
      } else if (isAboutNewPassword(error)) {
        setError("newPassword", { message }, { shouldFocus: true });
      }
    },
  });
  const { errors, isDirty } = formState;
  useUnsavedChanges(isDirty);
  return (
    <Form onSubmit={handleSubmit((values) => change.mutate(values))}>
      <div className="grid gap-4 sm:grid-cols-2">
        <CurrentPasswordField
          label="Current password"
          registration={register("currentPassword", FIELD_RULES.currentPassword)}
          error={errors.currentPassword}
        />
        <NewPasswordField
          registration={register("newPassword", FIELD_RULES.newPassword)}
          error={errors.newPassword}
        />
      </div>
      <Checkbox label="Sign out everywhere else" {...register("revokeOtherSessions")} />
      <div>
        <Button type="submit" busy={change.isPending}>
          Change password
        </Button>
      </div>
    </Form>
  );
}
