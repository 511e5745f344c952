/**
 * Decides the fate of open orders of users who are deleted, banned or signed out
 * everywhere. Settings choose, except that a deleted user's orders are always cancelled and their
 * practice funds reclaimed, because no one could do so later.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Accounts } from "./accounts/accounts.ts";
import { cancelAllOrders } from "./exchange/cancel-all.ts";
import type { Config } from "./settings/config.ts";
import type { Exchange } from "./exchange/exchange.ts";
import type { Log } from "./log.ts";
import type { Views } from "./views/views.ts";

const SWEPT_EVERY_MS = 30_000;
const USERS_PER_QUERY = 500;
/** Accounts processed in one turn of the event loop: about a millisecond. */
const ACCOUNTS_PER_TURN = 5_000;

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

  async function cancelAllOfBanned(
    accounts: Pick<Accounts, "bannedOf">,
    userIds: readonly string[],
  ): Promise<void> {
    for (const id of await accounts.bannedOf(userIds)) await cancelAllOf({ id });
  }

  async function sweep(accounts: Pick<Accounts, "bannedOf">): Promise<void> {
    let withOrders: string[] = [];
    let seen = 0;
    for (const { kind, account, userId } of views.accounts.all()) {
      if (++seen % ACCOUNTS_PER_TURN === 0) await nextTurn();
      if (kind !== "person" || views.people.openOrderCount(account) === 0) continue;
      if (withOrders.push(userId) < USERS_PER_QUERY) continue;
      await cancelAllOfBanned(accounts, withOrders);
      withOrders = [];
      // SQLite answers without a turn of the event loop.
      await nextTurn();
    }
    await cancelAllOfBanned(accounts, withOrders);
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
      let isUnderWay = false;
      const check = () => {
        if (isUnderWay) return;
        isUnderWay = true;
        sweep(accounts)
          .catch((error: unknown) => {
            const reason = "open orders of banned users could not be cancelled";
            log.error({ error: String(error) }, reason);
          })
          .finally(() => {
            isUnderWay = false;
          });
      };
      check();
      const timer = setInterval(check, SWEPT_EVERY_MS).unref();
      return () => clearInterval(timer);
    },
  };
}
