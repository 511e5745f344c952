/**
 * Makes mailed links that change an address work only once. The library's tokens stay valid for an
 * hour and name an address, not a user: within that hour, a new user with the old address could be
 * moved to the new one by opening the link again.
 */
import { createHash } from "node:crypto";
import { isAPIError } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { decodeJwt } from "jose";
import { onCalls } from "../library-calls.ts";

export function changeLinksOnce(): BetterAuthPlugin {
  return {
    id: "change-links-once",
    hooks: {
      before: [
        onCalls(["/verify-email"], async ({ query, context }) => {
          const link = changeLinkOf(query);
          if (link === null) return undefined;
          const used = await context.internalAdapter.findVerificationValue(link.mark);
          // The endpoint then refuses the link like any invalid token.
          return used === null ? undefined : { context: { query: { ...query, token: "used" } } };
        }),
      ],
      after: [
        onCalls(["/verify-email"], async ({ query, context }) => {
          const link = changeLinkOf(query);
          if (link === null || !hasSucceeded(context.returned)) return;
          await context.internalAdapter.createVerificationValue({
            identifier: link.mark,
            value: "used",
            expiresAt: link.expiresAt,
          });
        }),
      ],
    },
  };
}

/**
 * The key and expiry under which the link's token is remembered; null if the link changes no
 * address.
 */
function changeLinkOf(query: unknown): { mark: string; expiresAt: Date } | null {
  const token =
    typeof query === "object" && query !== null && "token" in query ? query.token : null;
  if (typeof token !== "string" || token.length > 4096) return null;
  try {
    const { updateTo, exp } = decodeJwt(token);
    // All tokens of the library expire.
    if (updateTo === undefined || exp === undefined) return null;
    const digest = createHash("sha256").update(token).digest("base64url");
    return { mark: `used-link:${digest}`, expiresAt: new Date(exp * 1000) };
  } catch {
    return null; // The endpoint reports an invalid token.
  }
}

/** Whether the call succeeded: with an answer, or with a redirect without an error. */
function hasSucceeded(returned: unknown): boolean {
  if (!isAPIError(returned)) return true;
  if (returned.statusCode !== 302) return false;
  const location = new Headers(returned.headers).get("location") ?? "";
  return !/[?&]error=/.test(location);
}
