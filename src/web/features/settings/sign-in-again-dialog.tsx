import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { CurrentPasswordField, FIELD_RULES } from "../../session/account-form-fields.tsx";
import { askAccounts } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";
import { usePasskeySupport } from "../../session/passkey-support.ts";
import { signInProvidersQuery } from "../../session/sign-in-providers.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { ProviderIcon } from "../../ui/provider-icon.tsx";
import { accountStateQuery } from "./account-state.ts";
import { VerifyCode } from "./verify-code.tsx";
import { passkeysQuery } from "./passkeys.ts";
import { sessionsQuery } from "./sessions.ts";
import {
  endSession,
  signInAgainWithPasskey,
  signInAgainWithPassword,
  type SignInAgainAnswer,
} from "./sign-in-again.ts";

const PAGE_PATH = "/settings";

interface SignInAgainDialogProps {
  readonly email: string;
  readonly onSignedIn: () => void;
  readonly onCancel: () => void;
}

/** Asks the user to sign in again without leaving the page. */
export function SignInAgainDialog({ email, onSignedIn, onCancel }: SignInAgainDialogProps) {
  const queryClient = useQueryClient();
  const [answer, setAnswer] = useState<SignInAgainAnswer | null>(null);
  const finish = () => {
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    onSignedIn();
  };
  const take = (given: SignInAgainAnswer) => {
    setAnswer(given);
    if (given.kind === "signedIn") finish();
  };
  const close = () => {
    // Closed between password and code, when there is no session: the sign-in continues on a separate page.
    if (answer?.kind === "codeNeeded") window.location.assign(`/two-factor?redirect=${PAGE_PATH}`);
    else onCancel();
  };
  return answer?.kind === "codeNeeded" ? (
    <Dialog
      onClose={close}
      title="Two-factor sign-in"
      description="Enter the six digits that your authenticator app shows."
    >
      <VerifyCode
        submitLabel="Continue"
        onVerified={() => void endSession(answer.former).then(finish)}
      />
    </Dialog>
  ) : (
    <Dialog
      onClose={close}
      title="Sign in again"
      description="You signed in a while ago. Show once more that it is you."
    >
      <SignInMethods email={email} onAnswer={take} onCancel={close} />
    </Dialog>
  );
}

interface SignInMethodsProps {
  readonly email: string;
  readonly onAnswer: (answer: SignInAgainAnswer) => void;
  readonly onCancel: () => void;
}

function SignInMethods({ email, onAnswer, onCancel }: SignInMethodsProps) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { password: "" },
  });
  const { data: account } = useQuery(accountStateQuery);
  const { data: providers = [] } = useQuery(signInProvidersQuery);
  const { data: passkeys } = useQuery(passkeysQuery);
  const canUsePasskeys = usePasskeySupport() && passkeys?.length !== 0;
  const withPassword = useMutation({
    mutationFn: async ({ password }: { password: string }) =>
      signInAgainWithPassword(email, password),
    meta: { shownInPlace: () => true },
    onSuccess: onAnswer,
    onError: ({ message }) => setError("password", { message }, { shouldFocus: true }),
  });
  const withPasskey = useMutation({ mutationFn: signInAgainWithPasskey, onSuccess: onAnswer });
  const withProvider = useMutation({
    mutationFn: (provider: string) =>
      askAccounts(
        authClient.signIn.social({
          provider,
          callbackURL: PAGE_PATH,
          errorCallbackURL: PAGE_PATH,
        }),
      ),
  });
  const linked = providers.filter(({ id }) =>
    account?.linked.some(({ providerId }) => providerId === id),
  );
  return (
    <Form onSubmit={handleSubmit((values) => withPassword.mutate(values))}>
      {account?.hasPassword === false ? null : (
        <CurrentPasswordField
          registration={register("password", FIELD_RULES.currentPassword)}
          error={formState.errors.password}
          hint={<span className="break-all">For {email}</span>}
        />
      )}
      {canUsePasskeys ? (
        <Button busy={withPasskey.isPending} onClick={() => withPasskey.mutate()}>
          <KeyRound className="size-4 text-muted" aria-hidden />
          Use a passkey
        </Button>
      ) : null}
      {linked.map(({ id, name }) => (
        <Button
          key={id}
          busy={withProvider.isPending && withProvider.variables === id}
          onClick={() => withProvider.mutate(id)}
        >
          <ProviderIcon id={id} name={name} />
          Continue with {name}
        </Button>
      ))}
      {linked.length === 0 ? null : (
        <p className="text-xs text-faint">
          A provider brings you back to this page: repeat there what you were about to do.
        </p>
      )}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        {account?.hasPassword === false ? null : (
          <Button type="submit" variant="primary" busy={withPassword.isPending}>
            Sign in
          </Button>
        )}
      </DialogActions>
    </Form>
  );
}
