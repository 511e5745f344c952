/**
 * Decides what happens to the open orders of users who are deleted, banned or signed out
 * everywhere. Settings choose, except that a deleted user's orders are always cancelled and their
 * practice funds reclaimed, because nobody else could do so later.
 */
import type { Accounts } from "./accounts/accounts.ts";
import { cancelAllOrders } from "./exchange/cancel-all.ts";
import type { Config } from "./settings/config.ts";
import type { Exchange } from "./exchange/exchange.ts";
import type { Log } from "./log.ts";
import type { Views } from "./views/views.ts";

const SWEPT_EVERY_MS = 30_000;
const USERS_PER_QUERY = 500;

interface User {
  readonly id: string;
}

interface OpenOrdersOptions {
  readonly config: Pick<Config, "OPEN_ORDERS_AT_SIGN_OUT" | "OPEN_ORDERS_AT_BAN">;
  readonly exchange: Pick<Exchange, "submit">;
  readonly views: Pick<Views, "accounts" | "people">;
  readonly log: Log;
}

/** The methods resolve when the result is durable. @throws Error with the engine's reason */
export function createOpenOrders({ config, exchange, views, log }: OpenOrdersOptions) {
  const { OPEN_ORDERS_AT_SIGN_OUT: atSignOut, OPEN_ORDERS_AT_BAN: atBan } = config;

  async function cancelAllOf({ id }: User): Promise<void> {
    const account = views.accounts.ofUser(id)?.account;
    if (account === undefined) return;
    const { rejected } = await cancelAllOrders(exchange, { account, marketId: 0 });
    if (rejected !== undefined) throw new Error(rejected);
  }

  /** Reclaims a deleted user's funds, which could never be spent but would count in the supply. */
  async function reclaimFundsOf({ id }: User): Promise<void> {
    const account = views.accounts.ofUser(id)?.account;
    if (account === undefined) return;
    const { rejected } = await exchange.submit({ type: "reclaimPracticeFunds", account });
    // There was nothing to reclaim, for example after a crash between the two steps.
    if (rejected !== undefined && rejected !== "nothingToChange") throw new Error(rejected);
  }

  function usersWithOpenOrders(): string[] {
    return [...views.accounts.all()]
      .filter(({ kind, account }) => kind === "person" && views.people.openOrderCount(account) > 0)
      .map(({ userId }) => userId);
  }

  async function sweep(accounts: Pick<Accounts, "bannedOf">): Promise<void> {
    const userIds = usersWithOpenOrders();
    for (let start = 0; start < userIds.length; start += USERS_PER_QUERY) {
      const banned = await accounts.bannedOf(userIds.slice(start, start + USERS_PER_QUERY));
      for (const id of banned) await cancelAllOf({ id });
    }
  }

  return {
    async whenDeleted(user: User): Promise<void> {
      await cancelAllOf(user);
      await reclaimFundsOf(user);
    },
    async whenBanned(user: User): Promise<void> {
      if (atBan === "cancel") await cancelAllOf(user);
    },
    async whenSignedOut(user: User): Promise<void> {
      if (atSignOut === "cancel") await cancelAllOf(user);
    },
    /**
     * Cancels orders that a failure, a crash or another process's ban left open, now and every 30
     * seconds.
     * @returns ends it
     */
    watchBans(accounts: Pick<Accounts, "bannedOf">): () => void {
      if (atBan === "keep") return () => undefined;
      const check = () => {
        sweep(accounts).catch((error: unknown) => {
          log.error({ error: String(error) }, "open orders of banned users could not be cancelled");
        });
      };
      check();
      const timer = setInterval(check, SWEPT_EVERY_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}
