/**
 * An account at another provider is linked only where that provider has proven the address that the
 * user has here. So the link proves it here as well, and from then on it changes only with a
 * confirmation: nobody links a provider first and takes somebody else's address afterwards.
 */
import { getOAuthState } from "better-auth/api";
import type { BetterAuthOptions } from "better-auth";
import type { Config } from "../../settings/config.ts";

type AccountHooks = NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["account"]>;

export const LINK = "/link-social";

export const provenByLink = (config: Config): AccountHooks => ({
  create: {
    after: async (account, context) => {
      // It proves the address only where both are the same and the provider has to have proven it.
      const isTrusted = config.TRUSTED_PROVIDERS.includes(account.providerId);
      if (config.LINK_DIFFERENT_EMAILS || isTrusted) return;
      // The command line writes accounts, too, and is no call of anybody.
      if (context?.path === undefined) return;
      // A link by redirect is made by the callback, one by identity token at once.
      const isLink = context.path === LINK || (await getOAuthState())?.link !== undefined;
      if (!isLink) return;
      const { internalAdapter } = context.context;
      const user = await internalAdapter.findUserById(account.userId);
      if (user === null || user.emailVerified) return;
      await internalAdapter.updateUser(user.id, { emailVerified: true });
    },
  },
});
