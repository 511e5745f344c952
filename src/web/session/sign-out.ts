import { accountAnswer } from "./account-error.ts";
import { setLeaving } from "./backend-token.ts";

/** Ends the session and reloads the public page, so that no user data stays in memory. */
export async function signOut(): Promise<void> {
  const { authClient } = await import("./auth-client.ts");
  setLeaving(true);
  try {
    await accountAnswer(authClient.signOut());
  } catch (error) {
    setLeaving(false);
    throw error;
  }
  window.location.assign("/");
}
