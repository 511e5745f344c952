import { useMutation, useQuery } from "@tanstack/react-query";
import { accountAnswer } from "../../session/account-error.ts";
import { authClient } from "../../session/auth-client.ts";
import { Button } from "../../ui/button.tsx";

interface SignInProvider {
  readonly id: string;
  readonly name: string;
}

const AFTER_SIGN_IN = "/dashboard";
const AFTER_FAILURE = "/login";

async function listProviders(): Promise<readonly SignInProvider[]> {
  const answer = await fetch("/api/auth/sign-in-providers");
  if (!answer.ok) throw new Error("The sign-in providers could not be read.");
  return (await answer.json()) as SignInProvider[];
}

/** The providers that the operator switched on, under the form; nothing where there are none. */
export function ProviderButtons() {
  const { data: providers = [] } = useQuery({
    queryKey: ["signInProviders"],
    queryFn: listProviders,
    staleTime: Infinity,
  });
  const signIn = useMutation({
    mutationFn: (provider: string) =>
      accountAnswer(
        authClient.signIn.social({
          provider,
          callbackURL: AFTER_SIGN_IN,
          errorCallbackURL: AFTER_FAILURE,
        }),
      ),
  });
  if (providers.length === 0) return null;
  return (
    <div className="mt-5 grid gap-2 border-t pt-5">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          busy={signIn.isPending && signIn.variables === id}
          onClick={() => signIn.mutate(id)}
        >
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}
