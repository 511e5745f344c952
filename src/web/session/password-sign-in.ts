import { createAuthClient } from "better-auth/react";
import { askAccounts } from "./account-refusals.ts";
import { verificationAddress } from "./account-search.ts";

/**
 * Without redirects: the library would navigate to `callbackURL`, which is meant for the link in a
 * mail.
 */
const client = createAuthClient({ disableDefaultFetchPlugins: true });

export interface PasswordSignIn {
  readonly email: string;
  readonly password: string;
  readonly rememberMe: boolean;
}

/**
 * Signs in with email address and password.
 * @returns whether the user is signed in, or an authenticator code is required
 * @throws AccountError if it was refused
 */
export async function signInWithPassword({
  email,
  password,
  rememberMe,
}: PasswordSignIn): Promise<"signedIn" | "codeNeeded"> {
  // If the exchange requires a verified address, it sends another verification mail.
  const callbackURL = verificationAddress(email);
  const answer = await askAccounts(
    client.signIn.email({ email, password, rememberMe, callbackURL }),
  );
  // The client's type lacks the response that requires the second step.
  return "twoFactorRedirect" in answer ? "codeNeeded" : "signedIn";
}
