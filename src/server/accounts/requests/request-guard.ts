/**
 * What every request to the accounts passes before the library acts on it: nobody sets a balance,
 * nobody tries one account too often, nobody changes anything in another's name, and texts have
 * bounds.
 */
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { tooManyAttempts, type AccountLimit, type LimitedAttempt } from "./account-limit.ts";
import { fieldOf, hasField } from "./fields.ts";
import type { PasswordHashing } from "../passwords/password-hashing.ts";
import type { KnownAddresses } from "./known-addresses.ts";
import { attemptsOn, sourceOf } from "./known-devices.ts";
import { profileProblem } from "../users/profile-fields.ts";
import { redirectProblem } from "./redirect-addresses.ts";

interface GuardOptions {
  /** null where limits are switched off. */
  readonly accountLimit: AccountLimit | null;
  readonly hashing: Pick<PasswordHashing, "recognize">;
  readonly knownAddresses: KnownAddresses;
}

const LIMITED_PATHS = new Map<string, LimitedAttempt>([
  ["/sign-in/email", "signIn"],
  ["/request-password-reset", "mail"],
  ["/forget-password", "mail"],
  ["/send-verification-email", "mail"],
]);

/** All that an admin may do with a session in another user's name, besides reading. */
const IMPERSONATED_MAY_POST = new Set(["/admin/stop-impersonating", "/sign-out"]);
/** Read by their method, but not by what they do. */
const CHANGED_BY_GET = new Set(["/delete-user/callback", "/one-time-token/generate"]);

export function requestGuard(options: GuardOptions): BetterAuthPlugin {
  const { accountLimit, hashing, knownAddresses } = options;
  return {
    id: "request-guard",
    hooks: {
      before: [
        {
          matcher: () => true,
          // Balances are derived from the ledger; there is no field to set.
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
          matcher: ({ path }) => path !== undefined && LIMITED_PATHS.has(path),
          handler: createAuthMiddleware(async (context) => {
            const email = fieldOf(context.body, "email");
            const kind = LIMITED_PATHS.get(context.path);
            if (accountLimit === null || typeof email !== "string" || kind === undefined) return;
            // A known network gives no more mails: they fill a mailbox, and lock nobody out.
            const known = kind === "signIn" ? knownAddresses : null;
            const source = await sourceOf(context, email, known);
            const waitSeconds = await accountLimit.attempt(kind, attemptsOn(email, source));
            if (waitSeconds !== null) throw tooManyAttempts(waitSeconds);
            if (source.device !== null) hashing.recognize(source.device);
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
          // An identity token leads nowhere; everything else comes back from the provider.
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
      after: [
        {
          matcher: ({ path }) => path === "/sign-in/email",
          handler: createAuthMiddleware(async (context) => {
            const email = fieldOf(context.body, "email");
            if (accountLimit === null || typeof email !== "string") return;
            if (context.context.newSession === null) return;
            const source = await sourceOf(context, email, knownAddresses);
            await accountLimit.clear("signIn", attemptsOn(email, source));
          }),
        },
      ],
    },
  };
}
