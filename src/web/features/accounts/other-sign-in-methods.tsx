import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { askAccounts } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";
import { signInWithPasskey, usePasskeySupport } from "../../session/passkey-support.ts";
import { signInProvidersQuery } from "../../session/sign-in-providers.ts";
import { Button } from "../../ui/button.tsx";
import { ProviderIcon } from "../../ui/provider-icon.tsx";
import { FormError } from "./account-page.tsx";

const FAILURE_PATH = "/login";

interface OtherWaysProps {
  readonly redirect?: string | undefined;
  /** Whether to offer passkeys: only for signing in, since a new user has none yet. */
  readonly withPasskey?: boolean;
  /** Whether the provider may create a user if the operator requires an explicit sign-up. */
  readonly requestSignUp?: boolean;
}

/** Sign-in methods besides the password: a passkey, and the providers that the operator enabled. */
export function OtherSignInMethods({
  redirect = "/dashboard",
  withPasskey = false,
  requestSignUp = false,
}: OtherWaysProps) {
  const canUsePasskeys = usePasskeySupport() && withPasskey;
  const { data: providers = [] } = useQuery(signInProvidersQuery);
  const passkeySignIn = useMutation({
    mutationFn: signInWithPasskey,
    meta: { shownInPlace: () => true },
    onSuccess: (signedIn) => {
      if (signedIn) window.location.assign(redirect);
    },
  });
  const providerSignIn = useMutation({
    mutationFn: (provider: string) =>
      askAccounts(
        authClient.signIn.social({
          provider,
          callbackURL: redirect,
          errorCallbackURL: FAILURE_PATH,
          requestSignUp,
        }),
      ),
    meta: { shownInPlace: () => true },
  });
  if (!canUsePasskeys && providers.length === 0) return null;
  return (
    <div className="mt-5 grid gap-2">
      <p className="mb-2 flex items-center gap-3 text-xs text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      <FormError error={passkeySignIn.error ?? providerSignIn.error} />
      {canUsePasskeys ? (
        <Button
          busy={passkeySignIn.isPending || passkeySignIn.data === true}
          onClick={() => passkeySignIn.mutate()}
        >
          <KeyRound className="size-4 text-muted" aria-hidden />
          Sign in with a passkey
        </Button>
      ) : null}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          busy={providerSignIn.isPending && providerSignIn.variables === id}
          onClick={() => providerSignIn.mutate(id)}
        >
          <ProviderIcon id={id} name={name} />
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}
