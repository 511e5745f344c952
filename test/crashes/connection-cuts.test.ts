/**
 * The whole server as its own process, the official client unchanged, and a network between them that
 * breaks: orders are sent without client order ids, so only the protocol keeps each from being lost
 * or doubled, also when the server itself is killed in the middle.
 */
import { ConvexClient } from "convex/browser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { functions } from "#contract/functions.ts";
import type { Order } from "#contract/types.ts";
import { startFlakyNetwork } from "#test/support/reactive-server.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";

const ORDERS = 120;
const CUTS = 30;
const KILLS = 3;

let server: RunningServer;
beforeAll(async () => {
  server = await startServerProcess({ AUTH_RATE_LIMIT: "off" });
});
afterAll(() => server.remove());

async function signedUpTokens(name: string): Promise<() => Promise<string>> {
  const headers = { "content-type": "application/json", origin: server.url };
  const signedUp = await fetch(`${server.url}/api/auth/sign-up/email`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      name: "Ada",
      email: `${name}@example.com`,
      password: "correct-horse-battery-9",
    }),
  });
  expect(signedUp.status).toBe(200);
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return async () => {
    const answer = await fetch(`${server.url}/api/auth/token`, { headers: { ...headers, cookie } });
    return ((await answer.json()) as { token: string }).token;
  };
}

test("cut connections and a killed server lose no order and double none", async () => {
  const token = await signedUpTokens("ada");
  const network = await startFlakyNetwork(Number(new URL(server.url).port));
  const client = new ConvexClient(network.address, {
    skipConvexDeploymentUrlCheck: true,
    logger: false,
  });
  client.setAuth(() => token().catch(() => null));
  // What a browser does when its network is back: the client then tries again at once.
  const { webSocketManager } = client.client as unknown as {
    webSocketManager: { tryReconnectImmediately(): void };
  };
  const hurrying = setInterval(() => webSocketManager.tryReconnectImmediately(), 20);
  let open: readonly Order[] = [];
  client.onUpdate(functions.orders.open, {}, (orders) => (open = orders));
  await client.mutation(functions.accounts.takePracticeFunds, {});

  let answered = 0;
  const placing = (async () => {
    for (let index = 0; index < ORDERS; index += 1) {
      const price = (20_000 + index / 100).toFixed(2);
      const order = {
        market: "BTC-USD",
        side: "buy",
        type: "limit",
        price,
        quantity: "0.0010",
      } as const;
      await client.mutation(functions.orders.place, order);
      answered += 1;
    }
  })();
  let isPlacing = true;
  void placing.finally(() => (isPlacing = false));
  for (let cut = 1; isPlacing && cut <= CUTS; cut += 1) {
    await new Promise((done) => setTimeout(done, 40 + ((cut * 37) % 160)));
    network.cut();
    if (cut % (CUTS / KILLS) !== 0) continue;
    await server.kill();
    await server.restart();
  }
  await placing;
  expect(answered).toBe(ORDERS);

  // The subscription recovers by itself and shows each order once.
  await expect.poll(() => open.length, { timeout: 20_000 }).toBe(ORDERS);
  const prices = open.map(({ price }) => Number(price)).sort((a, b) => a - b);
  expect(prices).toEqual(Array.from({ length: ORDERS }, (_, index) => 20_000 + index / 100));
  clearInterval(hurrying);
  await client.close();
  await network.close();
});

// Clients wait longer and longer for a server that is away: this takes a minute, nearly all of it in waiting.
test("an order taken in time is answered after a kill, one that came too late is refused", async () => {
  const token = await signedUpTokens("bob");
  const network = await startFlakyNetwork(Number(new URL(server.url).port));
  const openClient = (address: string) => {
    const client = new ConvexClient(address, {
      skipConvexDeploymentUrlCheck: true,
      logger: false,
    });
    client.setAuth(() => token().catch(() => null));
    return client;
  };
  const page = openClient(network.address);
  const witness = openClient(server.url);
  let open: readonly Order[] = [];
  let nowMs = 0;
  witness.onUpdate(functions.orders.open, {}, (orders) => (open = orders));
  witness.onUpdate(functions.venue.time, {}, (time) => (nowMs = time));
  const prices = () => new Set(open.map(({ price }) => price));
  const limit = { market: "BTC-USD", side: "buy", type: "limit", quantity: "0.0010" } as const;
  await page.mutation(functions.accounts.takePracticeFunds, {});
  await expect.poll(() => nowMs, { timeout: 20_000 }).toBeGreaterThan(0);

  // Its answer never arrives, so the client sends it again to the next process.
  network.mute();
  const validUntil = nowMs + 8_000;
  const inTime = page.mutation(functions.orders.place, {
    ...limit,
    price: "19000.00",
    validUntil,
  });
  await expect.poll(prices, { timeout: 20_000 }).toEqual(new Set(["19000.00"]));
  await server.kill();
  // This one waits in the client while there is no server.
  const late = page.mutation(functions.orders.place, {
    ...limit,
    price: "18000.00",
    validUntil: nowMs + 1_000,
  });
  const refused = expect(late).rejects.toMatchObject({
    data: { code: "requestExpired", field: "validUntil" },
  });
  const lapsesInMs = validUntil - nowMs;
  await new Promise((lapsed) => setTimeout(lapsed, lapsesInMs));
  await server.restart();
  expect((await inTime).order).toMatchObject({ price: "19000.00", status: "open" });
  await refused;
  await witness.mutation(functions.orders.place, { ...limit, price: "17000.00" });
  await expect.poll(prices, { timeout: 20_000 }).toEqual(new Set(["17000.00", "19000.00"]));
  await Promise.all([page.close(), witness.close(), network.close()]);
});
