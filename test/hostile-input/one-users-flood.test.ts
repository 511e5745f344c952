/**
 * One user floods the whole server with changes from 100 connections. What another asked for before
 * it, and whose answers were lost, is sent again by the official client after it: each has happened
 * once, whether the server still runs or was killed in the meantime.
 */
import { ConvexClient } from "convex/browser";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { functions } from "#contract/functions.ts";
import { type FlakyNetwork, startFlakyNetwork } from "#test/support/reactive-server.ts";
import { call, HandMadeSocket, type Person, signUp } from "./bad-input-clients.ts";
import { GOOD_ORDER } from "./bad-input-orders.ts";
import { isFull } from "../support/run-counts.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";

const CONNECTIONS = 100;
const FLOOD_ANSWERS = 3_000;
const LOST_ANSWERS = 10;

let server: RunningServer;
let network: FlakyNetwork;
beforeAll(async () => {
  server = await startServerProcess({ AUTH_RATE_LIMIT: "off" });
  network = await startFlakyNetwork(Number(new URL(server.url).port));
});
afterAll(async () => {
  await network.close();
  await server.remove();
});

let trader: Person;
let flooder: Person;
let tests = 0;
beforeEach(async () => {
  tests += 1;
  trader = await signUp(server.url, `Trader${tests}`);
  flooder = await signUp(server.url, `Flooder${tests}`);
  for (const { token } of [trader, flooder]) {
    await call(server.url, "mutation", "accounts:takePracticeFunds", {}, token);
  }
});

interface Flood {
  /** How often each kind of answer came: "success", or the code of a refusal. */
  readonly answers: ReadonlyMap<string, number>;
  readonly sockets: readonly HandMadeSocket[];
}

/** Places and cancels without a pause until the whole flood has had so many answers. */
async function flood(): Promise<Flood> {
  const answers = new Map<string, number>();
  let total = 0;
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => HandMadeSocket.connected(server.url, flooder.token)),
  );
  await Promise.all(
    sockets.map(async (socket) => {
      for (let requestId = 0; total < FLOOD_ANSWERS; requestId++) {
        const isOrder = requestId % 2 === 0;
        const { success, errorData } = await socket.request(
          "Mutation",
          requestId,
          isOrder ? "orders:place" : "orders:cancelAll",
          isOrder ? GOOD_ORDER : {},
        );
        const kind = success === true ? "success" : (errorData as { code: string }).code;
        answers.set(kind, (answers.get(kind) ?? 0) + 1);
        total += 1;
      }
    }),
  );
  return { answers, sockets };
}

const priceOf = (index: number) => `${19_000 + index}.00`;

async function openPrices(): Promise<string[]> {
  const { value } = await call(server.url, "query", "orders:open", {}, trader.token);
  return (value as { price: string }[]).map(({ price }) => price).toSorted();
}

/** Orders that the exchange has taken, and whose answers will never arrive. */
async function placeWithLostAnswers(client: ConvexClient) {
  network.mute();
  const placing = Array.from({ length: LOST_ANSWERS }, (_, index) =>
    client.mutation(functions.orders.place, { ...GOOD_ORDER, price: priceOf(index) }),
  );
  await expect.poll(openPrices).toHaveLength(LOST_ANSWERS);
  return Promise.all(placing);
}

const MEANWHILE = [
  ["runs on", async () => {}],
  [
    "was killed",
    async () => {
      await server.kill();
      await server.restart();
    },
  ],
] as const;

test.each(isFull ? MEANWHILE : MEANWHILE.slice(-1))(
  "after a flood from 100 connections, answers lost before it are given once, if the server %s",
  async (_, meanwhile) => {
    const client = new ConvexClient(network.address, {
      skipConvexDeploymentUrlCheck: true,
      logger: false,
    });
    client.setAuth(async () => trader.token);
    await client.mutation(functions.orders.cancelAll, {});
    let isAnswered = false;
    const placed = placeWithLostAnswers(client).finally(() => (isAnswered = true));
    await expect.poll(openPrices).toHaveLength(LOST_ANSWERS);

    const { answers, sockets } = await flood();
    expect(answers.get("success")).toBeGreaterThanOrEqual(100);
    expect(answers.get("tooManyRequests")).toBeGreaterThan(0);
    expect([...answers.keys()].toSorted()).toEqual(["success", "tooManyRequests"]);
    expect(isAnswered).toBe(false);
    await meanwhile();
    network.cut();

    const prices = (await placed).map(({ order }) => order.price);
    expect(prices).toEqual(Array.from({ length: LOST_ANSWERS }, (__, index) => priceOf(index)));
    expect(await openPrices()).toEqual(prices);
    await Promise.all(sockets.map((socket) => socket.close()));
    await client.close();
  },
);
