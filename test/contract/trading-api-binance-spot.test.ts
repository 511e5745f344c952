/** Two programs trade with the unmodified @binance/spot, and what they read equals the ledger. */
import { Spot } from "@binance/spot";
import { expect, test, vi } from "vitest";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

describeOnSqlite("programs with @binance/spot", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  test("read what can be traded", async () => {
    const { url } = await start();
    const client = new Spot({ configurationRestAPI: { apiKey: "", basePath: url } });
    const answer = await client.restAPI.exchangeInfo({ symbol: "BTCUSD" });
    const info = await answer.data();
    expect(info).toMatchObject({ symbols: [{ symbol: "BTCUSD", status: "TRADING" }] });
  });
});
