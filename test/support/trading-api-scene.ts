/** The trading API over the services of a function scene, on a loopback port, and clients of it. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import ccxt from "ccxt";
import type { CreatedApiKey } from "#contract/api-keys.ts";
import { storedTime } from "#server/database/accounts-tables.ts";
import type { Database } from "#server/database/open-database.ts";
import type { Services } from "#server/functions/services.ts";
import { CLIENT_ADDRESS_HEADER } from "#server/http/client-address.ts";
import { HeldBytes } from "#server/limits/held-bytes.ts";
import { WorkShares } from "#server/limits/work-shares.ts";
import { Calls } from "#server/trading-api/calls.ts";
import { createTradingApi } from "#server/trading-api/trading-api.ts";
import { type FunctionScene, openFunctionScene } from "./function-scene.ts";

export interface TradingApiScene extends FunctionScene {
  readonly url: string;
  /** The user's account number; users have an account once they have taken practice funds. */
  accountOf(userId: string): number;
  /** An unmodified client with a new API key of the user, who must have an account. */
  client(userId: string, permissions?: readonly string[]): Promise<CcxtClient>;
}

export type CcxtClient = InstanceType<typeof ccxt.binanceus>;

export async function openTradingApiScene(
  settings: Readonly<Record<string, string>> = {},
): Promise<TradingApiScene> {
  const scene = await openFunctionScene({
    settings: { TRADING_API_WEIGHT: "1000000", ...settings },
  });
  const { services } = scene;
  const api = await serveTradingApi(services);
  const { url } = api;
  const clients: CcxtClient[] = [];
  return {
    ...scene,
    url,
    accountOf(userId) {
      const account = services.views.accounts.ofUser(userId)?.account;
      if (account === undefined) throw new Error(`${userId} has no account`);
      return account;
    },
    async client(userId, permissions = ["read", "trade"]) {
      await storeUser(scene.database, userId);
      const terms = { name: "Bot", kind: "hmac", permissions };
      const { key, secret } = await scene.as(userId).answer<CreatedApiKey>("apiKeys:create", terms);
      const client = ccxtClient(url, key.apiKey, secret ?? "");
      clients.push(client);
      return client;
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      await api.close();
      await scene.close();
    },
  };
}

/** A client with all addresses set to this exchange's. */
function ccxtClient(url: string, apiKey: string, secret: string): CcxtClient {
  return new ccxt.binanceus({
    apiKey,
    secret,
    enableRateLimit: false,
    urls: { api: { public: `${url}/api/v3`, private: `${url}/api/v3`, sapi: `${url}/sapi/v1` } },
  });
}

/** API keys reference their users in the database. */
async function storeUser(database: Database, userId: string): Promise<void> {
  const now = storedTime(database, Date.now());
  await database.write
    .insertInto("user")
    .values({
      id: userId,
      name: userId,
      email: `${userId}@example.com`,
      emailVerified: 0,
      createdAt: now,
      updatedAt: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function serveTradingApi(services: Services) {
  const shares = new WorkShares();
  const held = new HeldBytes({ all: 1e9, perClient: 1e9 });
  const answer = createTradingApi(new Calls(services, shares), held);
  const server = createServer((request, response) => {
    request.headers[CLIENT_ADDRESS_HEADER] = "192.0.2.1";
    void Promise.resolve(answer(request, response)).then((isOurs) => {
      if (!isOurs) response.writeHead(421).end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      shares.close();
    },
  };
}
