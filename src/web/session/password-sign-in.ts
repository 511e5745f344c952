import { createAuthClient } from "better-auth/react";
import { askAccounts } from "./account-refusals.ts";
import { verificationAddress } from "./account-search.ts";

/**
 * Goes nowhere by itself: the address that is sent along is for the link of a mail, and the library
 * would take it for the page to open next.
 */
const client = createAuthClient({ disableDefaultFetchPlugins: true });

export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
  readonly rememberMe: boolean;
}

/**
 * @returns whether the person is signed in, or the code of an authenticator app is asked for
 * @throws AccountError when it was refused
 */
export async function signInWithPassword({
  email,
  password,
  rememberMe,
}: PasswordSignIn): Promise<"signedIn" | "codeNeeded"> {
  // An exchange that wants the address verified sends another mail.
  const callbackURL = verificationAddress(email);
  const answer = await askAccounts(
    client.signIn.email({ email, password, rememberMe, callbackURL }),
  );
  // The client's type does not know this answer, which asks for the second step.
  return "twoFactorRedirect" in answer ? "codeNeeded" : "signedIn";
}
