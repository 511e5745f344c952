import { retryNetworkErrors, ServerFailure } from "./retry.ts";
import { siteOfPage } from "./site.ts";

export type TokenAnswer =
  | { readonly kind: "token"; readonly token: string }
  /** The session has ended. */
  | { readonly kind: "signedOut" }
  /** The user is signing out, and the page ends with the session. */
  | { readonly kind: "leaving" }
  /** The accounts could not be reached or queried: another attempt may succeed later. */
  | { readonly kind: "abandoned" };

const HTTP_UNAUTHORIZED = 401;
const HTTP_SERVER_ERROR = 500;
/** A request into a dead network may otherwise hang for minutes after it recovered. */
const ANSWER_MS_MAX = 10_000;

let leaving = false;

/** During sign-out no token is requested: the answer could only be a refusal. */
export function setLeaving(isLeaving: boolean): void {
  leaving = isLeaving;
}

let replacement: Promise<unknown> | null = null;

/**
 * Runs a call that replaces the session. No token is requested meanwhile: the old session may end
 * before the new one exists, which would look like a sign-out.
 */
export async function replacingSession<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const running = call();
  replacement = running;
  try {
    return await running;
  } finally {
    if (replacement === running) replacement = null;
  }
}

/** Fetches a new short-lived token for the reactive backend with the session cookie. */
export async function fetchBackendToken(): Promise<TokenAnswer> {
  await replacement?.catch(() => undefined);
  if (leaving) return { kind: "leaving" };
  try {
    return await retryNetworkErrors(askForToken);
  } catch {
    return { kind: "abandoned" };
  }
}

/**
 * Uses nothing but `fetch`: a token is requested at any time, such as when a machine wakes far from
 * its network, and the code of the accounts' client may not be loaded yet then.
 * @throws ServerFailure, and network errors
 */
async function askForToken(): Promise<TokenAnswer> {
  const address = `${siteOfPage().accountsPath}/token`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  if (answer.status === HTTP_UNAUTHORIZED) return { kind: "signedOut" };
  if (answer.status >= HTTP_SERVER_ERROR) throw new ServerFailure(String(answer.status));
  if (!answer.ok) return { kind: "abandoned" };
  const { token } = (await answer.json()) as { readonly token: string };
  return { kind: "token", token };
}

/** The subject of a backend token, unverified. Undefined if it cannot be read. */
export function subjectOf(token: string): string | undefined {
  try {
    const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(payload), (letter) => letter.codePointAt(0) ?? 0);
    const { sub } = JSON.parse(new TextDecoder().decode(bytes)) as { sub?: unknown };
    return typeof sub === "string" ? sub : undefined;
  } catch {
    return undefined;
  }
}

/** Exchanges a one-time token in the page's address for a session cookie. */
export async function verifyOneTimeToken(token: string): Promise<boolean> {
  try {
    const { authClient } = await import("./auth-client.ts");
    const { data } = await retryNetworkErrors(() => authClient.oneTimeToken.verify({ token }));
    return data !== null;
  } catch {
    return false;
  }
}
