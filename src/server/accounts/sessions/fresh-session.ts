import { APIError } from "better-auth/api";

interface Context {
  readonly context: { readonly sessionConfig: { readonly freshAge: number } };
}

/**
 * A session is fresh for a while after the sign-in; a fresh age of 0 disables the check.
 * @throws APIError SESSION_NOT_FRESH
 */
export function requireFresh({ context }: Context, createdAt: Date): void {
  const freshAgeMs = context.sessionConfig.freshAge * 1000;
  if (freshAgeMs === 0 || Date.now() - new Date(createdAt).getTime() < freshAgeMs) return;
  throw new APIError("FORBIDDEN", {
    code: "SESSION_NOT_FRESH",
    message: "Session is not fresh",
  });
}
