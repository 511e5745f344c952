/** The markets that each user watches, in the user's own order. */
import { WATCHED_MARKETS_MAX } from "#contract/public-functions.ts";
import { PerUser, type UserStoreOptions } from "./per-user.ts";

/** The user already watches the maximum number of markets. */
export class WatchlistFullError extends Error {
  override readonly name = "WatchlistFullError";
}

export type Watchlists = ReturnType<typeof createWatchlists>;

export function createWatchlists({ database, ...options }: UserStoreOptions) {
  const lists = new PerUser<readonly string[]>({
    ...options,
    async load(userId) {
      const row = await database.read
        .selectFrom("watchlists")
        .select("markets")
        .where("user_id", "=", userId)
        .executeTakeFirst();
      return row === undefined ? [] : (JSON.parse(row.markets) as string[]);
    },
  });

  async function store(userId: string, list: readonly string[]): Promise<void> {
    const markets = JSON.stringify(list);
    await database.write
      .insertInto("watchlists")
      .values({ user_id: userId, markets })
      .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ markets }))
      .execute();
  }

  const change = (userId: string, compute: (list: readonly string[]) => readonly string[]) =>
    lists.change(userId, compute, (list) => store(userId, list));

  return {
    /** Undefined while the watchlist is being loaded. */
    read: (userId: string) => lists.read(userId),
    load: (userId: string) => lists.load(userId),
    /** Another node has changed the user's value. */
    changedElsewhere: (userId: string) => lists.refresh(userId),
    /**
     * Appends those of the markets that are not in the watchlist yet.
     * @throws WatchlistFullError, in which case nothing changes
     */
    async add(userId: string, markets: readonly string[]): Promise<void> {
      await change(userId, (list) => {
        const joined = [...new Set([...list, ...markets])];
        if (joined.length > WATCHED_MARKETS_MAX) throw new WatchlistFullError();
        return joined.length === list.length ? list : joined;
      });
    },
    async remove(userId: string, market: string): Promise<void> {
      await change(userId, (list) =>
        list.includes(market) ? list.filter((each) => each !== market) : list,
      );
    },
    /** Moves a watched market to an index, counted from 0; the others keep their order. */
    async move(userId: string, market: string, index: number): Promise<void> {
      await change(userId, (list) => {
        if (!list.includes(market)) return list;
        return list.filter((each) => each !== market).toSpliced(index, 0, market);
      });
    },
    /** Removes the watchlist, also one that is being changed. */
    async forget(userId: string): Promise<void> {
      await lists.change(
        userId,
        () => [],
        () => database.write.deleteFrom("watchlists").where("user_id", "=", userId).execute(),
      );
    },
  };
}
