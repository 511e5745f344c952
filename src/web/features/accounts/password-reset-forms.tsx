import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useForm } from "react-hook-form";
import { accountAnswer } from "../../session/account-error.ts";
import { authClient } from "../../session/auth-client.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { AccountPage, FormError, FormNotice, InlineLink } from "./account-page.tsx";
import { emailError, newPasswordError, PASSWORD_LENGTH_MIN } from "../../session/account-fields.ts";

/** Asks for a reset link. The answer never tells whether the account exists. */
export function ForgotPasswordForm() {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { email: "" } });
  const request = useMutation({
    mutationFn: ({ email }: { email: string }) =>
      accountAnswer(
        authClient.requestPasswordReset({ email: email.trim(), redirectTo: "/reset-password" }),
      ),
  });
  return (
    <AccountPage
      title="Reset password"
      text="We send you a link to choose a new one."
      below={<InlineLink to="/login">Back to sign in</InlineLink>}
    >
      {request.isSuccess ? (
        <FormNotice>
          If this email exists in our system, check your email for the reset link
        </FormNotice>
      ) : (
        <form
          method="post"
          noValidate
          className="grid gap-4"
          onSubmit={handleSubmit((values) => request.mutate(values))}
        >
          <FormError error={request.error} />
          <Field label="Email" error={formState.errors.email?.message}>
            {(control) => (
              <Input
                type="email"
                autoComplete="email"
                inputMode="email"
                {...control}
                {...register("email", { validate: emailError })}
              />
            )}
          </Field>
          <Button type="submit" variant="primary" busy={request.isPending}>
            Send link
          </Button>
        </form>
      )}
    </AccountPage>
  );
}

interface ResetPasswordFormProps {
  /** From the link of the mail; undefined where the link was incomplete or refused. */
  readonly token: string | undefined;
}

/** Chooses a new password with the token of a reset link. */
export function ResetPasswordForm({ token }: ResetPasswordFormProps) {
  const { register, handleSubmit, formState } = useForm({ defaultValues: { newPassword: "" } });
  const reset = useMutation({
    mutationFn: ({ newPassword }: { newPassword: string }) =>
      accountAnswer(authClient.resetPassword({ newPassword, token })),
  });
  if (token === undefined) {
    return (
      <AccountPage title="This link does not work" text="It has expired, or it was used already.">
        <Link to="/forgot-password" className={buttonClass({ variant: "primary" })}>
          Ask for a new link
        </Link>
      </AccountPage>
    );
  }
  if (reset.isSuccess) {
    return (
      <AccountPage title="Password changed" text="Sign in with your new password.">
        <Link to="/login" className={buttonClass({ variant: "primary" })}>
          Sign in
        </Link>
      </AccountPage>
    );
  }
  return (
    <AccountPage title="Choose a new password">
      <form
        method="post"
        noValidate
        className="grid gap-4"
        onSubmit={handleSubmit((values) => reset.mutate(values))}
      >
        <FormError error={reset.error} />
        <Field
          label="New password"
          hint={`At least ${PASSWORD_LENGTH_MIN} characters.`}
          error={formState.errors.newPassword?.message}
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
        <Button type="submit" variant="primary" busy={reset.isPending}>
          Change password
        </Button>
      </form>
    </AccountPage>
  );
}
