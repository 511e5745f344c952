import { accountAnswer } from "./account-error.ts";
import { setLeaving } from "./backend-token.ts";

/** Ends the session and shows the public page anew, so that nothing of the user stays in memory. */
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
