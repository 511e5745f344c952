import { useMutation } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { EmailField, FIELD_RULES } from "../../session/account-form-fields.tsx";
import { urlErrorSentence } from "../../session/account-refusals.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { focusAtOnce } from "../../ui/focus-at-once.ts";
import { Form } from "../../ui/form.tsx";
import { AccountPage, FormError } from "./account-page.tsx";
import { askForVerification } from "./ask-for-verification.ts";
import { SendVerification } from "./send-verification.tsx";
import type { VerificationOutcome } from "./verification-outcome.ts";

interface VerificationLandingProps {
  readonly outcome: VerificationOutcome;
  readonly isSignedIn: boolean;
}

/** Landing page of the links in verification mails, for success and failure. */
export function VerificationLanding({ outcome, isSignedIn }: VerificationLandingProps) {
  return (
    <AccountPage {...MESSAGES[outcome.kind](outcome as never)}>
      {outcome.kind === "failed" || outcome.kind === "notVerified" ? (
        outcome.email === undefined ? (
          <NewLinkForm />
        ) : (
          <NewLinkTo email={outcome.email} />
        )
      ) : outcome.kind === "changeFailed" ? (
        <a
          href="/settings#email"
          className={buttonClass({ variant: "primary", className: "w-full" })}
        >
          Open settings
        </a>
      ) : (
        <ContinueLink isSignedIn={isSignedIn} email={outcome.email} />
      )}
    </AccountPage>
  );
}

type Message<Kind> = (outcome: Extract<VerificationOutcome, { kind: Kind }>) => {
  readonly title: string;
  readonly text: string;
};

const MESSAGES: { readonly [Kind in VerificationOutcome["kind"]]: Message<Kind> } = {
  verified: ({ email }) => ({
    title: "Email verified",
    text: email === undefined ? "Thank you." : `${email} is yours, thank you.`,
  }),
  changed: ({ email }) => ({
    title: "Email changed",
    text: `You sign in with ${email} from now on, and mail goes there.`,
  }),
  changeHalfDone: ({ email }) => ({
    title: "One more link",
    text: `You confirmed the change. Now open the link that we sent to ${email}: only then it is your address.`,
  }),
  changeConfirmed: ({ email }) => ({
    title: "Change confirmed",
    text: `Was this the mail to your old address? Then open the link that we sent to ${email} as well. After both, you sign in with the new one.`,
  }),
  changeFailed: ({ code }) => ({
    title: "This link does not work",
    text: `${urlErrorSentence(code)} Your email is as it was: ask for the change again in your settings.`,
  }),
  failed: ({ code }) => ({
    title: "This link does not work",
    text: urlErrorSentence(code),
  }),
  notVerified: ({ email }) => ({
    title: "Verify your email",
    text: `Open the link that we sent ${email === undefined ? "you" : `to ${email}`}, or ask for a new one.`,
  }),
};

/** Plain links, which reload the page: the session data here may be older than the opened link. */
function ContinueLink(props: {
  readonly isSignedIn: boolean;
  readonly email?: string | undefined;
}) {
  const { isSignedIn, email } = props;
  const login = email === undefined ? "/login" : `/login?email=${encodeURIComponent(email)}`;
  return (
    <a
      href={isSignedIn ? "/dashboard" : login}
      className={buttonClass({ variant: "primary", className: "w-full" })}
    >
      {isSignedIn ? "Go to the dashboard" : "Sign in"}
    </a>
  );
}

interface NewLinkToProps {
  readonly email: string;
  readonly isSent?: boolean;
}

function NewLinkTo({ email, isSent = false }: NewLinkToProps) {
  return (
    <div
      className="grid gap-4"
      {...(isSent && {
        // The form that had the focus has been removed.
        tabIndex: -1,
        ref: focusAtOnce,
      })}
    >
      <p className="text-sm text-muted">
        To <span className="break-all text-text">{email}</span>
      </p>
      <SendVerification email={email} isSent={isSent} saysSent={isSent} />
    </div>
  );
}

/** Asks for the address, and sends the link at once. */
function NewLinkForm() {
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { email: "" },
  });
  const send = useMutation({
    mutationFn: askForVerification,
    meta: { shownInPlace: () => true },
  });
  if (send.isSuccess) return <NewLinkTo email={send.variables} isSent />;
  return (
    <Form onSubmit={handleSubmit((values) => send.mutate(values.email.trim()))}>
      <FormError error={send.error} />
      <EmailField
        registration={register("email", FIELD_RULES.email)}
        error={formState.errors.email}
      />
      <Button type="submit" variant="primary" busy={send.isPending}>
        Send a new link
      </Button>
    </Form>
  );
}
