import { afterEach, expect, test } from "vitest";
import { OutcomeUnknownError } from "./executor.ts";
import {
  api,
  MemoryHost,
  openClient,
  startFlakyNetwork,
  startServer,
  tokenFor,
  until,
  watch,
} from "#test/support/reactive-server.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function startThroughFlakyNetwork(host = new MemoryHost()) {
  const server = await startServer(host);
  closers.push(() => server.close());
  const network = await startFlakyNetwork(server.port);
  closers.push(() => network.close());
  return { server, host, network };
}

function client(address: string) {
  const page = openClient(address);
  closers.push(() => page.close());
  return page;
}

/** A small seeded generator, so that a failing run can be repeated. */
function randomFrom(seed: number) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Simulates a browser whose network is back: the client then skips its back-off. */
function skipBackOff(page: ReturnType<typeof client>) {
  const { webSocketManager } = page.client as unknown as {
    webSocketManager: { tryReconnectImmediately(): void };
  };
  const timer = setInterval(() => webSocketManager.tryReconnectImmediately(), 5);
  closers.push(async () => clearInterval(timer));
}

const untilConnections = (page: ReturnType<typeof client>, count: number) =>
  until(() => page.connectionState().connectionCount >= count, "a new connection");

async function streamUnderCuts(seed: number, options: { restartServer: boolean }) {
  const random = randomFrom(seed);
  const { host, network, ...first } = await startThroughFlakyNetwork();
  let server = first.server;
  const page = client(network.address);
  skipBackOff(page);
  page.setAuth(async () => tokenFor("ann"));
  const items = watch(page, api.lists.items);
  const counter = watch(page, api.counters.get, { name: "a" });
  const texts: string[] = [];
  const answers: Promise<number>[] = [];
  for (let cut = 0; cut < 25; cut++) {
    const mutations = 1 + Math.floor(random() * 8);
    for (let n = 0; n < mutations; n++) {
      const text = `item ${texts.length}`;
      texts.push(text);
      const pauseMs = random() < 0.5 ? 0 : Math.ceil(random() * 15);
      answers.push(page.mutation(api.lists.append, { text, pauseMs }));
      void page.mutation(api.counters.add, { name: "a" });
      if (random() < 0.3) await new Promise((resolve) => setTimeout(resolve, random() * 4));
    }
    await new Promise((resolve) => setTimeout(resolve, random() * 25));
    if (options.restartServer && cut % 5 === 4) {
      await server.close();
      server = await startServer(host);
      const started = server;
      closers.push(() => started.close());
      network.setTarget(server.port);
    }
    const { connectionCount } = page.connectionState();
    network.cut();
    // Sometimes the next cut comes before the client is back.
    if (random() < 0.8) await untilConnections(page, connectionCount + 1);
  }
  const lengths = await Promise.all(answers);
  expect([...host.items].sort(), `seed ${seed}`).toEqual([...texts].sort());
  expect(host.items, `seed ${seed}`).toEqual(texts);
  expect(lengths, `seed ${seed}`).toEqual(texts.map((_, n) => n + 1));
  await until(() => items.latest()?.length === texts.length, "the query's recovery");
  await until(() => counter.latest()?.value === texts.length, "the other query's recovery");
  expect(items.errors).toEqual([]);
  return { host, page, connections: page.connectionState().connectionCount };
}

for (const seed of [1, 2, 3, 4]) {
  test(`25 cuts of the connection lose no mutation and double none (seed ${seed})`, async () => {
    const { connections } = await streamUnderCuts(seed, { restartServer: false });
    expect(connections).toBeGreaterThan(10);
  });
}

test("the client recovers by itself, at its own pace", async () => {
  const { host, network } = await startThroughFlakyNetwork();
  const page = client(network.address);
  const counter = watch(page, api.counters.get, { name: "a" });
  await until(() => counter.seen.length === 1);
  for (let n = 1; n <= 3; n++) {
    const answer = page.mutation(api.counters.add, { name: "a" });
    network.cut();
    expect(await answer).toBe(n);
    expect(counter.latest().value).toBe(n);
  }
  expect(host.mutationsRun).toBe(3);
});

test("cuts and restarts of the server lose no mutation and double none", async () => {
  await streamUnderCuts(5, { restartServer: true });
});

test("a mutation that is under way when it is sent again runs once and answers once", async () => {
  const { host, network } = await startThroughFlakyNetwork();
  const page = client(network.address);
  const counter = watch(page, api.counters.get, { name: "a" });
  await until(() => counter.seen.length === 1);
  skipBackOff(page);
  const answer = page.mutation(api.counters.add, { name: "a", pauseMs: 600 });
  for (let n = 0; n < 3; n++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    network.cut();
    await untilConnections(page, n + 2);
  }
  expect(await answer).toBe(1);
  expect(host.mutationsRun).toBe(1);
  expect(counter.latest().value).toBe(1);
});

test("an answered mutation whose answer was lost is answered from memory", async () => {
  const { host, network } = await startThroughFlakyNetwork();
  const page = client(network.address);
  await until(() => page.connectionState().isWebSocketConnected);
  let calls = 0;
  host.aroundMutation = async (run) => {
    calls++;
    const result = await run();
    // The command is executed; its answer gets lost.
    network.cut();
    return result;
  };
  expect(await page.mutation(api.counters.add, { name: "a" })).toBe(1);
  expect(calls).toBe(1);
  expect(host.counters.get("a")).toBe(1);
});

test("a mutation whose outcome is unknown is sent again with the same key", async () => {
  const { host, network } = await startThroughFlakyNetwork();
  const page = client(network.address);
  const keys: string[] = [];
  host.aroundMutation = async (run, key) => {
    keys.push(key);
    const result = await run();
    if (keys.length === 1) throw new OutcomeUnknownError("the engine stopped");
    return result;
  };
  expect(await page.mutation(api.counters.add, { name: "a" })).toBe(1);
  expect(host.mutationsRun).toBe(1);
  expect(new Set(keys).size).toBe(1);
  expect(keys[0].length).toBeLessThanOrEqual(64);
});

test("an action that was cut off is reported as lost and not run again", async () => {
  const { network } = await startThroughFlakyNetwork();
  const page = client(network.address);
  await until(() => page.connectionState().isWebSocketConnected);
  const answer = page.action(api.echoes.never, {}).catch((error: Error) => error.message);
  await new Promise((resolve) => setTimeout(resolve, 30));
  network.cut();
  expect(await answer).toContain("Connection lost while action was in flight");
});
