import { useMutation } from "@tanstack/react-query";
import { WaitingButton } from "../../ui/waiting-button.tsx";
import { FormError, FormNotice } from "./account-page.tsx";
import { askForVerification } from "./ask-for-verification.ts";

interface SendVerificationProps {
  readonly email: string;
  /** Whether a link has already been sent: another can be requested after a while. */
  readonly isSent?: boolean;
  /** Whether to state at once that a mail was sent, on pages that do not say so themselves. */
  readonly saysSent?: boolean;
}

/** A button that requests a verification link. */
export function SendVerification(props: SendVerificationProps) {
  const { email, isSent = false, saysSent = false } = props;
  const send = useMutation({
    mutationFn: () => askForVerification(email),
    meta: { shownInPlace: () => true },
  });
  return (
    <>
      <FormError error={send.error} />
      {saysSent || send.isSuccess ? (
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
