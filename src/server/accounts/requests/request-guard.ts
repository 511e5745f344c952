/**
 * Checks every auth request before the library acts on it: no caller may set a balance or, while
 * impersonating, change anything; texts are bounded.
 */
import { createAuthMiddleware } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { nullCharacterAt } from "../../limits/null-characters.ts";
import { onCalls, refusal, sessionOf } from "../library-calls.ts";
import { fieldOf, hasField } from "./fields.ts";
import { profileProblem } from "../users/profile-fields.ts";
import { redirectProblem } from "./redirect-urls.ts";

/** The only writes allowed in an impersonating administrator's session. */
const IMPERSONATED_MAY_POST = new Set(["/admin/stop-impersonating", "/sign-out"]);
/** GET requests that change something. */
const CHANGING_GET_CALLS = new Set(["/delete-user/callback", "/one-time-token/generate"]);
/**
 * Calls that an impersonated user may not even read, who may have become an administrator in the meantime.
 */
const OF_ADMINISTRATORS = "/admin/";

export function requestGuard(): BetterAuthPlugin {
  return {
    id: "request-guard",
    hooks: {
      before: [
        {
          matcher: () => true,
          handler: createAuthMiddleware(async ({ body, params, query }) => {
            // Balances are derived from the ledger; users have no such field.
            if (hasField(body, "balance") || hasField(fieldOf(body, "data"), "balance")) {
              const message = "balance is not allowed to be set";
              throw refusal("BAD_REQUEST", "FIELD_NOT_ALLOWED", message);
            }
            const ofProfile = profileProblem(body);
            if (ofProfile !== null) throw refusal("BAD_REQUEST", "VALIDATION_ERROR", ofProfile);
            const withNull = nullCharacterAt({ body, params, query });
            if (withNull !== undefined) {
              const message = `[${withNull}] must have no null character`;
              throw refusal("BAD_REQUEST", "VALIDATION_ERROR", message);
            }
            const ofRedirect = redirectProblem(body) ?? redirectProblem(query);
            if (ofRedirect !== null) {
              throw refusal("FORBIDDEN", ofRedirect.code, ofRedirect.message);
            }
          }),
        },
        {
          matcher: ({ path, method, request }) =>
            path !== undefined &&
            !IMPERSONATED_MAY_POST.has(path) &&
            ((method ?? request?.method) === "POST" ||
              CHANGING_GET_CALLS.has(path) ||
              path.startsWith(OF_ADMINISTRATORS)),
          handler: createAuthMiddleware(async (context) => {
            if (!(context.headers?.has("cookie") ?? false)) return;
            const session = await sessionOf(context);
            if (typeof fieldOf(session?.session, "impersonatedBy") !== "string") return;
            const message = "You are viewing as another user; changes are disabled.";
            throw refusal("FORBIDDEN", "IMPERSONATED_SESSION", message);
          }),
        },
        // Every sign-in except one by identity token returns from the provider by redirect.
        onCalls(["/sign-in/social", "/link-social"], async ({ body }) => {
          const callbackURL = fieldOf(body, "callbackURL");
          const isNeeded = fieldOf(body, "idToken") === undefined || callbackURL === "";
          if (!isNeeded || (callbackURL !== undefined && callbackURL !== "")) return;
          throw refusal("BAD_REQUEST", "CALLBACK_URL_REQUIRED", "callbackURL is required");
        }),
      ],
    },
  };
}
