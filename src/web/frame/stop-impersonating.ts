import { AccountError, accountAnswer } from "../session/account-error.ts";
import { setLeaving } from "../session/backend-token.ts";

/** Back to the administrator's own session, on whole new pages: these were made for another. */
export async function stopImpersonating(): Promise<void> {
  const { authClient } = await import("../session/auth-client.ts");
  setLeaving(true);
  try {
    await accountAnswer(authClient.$fetch("/admin/stop-impersonating", { method: "POST" }));
  } catch (error) {
    setLeaving(false);
    if (!hasEnded(error)) throw error;
    // Nothing is left to go back from: the guard shows where to sign in.
    window.location.assign("/dashboard");
    return;
  }
  window.location.assign("/admin/users");
}

function hasEnded(error: unknown): boolean {
  return error instanceof AccountError && error.code === "UNAUTHORIZED";
}
