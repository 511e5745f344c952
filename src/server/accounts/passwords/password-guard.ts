/**
 * What every new password passes: it is not easy to guess, wherever it is chosen, and that of a
 * sign-up is hashed before a transaction begins. Passwords that there are go on working.
 */
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { textOf } from "../requests/fields.ts";
import type { PasswordHashing } from "./password-hashing.ts";
import { permits } from "../users/permissions.ts";

export const WEAK_PASSWORD_SENTENCE =
  "This password is easy to guess. Use several words that do not belong together, or a longer mix " +
  "of characters, and nothing about yourself.";

type Context = Parameters<typeof getSessionFromCtx>[0];

/** Where a body carries a new password, and under which name. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ["/sign-up/email", "password"],
  ["/change-password", "newPassword"],
  ["/reset-password", "newPassword"],
  ["/admin/set-user-password", "newPassword"],
  ["/admin/create-user", "password"],
]);
const PERSON_FIELDS = ["name", "lastname", "email"];

interface PasswordGuardOptions {
  readonly productName: string;
  /** Users who are administrators whatever their role says. */
  readonly adminIds: readonly string[];
  readonly hashing: Pick<PasswordHashing, "prepare" | "isWeak">;
  /** In characters; others are refused by the library. */
  readonly length: { readonly min: number; readonly max: number };
  readonly refusesWeak: boolean;
}

export function passwordGuard(options: PasswordGuardOptions): BetterAuthPlugin {
  const { productName, adminIds, hashing } = options;

  /** Who is to have the password; null where the endpoint refuses anyway. */
  async function personOf(context: Context): Promise<unknown> {
    const { internalAdapter } = context.context;
    if (context.path === "/sign-up/email") return context.body;
    if (context.path === "/reset-password") {
      const token = textOf(context.body, "token") ?? textOf(context.query, "token") ?? "";
      const waiting = await internalAdapter.findVerificationValue(`reset-password:${token}`);
      return waiting === null ? null : internalAdapter.findUserById(waiting.value);
    }
    const session = await getSessionFromCtx(context, { disableRefresh: true });
    if (session === null) return null;
    if (context.path === "/change-password") return session.user;
    // Else the answer would tell anybody what others are called.
    const role = textOf(session.user, "role") ?? null;
    const isAllowed =
      adminIds.includes(session.user.id) || permits(role, { user: ["set-password"] });
    if (!isAllowed) return null;
    if (context.path === "/admin/create-user") return context.body;
    return internalAdapter.findUserById(textOf(context.body, "userId") ?? "");
  }

  return {
    id: "password-guard",
    hooks: {
      before: [
        {
          matcher: ({ path = "" }) => FIELDS.has(path),
          handler: createAuthMiddleware(async (context) => {
            const password = textOf(context.body, FIELDS.get(context.path) ?? "");
            if (password === undefined) return;
            const { length } = password;
            if (length < options.length.min || length > options.length.max) return;
            const person = await personOf(context);
            if (person === null) return;
            const about = PERSON_FIELDS.map((field) => textOf(person, field) ?? "");
            if (options.refusesWeak && (await hashing.isWeak(password, [...about, productName]))) {
              throw new APIError("BAD_REQUEST", {
                code: "PASSWORD_TOO_WEAK",
                message: WEAK_PASSWORD_SENTENCE,
              });
            }
            if (context.path === "/sign-up/email" && textOf(person, "email") !== undefined) {
              await hashing.prepare(password);
            }
          }),
        },
      ],
    },
  };
}
