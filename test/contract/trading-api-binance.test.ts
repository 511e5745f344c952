/** Two programs trade with the unmodified client "binance", and what they read equals the ledger. */
import { MainClient } from "binance";
import { expect, test, vi } from "vitest";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

describeOnSqlite("programs with the client binance", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  test("read what can be traded", async () => {
    const { url } = await start();
    const client = new MainClient({ baseUrl: url });
    const info = await client.getExchangeInfo({ symbol: "BTCUSD" });
    expect(info).toMatchObject({ symbols: [{ symbol: "BTCUSD", status: "TRADING" }] });
  });
});
