/** Signs in again without leaving the page: the new session replaces the old one. */
import { accountAnswer } from "../../session/account-error.ts";
import { askAccounts } from "../../session/account-refusals.ts";
import { authClient } from "../../session/auth-client.ts";
import { replacingSession } from "../../session/backend-token.ts";
import { signInWithPassword } from "../../session/password-sign-in.ts";
import { signInWithPasskey } from "../../session/passkey-support.ts";

const DAY_MS = 24 * 3600 * 1000;

interface SessionTimes {
  readonly expiresAt: Date | string;
  readonly updatedAt: Date | string;
}

/** Whether the user chose to stay signed in: other sessions last a day at most. */
export function wasRemembered({ expiresAt, updatedAt }: SessionTimes): boolean {
  return new Date(expiresAt).getTime() - new Date(updatedAt).getTime() > DAY_MS;
}

export type SignInAgainAnswer =
  | { readonly kind: "signedIn" }
  | { readonly kind: "cancelled" }
  /** A code is needed: there is no session until it is entered, and `former` must be ended then. */
  | { readonly kind: "codeNeeded"; readonly former: string | undefined };

async function presentSession() {
  const current = await askAccounts(authClient.getSession());
  if (current === null) return null;
  const { session } = current;
  return { token: session.token, userId: session.userId, remembered: wasRemembered(session) };
}

export async function signInAgainWithPassword(
  email: string,
  password: string,
): Promise<SignInAgainAnswer> {
  const before = await presentSession();
  const rememberMe = before?.remembered ?? true;
  const answer = await replacingSession(() => signInWithPassword({ email, password, rememberMe }));
  if (answer === "codeNeeded") return { kind: answer, former: before?.token };
  await endSession(before?.token);
  return { kind: "signedIn" };
}

export async function signInAgainWithPasskey(): Promise<SignInAgainAnswer> {
  const before = await presentSession();
  if (!(await signInWithPasskey())) return { kind: "cancelled" };
  if ((await presentSession())?.userId !== before?.userId) {
    // The passkey belongs to another user, who must not see this page.
    window.location.reload();
    return { kind: "cancelled" };
  }
  await endSession(before?.token);
  return { kind: "signedIn" };
}

/** Ends a session that a new one has replaced. */
export async function endSession(token: string | undefined): Promise<void> {
  if (token === undefined) return;
  // A failure is ignored: the old session can still be ended from the list.
  await accountAnswer(authClient.revokeSession({ token })).catch(() => undefined);
}
