import { AccountError, accountAnswer } from "../session/account-error.ts";
import { setLeaving } from "../session/backend-token.ts";

/** Restores the administrator's own session, with a full page load. */
export async function stopImpersonating(): Promise<void> {
  const { authClient } = await import("../session/auth-client.ts");
  setLeaving(true);
  try {
    await accountAnswer(authClient.$fetch("/admin/stop-impersonating", { method: "POST" }));
  } catch (error) {
    setLeaving(false);
    const hasEnded = error instanceof AccountError && error.code === "UNAUTHORIZED";
    if (!hasEnded) throw error;
    // No session to restore: the guard redirects to the sign-in page.
    window.location.assign("/dashboard");
    return;
  }
  window.location.assign("/admin/users");
}
