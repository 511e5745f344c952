/**
 * Checks every new password: it must not be easy to guess, wherever it is set, and a changed one must differ
 * from the current one. At sign-up, the password is hashed before the database transaction begins. Existing passwords continue to work.
 */
import type { BetterAuthPlugin } from "better-auth";
import type { AuthParts } from "../auth-terms.ts";
import { onCalls, refusal, sessionOf, type Call } from "../library-calls.ts";
import { textOf } from "../requests/fields.ts";
import { permits } from "../users/permissions.ts";

export const WEAK_PASSWORD_SENTENCE =
  "This password is easy to guess. Use several words that do not belong together, or a longer mix " +
  "of characters, and nothing about yourself.";

/** True whether or not the current password is right, which the answer thus does not reveal. */
export const UNCHANGED_PASSWORD_SENTENCE =
  "This is the password that you gave as the current one. Choose another.";

/** The body field that contains the new password, by path. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ["/sign-up/email", "password"],
  ["/change-password", "newPassword"],
  ["/reset-password", "newPassword"],
  ["/admin/set-user-password", "newPassword"],
  ["/admin/create-user", "password"],
]);
const PERSON_FIELDS = ["name", "lastname", "email"];

export function passwordGuard({ config, hashing, rules }: AuthParts): BetterAuthPlugin {
  /** The user who gets the password; null if the endpoint will refuse the call anyway. */
  async function personOf(context: Call): Promise<unknown> {
    const { internalAdapter } = context.context;
    if (context.path === "/sign-up/email") return context.body;
    if (context.path === "/reset-password") {
      const token = textOf(context.body, "token") ?? textOf(context.query, "token") ?? "";
      const waiting = await internalAdapter.findVerificationValue(`reset-password:${token}`);
      return waiting === null ? null : internalAdapter.findUserById(waiting.value);
    }
    const session = await sessionOf(context);
    if (session === null) return null;
    if (context.path === "/change-password") return session.user;
    // Otherwise the answer would reveal other users' names.
    const role = textOf(session.user, "role") ?? null;
    const isAllowed =
      config.ADMIN_USER_IDS.includes(session.user.id) || permits(role, { user: ["set-password"] });
    if (!isAllowed) return null;
    if (context.path === "/admin/create-user") return context.body;
    return internalAdapter.findUserById(textOf(context.body, "userId") ?? "");
  }

  return {
    id: "password-guard",
    hooks: {
      before: [
        onCalls(FIELDS.keys(), async (context) => {
          const password = textOf(context.body, FIELDS.get(context.path) ?? "");
          if (password === undefined) return;
          // The library refuses passwords of other lengths.
          const { length } = password;
          if (length < config.PASSWORD_LENGTH_MIN || length > config.PASSWORD_LENGTH_MAX) return;
          const person = await personOf(context);
          if (person === null) return;
          const about = PERSON_FIELDS.map((field) => textOf(person, field) ?? "");
          const known = [...about, config.PRODUCT_NAME];
          if (rules.refusesWeakPasswords && (await hashing.isWeak(password, known))) {
            throw refusal("BAD_REQUEST", "PASSWORD_TOO_WEAK", WEAK_PASSWORD_SENTENCE);
          }
          if (rules.refusesWeakPasswords && password === textOf(context.body, "currentPassword")) {
            throw refusal("BAD_REQUEST", "PASSWORD_UNCHANGED", UNCHANGED_PASSWORD_SENTENCE);
          }
          if (context.path === "/sign-up/email" && textOf(person, "email") !== undefined) {
            await hashing.prepare(password);
          }
        }),
      ],
    },
  };
}
