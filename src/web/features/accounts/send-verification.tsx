import { useMutation } from "@tanstack/react-query";
import { askAccounts } from "../../session/account-refusals.ts";
import { verificationAddress } from "../../session/account-search.ts";
import { authClient } from "../../session/auth-client.ts";
import { WaitingButton } from "../../ui/waiting-button.tsx";
import { FormError, FormNotice } from "./account-page.tsx";

interface SendVerificationProps {
  readonly email: string;
  /** Whether a link has already been sent: another can be requested after a while. */
  readonly isSent?: boolean;
}

/** Requests a verification link. The answer never reveals whether the account exists. */
export function SendVerification({ email, isSent = false }: SendVerificationProps) {
  const send = useMutation({
    mutationFn: () =>
      askAccounts(
        authClient.sendVerificationEmail({ email, callbackURL: verificationAddress(email) }),
      ),
    meta: { shownInPlace: () => true },
  });
  return (
    <>
      <FormError error={send.error} />
      {send.isSuccess ? (
        <FormNotice>If it can be verified, a link is on its way.</FormNotice>
      ) : null}
      <WaitingButton
        variant={isSent ? "secondary" : "primary"}
        label={isSent || send.isSuccess ? "Send the link again" : "Send a new link"}
        isSent={isSent}
        busy={send.isPending}
        onSend={async () => send.mutateAsync()}
      />
    </>
  );
}
