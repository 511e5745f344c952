import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { EmailField, FIELD_RULES } from "../../session/account-form-fields.tsx";
import { askAccounts } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { WaitingButton } from "../../ui/waiting-button.tsx";
import { AccountPage, FormError, FormNotice, InlineLink } from "./account-page.tsx";

/** Requests a reset link. The answer never reveals whether the account exists. */
export function ForgotPasswordForm({ email = "" }: { readonly email?: string | undefined }) {
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { email },
  });
  const request = useMutation({
    mutationFn: (address: string) =>
      askAccounts(
        authClient.requestPasswordReset({ email: address, redirectTo: "/reset-password" }),
      ),
    meta: { shownInPlace: () => true },
  });
  const sentTo = request.isSuccess ? request.variables : null;
  if (sentTo !== null) return <ResetMailSent email={sentTo} />;
  return (
    <AccountPage
      title="Reset password"
      text="We send you a link to choose a new one."
      below={<InlineLink to="/login">Back to sign in</InlineLink>}
    >
      <Form onSubmit={handleSubmit((values) => request.mutate(values.email.trim()))}>
        <FormError error={request.error} />
        <EmailField
          registration={register("email", FIELD_RULES.email)}
          error={formState.errors.email}
          defaultValue={email}
        />
        <Button type="submit" variant="primary" busy={request.isPending}>
          Send link
        </Button>
      </Form>
    </AccountPage>
  );
}

function ResetMailSent({ email }: { readonly email: string }) {
  const repeat = useMutation({
    mutationFn: () =>
      askAccounts(authClient.requestPasswordReset({ email, redirectTo: "/reset-password" })),
    meta: { shownInPlace: () => true },
  });
  return (
    <AccountPage
      title="Check your email"
      isOutcome
      below={
        <InlineLink to="/login" email={email}>
          Back to sign in
        </InlineLink>
      }
    >
      <div className="grid gap-4">
        <FormNotice>
          If this email exists in our system, check your email for the reset link
        </FormNotice>
        <p className="text-xs text-faint [overflow-wrap:anywhere]">
          Sent to {email}. The link works once, for a limited time. Nothing there? Look into the
          spam folder.
        </p>
        <FormError error={repeat.error} />
        <WaitingButton
          label="Send the link again"
          isSent
          busy={repeat.isPending}
          onSend={async () => repeat.mutateAsync()}
        />
      </div>
    </AccountPage>
  );
}
