/** Two programs trade with the unmodified @binance/connector, and what they read equals the ledger. */
import { Spot } from "@binance/connector";
import { expect, test, vi } from "vitest";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });

describeOnSqlite("programs with @binance/connector", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  test("read what can be traded", async () => {
    const { url } = await start();
    const client = new Spot("", "", { baseURL: url });
    const { data } = await client.exchangeInfo({ symbol: "BTCUSD" });
    expect(data).toMatchObject({ symbols: [{ symbol: "BTCUSD", status: "TRADING" }] });
  });
});
