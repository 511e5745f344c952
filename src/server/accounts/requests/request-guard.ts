/**
 * Checks on every accounts request before the library acts on it: no caller sets a balance or changes
 * anything in another's name, and texts are bounded.
 */
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { fieldOf, hasField } from "./fields.ts";
import { profileProblem } from "../users/profile-fields.ts";
import { redirectProblem } from "./redirect-addresses.ts";

/** Besides reading, all that an impersonating admin's session may do. */
const IMPERSONATED_MAY_POST = new Set(["/admin/stop-impersonating", "/sign-out"]);
/** GET requests that change something. */
const CHANGED_BY_GET = new Set(["/delete-user/callback", "/one-time-token/generate"]);

export function requestGuard(): BetterAuthPlugin {
  return {
    id: "request-guard",
    hooks: {
      before: [
        {
          matcher: () => true,
          // Balances are derived from the ledger; there is no such field.
          handler: createAuthMiddleware(async ({ body }) => {
            if (hasField(body, "balance") || hasField(fieldOf(body, "data"), "balance")) {
              throw new APIError("BAD_REQUEST", {
                code: "FIELD_NOT_ALLOWED",
                message: "balance is not allowed to be set",
              });
            }
          }),
        },
        {
          matcher: () => true,
          handler: createAuthMiddleware(async ({ body }) => {
            const problem = profileProblem(body);
            if (problem === null) return;
            throw new APIError("BAD_REQUEST", { code: "VALIDATION_ERROR", message: problem });
          }),
        },
        {
          matcher: () => true,
          handler: createAuthMiddleware(async ({ body, query }) => {
            const problem = redirectProblem(body) ?? redirectProblem(query);
            if (problem !== null) throw new APIError("FORBIDDEN", { ...problem });
          }),
        },
        {
          matcher: ({ path, method, request }) =>
            path !== undefined &&
            !IMPERSONATED_MAY_POST.has(path) &&
            ((method ?? request?.method) === "POST" || CHANGED_BY_GET.has(path)),
          handler: createAuthMiddleware(async (context) => {
            if (!(context.headers?.has("cookie") ?? false)) return;
            const session = await getSessionFromCtx(context, { disableRefresh: true });
            if (typeof fieldOf(session?.session, "impersonatedBy") !== "string") return;
            throw new APIError("FORBIDDEN", {
              code: "IMPERSONATED_SESSION",
              message:
                "You look through another user's eyes. Stop that before you change anything.",
            });
          }),
        },
        {
          matcher: ({ path }) => path === "/sign-in/social" || path === "/link-social",
          // A sign-in by identity token does not redirect; every other one returns from the
          // provider.
          handler: createAuthMiddleware(async ({ body }) => {
            const callbackURL = fieldOf(body, "callbackURL");
            const isNeeded = fieldOf(body, "idToken") === undefined || callbackURL === "";
            if (!isNeeded || (callbackURL !== undefined && callbackURL !== "")) return;
            throw new APIError("BAD_REQUEST", {
              code: "CALLBACK_URL_REQUIRED",
              message: "callbackURL is required",
            });
          }),
        },
      ],
    },
  };
}
