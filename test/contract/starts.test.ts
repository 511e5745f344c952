/** What a start does to what it finds: with a real exchange, its files and its database. */
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { ConvexHttpClient } from "convex/browser";
import { expect, test } from "vitest";
import { functions } from "#contract/functions.ts";
import { exchangeStarter, type TestExchange, until } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";

describeOnSqlite("a start", (open) => {
  const start = exchangeStarter(open);

  test.skipIf(process.platform === "win32")(
    "closes a data directory that others could read",
    async () => {
      const exchange = await start();
      await exchange.stop();
      const { dataDir } = exchange.database.location;
      const paths = [dataDir, join(dataDir, "journal"), join(dataDir, "openbell.sqlite")];
      chmodSync(paths[0], 0o755);
      chmodSync(paths[1], 0o755);
      chmodSync(paths[2], 0o644);
      await start({}, exchange);
      expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
    },
  );

  test("without the simulation withdraws what it had left in the books", async () => {
    const exchange = await start({ SIMULATION: "on" });
    await until(async () => (await levelsOf(exchange)) > 0, "an order of the simulation");
    await exchange.stop();
    const without = await start({ SIMULATION: "off" }, exchange);
    expect(await levelsOf(without)).toBe(0);
  });
});

async function levelsOf({ url }: TestExchange): Promise<number> {
  const client = new ConvexHttpClient(url, { skipConvexDeploymentUrlCheck: true, logger: false });
  const { bids, asks } = await client.query(functions.markets.book, { market: "BTC-USD" });
  return bids.length + asks.length;
}
