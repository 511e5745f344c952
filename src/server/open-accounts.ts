/** Opens users and sign-in, wired to the orders, funds, keys and connections of users who leave. */
import { type Accounts, type AccountsOptions, createAccounts } from "./accounts/accounts.ts";
import type { Exchange } from "./exchange/exchange.ts";
import { ensureAccount } from "./functions/caller.ts";
import { holdsFunds } from "./functions/held-funds.ts";
import type { OpenedResources } from "./opened-resources.ts";
import { createOpenOrders } from "./orders-of-departed-users.ts";
import type { OwnData } from "./own-data.ts";
import type { Views } from "./views/views.ts";

interface AccountsParts extends Pick<
  AccountsOptions,
  | "config"
  | "database"
  | "log"
  | "secret"
  | "publicUrl"
  | "onSessionEnded"
  | "tellNodes"
  | "aroundMail"
> {
  readonly exchange: Exchange;
  readonly views: Views;
  readonly ownData: OwnData;
  /** Called when the topic of a query has changed. */
  readonly announce: (topic: string) => void;
}

export function openAccounts(parts: AccountsParts, opened: OpenedResources): Accounts {
  const { announce, config, exchange, log, ownData, views } = parts;
  const { apiKeys, withdrawalAddresses } = ownData;
  const openOrders = createOpenOrders({ config, exchange, views, log });
  const accounts = createAccounts({
    ...parts,
    async onUserCreated({ id }) {
      await ensureAccount({ exchange, views }, id);
    },
    async onUserDeleted(user) {
      // First: a program must not trade between the cancellation of its orders and the reclaiming of its funds.
      await apiKeys.revokeAllOf(user.id);
      await openOrders.whenDeleted(user);
      await ownData.forget(user.id);
    },
    holdsFunds: (userId) => holdsFunds(views, userId),
    hadGrant: (userId) => (views.accounts.ofUser(userId)?.practiceFundsAtMs ?? 0) > 0,
    async onUserBanned(user) {
      await Promise.all([apiKeys.revokeAllOf(user.id), openOrders.whenBanned(user)]);
    },
    async onSignInMethodsRemoved({ id }) {
      await Promise.all([apiKeys.revokeAllOf(id), withdrawalAddresses.forget(id)]);
    },
    onUserSignedOut: (user) => openOrders.whenSignedOut(user),
    onUserChanged: (userId) => announce(`user:${userId}`),
    onSecurityEvent: (userId) => ownData.securityEventRecorded(userId),
  });
  opened.add(() => accounts.close());
  opened.add(openOrders.watchBans(accounts));
  return accounts;
}
