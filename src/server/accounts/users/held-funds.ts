/**
 * Keeps users who own funded coins from being deleted, since the coins could then not be withdrawn.
 * Checked before the library begins, since it removes the means of signing in before the user.
 */
import type { BetterAuthPlugin } from "better-auth";
import type { AuthOptions } from "../auth-terms.ts";
import { onCalls, refusal, sessionOf } from "../library-calls.ts";
import { fieldOf } from "../requests/fields.ts";
import { isAdmin } from "./user-profile.ts";

const BY_ADMIN = "/admin/remove-user";

export function heldFunds({
  config,
  holdsFunds = () => false,
}: Pick<AuthOptions, "config" | "holdsFunds">): BetterAuthPlugin {
  return {
    id: "held-funds",
    hooks: {
      before: [
        onCalls([BY_ADMIN, "/delete-user", "/delete-user/callback"], async (context) => {
          const session = await sessionOf(context);
          if (session === null) return;
          const { user } = session;
          if (context.path !== BY_ADMIN) {
            refuse(holdsFunds(user.id));
            return;
          }
          // The endpoint itself refuses callers who are not administrators; they learn nothing here.
          const role = fieldOf(user, "role");
          const isListed = config.ADMIN_USER_IDS.includes(user.id);
          if (!isListed && !isAdmin(typeof role === "string" ? role : null)) return;
          refuse(holdsFunds(String(fieldOf(context.body, "userId"))));
        }),
      ],
    },
  };
}

/** @throws APIError HOLDS_FUNDS */
function refuse(isHolding: boolean): void {
  if (!isHolding) return;
  const message = "The account has money that was paid in: withdraw it first.";
  throw refusal("FORBIDDEN", "HOLDS_FUNDS", message);
}
