/**
 * The first administrator: the user with ADMIN_EMAIL, as long as there is no administrator. On a
 * public server, in production and under an https address, the address must first be verified in
 * the browser that is signed in as this user: any visitor may sign up with an address that they do
 * not own, and its owner may open the mailed link without having requested it. Elsewhere, where no
 * mail is sent, signing up is enough.
 */
import { getSessionFromCtx } from "better-auth/api";
import type { BetterAuthOptions } from "better-auth";
import { decodeJwt } from "jose";
import { type Config, isPublic } from "../../settings/config.ts";
import { textOf } from "../requests/fields.ts";

type UserHooks = NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["user"]>;
type HookContext = Parameters<NonNullable<NonNullable<UserHooks["create"]>["before"]>>[1];

type FirstAdminConfig = Pick<
  Config,
  "ADMIN_EMAIL" | "ADMIN_USER_IDS" | "ENVIRONMENT" | "PUBLIC_URL"
>;

/**
 * Makes a user the first administrator, in the write that signs them up or verifies their address.
 */
export function firstAdmin(config: FirstAdminConfig) {
  const adminEmail = config.ADMIN_EMAIL?.toLowerCase();

  async function isWanted(context: HookContext): Promise<boolean> {
    if (config.ADMIN_USER_IDS.length > 0) return false;
    // Inside the call's transaction, which only the library's own reads can see.
    const admins = await context?.context.internalAdapter.listUsers(1, 0, undefined, [
      { field: "role", operator: "contains", value: "admin" },
    ]);
    return admins?.length === 0;
  }

  return {
    async atSignUp(
      user: { readonly email: string; readonly emailVerified: boolean },
      context: HookContext,
    ): Promise<boolean> {
      if (adminEmail === undefined || user.email !== adminEmail) return false;
      if (isPublic(config) && !user.emailVerified) return false;
      return isWanted(context);
    },

    /** Whether the user whose address the mailed link is about to verify becomes administrator. */
    async atVerification(
      change: { readonly email?: string | undefined; readonly emailVerified?: boolean | undefined },
      context: HookContext,
    ): Promise<boolean> {
      if (adminEmail === undefined || context?.path !== "/verify-email") return false;
      if (change.emailVerified !== true) return false;
      // The endpoint has already verified the token's signature.
      const { email } = decodeJwt(textOf(context.query, "token") ?? "");
      const session = await getSessionFromCtx(context, { disableRefresh: true });
      if (session === null || session.user.email !== email) return false;
      return (change.email ?? session.user.email) === adminEmail && isWanted(context);
    },
  };
}
