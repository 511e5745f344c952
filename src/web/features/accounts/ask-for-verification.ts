import { askAccounts } from "../../session/account-refusals.ts";
import { verificationAddress } from "../../session/account-search.ts";
import { authClient } from "../../session/auth-client.ts";

/** Requests a verification link. The answer never reveals whether the account exists. */
export async function askForVerification(email: string): Promise<void> {
  const callbackURL = verificationAddress(email);
  await askAccounts(authClient.sendVerificationEmail({ email, callbackURL }));
}
