import { retryNetworkErrors, ServerFailure } from "./retry.ts";
import { siteOfPage } from "./site.ts";

export type TokenAnswer =
  | { readonly kind: "token"; readonly token: string }
  /** The session has ended. */
  | { readonly kind: "signedOut" }
  /** The user is signing out; the page is about to be reloaded. */
  | { readonly kind: "leaving" }
  /** The token could not be requested, or not be issued now: a later attempt may succeed. */
  | { readonly kind: "abandoned" };

const HTTP_UNAUTHORIZED = 401;
const HTTP_SERVER_ERROR = 500;
/**
 * Timeout of a token request: on a dead connection it may hang for minutes after the network
 * recovers.
 */
const ANSWER_MS_MAX = 10_000;

let leaving = false;

/** Requests no tokens during sign-out: they could only be refused. */
export function setLeaving(isLeaving: boolean): void {
  leaving = isLeaving;
}

let replacement: Promise<unknown> | null = null;

/**
 * Runs a call that replaces the session. No token is requested during the call: the old session may end
 * before the new one exists, and the page would take that for a sign-out.
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

/** Fetches a new short-lived token for the reactive backend, authenticated by the session cookie. */
export async function fetchBackendToken(): Promise<TokenAnswer> {
  await replacement?.catch(() => undefined);
  if (leaving) return { kind: "leaving" };
  try {
    return await retryNetworkErrors(requestToken);
  } catch {
    return { kind: "abandoned" };
  }
}

/**
 * Requests a token with plain `fetch`: a token may be needed while the network is down, such as
 * when a machine wakes up, and the auth client's code may not be loaded yet.
 * @throws ServerFailure, and network errors
 */
async function requestToken(): Promise<TokenAnswer> {
  const url = `${siteOfPage().accountsPath}/token`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
  if (answer.status === HTTP_UNAUTHORIZED) return { kind: "signedOut" };
  if (answer.status >= HTTP_SERVER_ERROR) throw new ServerFailure(String(answer.status));
  if (!answer.ok) return { kind: "abandoned" };
  const { token } = (await answer.json()) as { readonly token: string };
  return { kind: "token", token };
}

/** The subject of a backend token, without verifying it; undefined if it cannot be decoded. */
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

/** Exchanges a one-time token in the page's URL for a session cookie. */
export async function verifyOneTimeToken(token: string): Promise<boolean> {
  try {
    const { authClient } = await import("./auth-client.ts");
    const { data } = await retryNetworkErrors(() => authClient.oneTimeToken.verify({ token }));
    return data !== null;
  } catch {
    return false;
  }
}
