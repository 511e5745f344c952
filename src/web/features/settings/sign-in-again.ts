/** Signing in once more on a page that stays: the new session takes the old one's place. */
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

/** A session that ends with the browser is kept for a day at most, the others for longer. */
export function wasRemembered({ expiresAt, updatedAt }: SessionTimes): boolean {
  return new Date(expiresAt).getTime() - new Date(updatedAt).getTime() > DAY_MS;
}

export type SignInAgainAnswer =
  | { readonly kind: "signedIn" }
  | { readonly kind: "cancelled" }
  /** Nobody is signed in here until the code is given; the session before is to end then. */
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
    // It was the passkey of another account: nothing of this page is for that one.
    window.location.reload();
    return { kind: "cancelled" };
  }
  await endSession(before?.token);
  return { kind: "signedIn" };
}

/** Ends the session that another has taken the place of. */
export async function endSession(token: string | undefined): Promise<void> {
  if (token === undefined) return;
  // The new sign-in is what was asked for: an old session that stays can be ended from the list.
  await accountAnswer(authClient.revokeSession({ token })).catch(() => undefined);
}
