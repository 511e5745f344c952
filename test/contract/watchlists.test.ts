import { expect, test, vi } from "vitest";
import { WATCHED_MARKETS_MAX } from "#contract/public-functions.ts";
import type { Database } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";
import { createWatchlists, WatchlistFullError } from "#server/personal/watchlists.ts";
import { describeEachDatabase } from "./databases.ts";

function watchlistsOn(database: Database) {
  const onChange = vi.fn();
  return { onChange, watchlists: createWatchlists({ database, log: createSilentLog(), onChange }) };
}

describeEachDatabase("watchlists", (openDatabase) => {
  test("keep each user's markets in the user's order, also for a later process", async () => {
    const database = await openDatabase();
    const { watchlists } = watchlistsOn(database);
    await watchlists.add("ada", ["BTC-USD"]);
    await watchlists.add("ada", ["ETH-USD", "BTC-USD", "SOL-USD"]);
    await watchlists.add("bob", ["XRP-USD"]);
    await watchlists.move("ada", "SOL-USD", 0);
    await watchlists.remove("ada", "BTC-USD");
    expect(watchlists.read("ada")).toEqual(["SOL-USD", "ETH-USD"]);

    const later = watchlistsOn(database).watchlists;
    expect(await later.load("ada")).toEqual(["SOL-USD", "ETH-USD"]);
    expect(await later.load("bob")).toEqual(["XRP-USD"]);
    expect(await later.load("eve")).toEqual([]);
  });

  test("announce the loading of a user that a query asked for", async () => {
    const database = await openDatabase();
    await watchlistsOn(database).watchlists.add("ada", ["BTC-USD"]);
    const { onChange, watchlists } = watchlistsOn(database);
    expect(watchlists.read("ada")).toBeUndefined();
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith("ada"));
    expect(watchlists.read("ada")).toEqual(["BTC-USD"]);
  });

  test("changes of one user made at the same time are all kept", async () => {
    const { watchlists } = watchlistsOn(await openDatabase());
    const markets = ["BTC-USD", "ETH-USD", "SOL-USD", "XRP-USD"];
    await Promise.all(markets.map((market) => watchlists.add("ada", [market])));
    expect(watchlists.read("ada")).toEqual(markets);
  });

  test("have a limit, and a refused addition changes nothing", async () => {
    const { watchlists } = watchlistsOn(await openDatabase());
    const most = Array.from({ length: WATCHED_MARKETS_MAX }, (_, number) => `C${number}-USD`);
    await watchlists.add("ada", most);
    await expect(watchlists.add("ada", ["ETH-USD"])).rejects.toThrow(WatchlistFullError);
    await watchlists.add("ada", ["C0-USD"]);
    expect(watchlists.read("ada")).toEqual(most);
  });

  test("of a deleted user are gone", async () => {
    const { watchlists } = watchlistsOn(await openDatabase());
    await watchlists.add("ada", ["BTC-USD"]);
    const added = watchlists.add("ada", ["ETH-USD"]);
    await Promise.all([added, watchlists.forget("ada")]);
    expect(await watchlists.load("ada")).toEqual([]);
  });
});
