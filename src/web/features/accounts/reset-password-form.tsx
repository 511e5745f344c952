import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { FIELD_RULES, NewPasswordField } from "../../session/account-form-fields.tsx";
import { askAccounts, hasCode, isAboutNewPassword } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { AccountPage, FormError } from "./account-page.tsx";

interface ResetPasswordFormProps {
  /** The token of the mailed link; undefined if the link was incomplete or refused. */
  readonly token: string | undefined;
}

/** Sets a new password with the token of a reset link. */
export function ResetPasswordForm({ token }: ResetPasswordFormProps) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { newPassword: "" },
  });
  const reset = useMutation({
    mutationFn: ({ newPassword }: { newPassword: string }) =>
      askAccounts(authClient.resetPassword({ newPassword, token })),
    meta: { shownInPlace: () => true },
    onError: (error) => {
      if (!isAboutNewPassword(error)) return;
      setError("newPassword", { message: error.message }, { shouldFocus: true });
    },
  });
  if (token === undefined || hasCode(reset.error, "INVALID_TOKEN")) {
    return (
      <AccountPage
        title="This link does not work"
        isOutcome={token !== undefined}
        text="It has expired, or it was used already. A link works once, for a limited time."
      >
        <Link
          to="/forgot-password"
          className={buttonClass({ variant: "primary", className: "w-full" })}
        >
          Ask for a new link
        </Link>
      </AccountPage>
    );
  }
  if (reset.isSuccess) {
    return (
      <AccountPage
        title="Password changed"
        isOutcome
        text="You are signed out everywhere. Sign in with your new password."
      >
        {/* A full page load: this page's user may be signed out by now. */}
        <a href="/login" className={buttonClass({ variant: "primary", className: "w-full" })}>
          Sign in
        </a>
      </AccountPage>
    );
  }
  return (
    <AccountPage title="Choose a new password">
      <Form onSubmit={handleSubmit((values) => reset.mutate(values))}>
        <FormError error={isAboutNewPassword(reset.error) ? null : reset.error} />
        <NewPasswordField
          registration={register("newPassword", FIELD_RULES.newPassword)}
          error={formState.errors.newPassword}
        />
        <Button type="submit" variant="primary" busy={reset.isPending}>
          Change password
        </Button>
      </Form>
    </AccountPage>
  );
}
