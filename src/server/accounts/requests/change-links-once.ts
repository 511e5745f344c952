/**
 * A mailed link that changes an address works once. The library's tokens stay valid for an hour and
 * name an address, not a user: whoever takes up the old address within that hour could be moved to
 * the new one by opening the link again.
 */
import { createHash } from "node:crypto";
import { isAPIError, createAuthMiddleware } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { decodeJwt } from "jose";

/** No token lives longer. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;

export function changeLinksOnce(): BetterAuthPlugin {
  return {
    id: "change-links-once",
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === "/verify-email",
          handler: createAuthMiddleware(async ({ query, context }) => {
            const mark = markOf(query);
            if (mark === null) return undefined;
            const used = await context.internalAdapter.findVerificationValue(mark);
            // The endpoint then refuses it as it refuses every bad token.
            return used === null ? undefined : { context: { query: { ...query, token: "used" } } };
          }),
        },
      ],
      after: [
        {
          matcher: ({ path }) => path === "/verify-email",
          handler: createAuthMiddleware(async ({ query, context }) => {
            const mark = markOf(query);
            if (mark === null || !hasSucceeded(context.returned)) return;
            await context.internalAdapter.createVerificationValue({
              identifier: mark,
              value: "used",
              expiresAt: new Date(Date.now() + REMEMBERED_MS),
            });
          }),
        },
      ],
    },
  };
}

/** Under which the token is remembered; null for one that changes no address. */
function markOf(query: unknown): string | null {
  const token =
    typeof query === "object" && query !== null && "token" in query ? query.token : null;
  if (typeof token !== "string" || token.length > 4096) return null;
  try {
    if (decodeJwt(token).updateTo === undefined) return null;
  } catch {
    return null; // The endpoint says what is wrong with it.
  }
  return `used-link:${createHash("sha256").update(token).digest("base64url")}`;
}

/** By an answer, or by a redirect that carries no error. */
function hasSucceeded(returned: unknown): boolean {
  if (!isAPIError(returned)) return true;
  if (returned.statusCode !== 302) return false;
  const location = new Headers(returned.headers).get("location") ?? "";
  return !/[?&]error=/.test(location);
}
