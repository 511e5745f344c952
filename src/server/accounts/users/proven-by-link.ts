/**
 * An account at another provider is linked only if that provider has verified the user's address
 * here. So the link verifies it here as well, and from then on it changes only with a confirmation:
 * otherwise an attacker could link a provider first and take another person's address afterwards.
 */
import { getOAuthState } from "better-auth/api";
import type { BetterAuthOptions } from "better-auth";
import type { Config } from "../../settings/config.ts";

type AccountHooks = NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["account"]>;

export const LINK = "/link-social";

export const provenByLink = (config: Config): AccountHooks => ({
  create: {
    after: async (account, context) => {
      // It verifies the address only if both are the same and the provider must have verified it.
      const isTrusted = config.TRUSTED_PROVIDERS.includes(account.providerId);
      if (config.LINK_DIFFERENT_EMAILS || isTrusted) return;
      // The command line also writes accounts, outside of any call.
      if (context?.path === undefined) return;
      // A link by redirect is created by the callback, one by identity token at once.
      const isLink = context.path === LINK || (await getOAuthState())?.link !== undefined;
      if (!isLink) return;
      const { internalAdapter } = context.context;
      const user = await internalAdapter.findUserById(account.userId);
      if (user === null || user.emailVerified) return;
      await internalAdapter.updateUser(user.id, { emailVerified: true });
    },
  },
});
