import { AccountPage, InlineLink } from "./account-page.tsx";
import { SendVerification } from "./send-verification.tsx";

/** Tells the user to verify the address, which the exchange requires before it signs a user in. */
export function VerificationNeeded({ email }: { readonly email: string }) {
  return (
    <AccountPage
      title="Verify your email"
      isOutcome
      text={
        <>
          We sent a link to <strong className="font-medium text-text">{email}</strong>. Open it,
          then sign in.
        </>
      }
      below={<InlineLink to="/login">Back to sign in</InlineLink>}
    >
      <div className="grid gap-3">
        <SendVerification email={email} isSent />
        <p className="text-xs text-faint">
          Nothing there? Look into the spam folder, or check that the address is right.
        </p>
      </div>
    </AccountPage>
  );
}
