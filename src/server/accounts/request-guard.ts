/**
 * What every request to the accounts passes before the library acts on it: nobody sets a balance,
 * nobody tries one account too often, and a new password is hashed before a transaction begins.
 */
import { APIError, createAuthMiddleware } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import type { AccountLimit, LimitedAttempt } from "./account-limit.ts";
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  type PasswordHashing,
} from "./password-hashing.ts";

interface GuardOptions {
  readonly hashing: PasswordHashing;
  /** null where limits are switched off. */
  readonly accountLimit: AccountLimit | null;
}

const LIMITED_PATHS = new Map<string, LimitedAttempt>([
  ["/sign-in/email", "signIn"],
  ["/request-password-reset", "mail"],
  ["/forget-password", "mail"],
  ["/send-verification-email", "mail"],
]);

export function requestGuard({ hashing, accountLimit }: GuardOptions): BetterAuthPlugin {
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
          matcher: ({ path }) => path !== undefined && LIMITED_PATHS.has(path),
          handler: createAuthMiddleware(async ({ path, body, setHeader }) => {
            const email = fieldOf(body, "email");
            const kind = LIMITED_PATHS.get(path);
            if (accountLimit === null || typeof email !== "string" || kind === undefined) return;
            const waitSeconds = await accountLimit.attempt(kind, email);
            if (waitSeconds === null) return;
            setHeader("X-Retry-After", String(waitSeconds));
            throw new APIError("TOO_MANY_REQUESTS", {
              code: "TOO_MANY_REQUESTS",
              message: "Too many requests. Please try again later.",
            });
          }),
        },
        {
          matcher: ({ path }) => path === "/sign-up/email",
          handler: createAuthMiddleware(async ({ body }) => {
            const password = fieldOf(body, "password");
            if (typeof password !== "string" || typeof fieldOf(body, "email") !== "string") return;
            const { length } = password;
            if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) return;
            await hashing.prepare(password);
          }),
        },
      ],
      after: [
        {
          matcher: ({ path }) => path === "/sign-in/email",
          handler: createAuthMiddleware(async ({ body, context }) => {
            const email = fieldOf(body, "email");
            if (accountLimit === null || typeof email !== "string") return;
            if (context.newSession !== null) await accountLimit.clear("signIn", email);
          }),
        },
      ],
    },
  };
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

function hasField(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}
