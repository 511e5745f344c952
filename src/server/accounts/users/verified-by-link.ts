/**
 * A provider is linked only if it has verified the address that the user has here. Linking
 * therefore verifies the address here as well, and from then on the address changes only with a
 * confirmation: otherwise an attacker could link a provider first and switch to another person's
 * address afterwards.
 */
import { getOAuthState } from "better-auth/api";
import type { BetterAuthOptions } from "better-auth";
import type { Config } from "../../settings/config.ts";

type AccountHooks = NonNullable<NonNullable<BetterAuthOptions["databaseHooks"]>["account"]>;

export const LINK = "/link-social";

export const verifiedByLink = (config: Config): AccountHooks => ({
  create: {
    after: async (account, context) => {
      // Linking verifies the address only if both addresses must be equal and the provider must
      // have verified its own.
      const isTrusted = config.TRUSTED_PROVIDERS.includes(account.providerId);
      if (config.LINK_DIFFERENT_EMAILS || isTrusted) return;
      // The command line also writes linked accounts, outside any call.
      if (context?.path === undefined) return;
      // With a redirect, the callback creates the link; with an identity token, the call itself
      // does.
      const isLink = context.path === LINK || (await getOAuthState())?.link !== undefined;
      if (!isLink) return;
      const { internalAdapter } = context.context;
      const user = await internalAdapter.findUserById(account.userId);
      if (user === null || user.emailVerified) return;
      await internalAdapter.updateUser(user.id, { emailVerified: true });
    },
  },
});
