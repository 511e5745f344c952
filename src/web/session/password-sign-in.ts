import { createAuthClient } from "better-auth/react";
import { askAccounts } from "./account-refusals.ts";
import { verificationAddress } from "./account-search.ts";

/**
 * Does not redirect: the address that is sent along is for the link of a mail, and the library
 * would navigate to it.
 */
const client = createAuthClient({ disableDefaultFetchPlugins: true });

export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
  readonly rememberMe: boolean;
}

/**
 * @returns whether the user is signed in, or an authenticator code is required
 * @throws AccountError if it was refused
 */
export async function signInWithPassword({
  email,
  password,
  rememberMe,
}: PasswordSignIn): Promise<"signedIn" | "codeNeeded"> {
  // An exchange that requires a verified address sends another mail.
  const callbackURL = verificationAddress(email);
  const answer = await askAccounts(
    client.signIn.email({ email, password, rememberMe, callbackURL }),
  );
  // The client's type does not include this answer, which requests the second step.
  return "twoFactorRedirect" in answer ? "codeNeeded" : "signedIn";
}
