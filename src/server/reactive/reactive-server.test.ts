import { afterEach, describe, expect, test } from "vitest";
import { ConvexHttpClient } from "convex/browser";
import { ConvexError } from "convex/values";
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
import type { Answer, TestServer } from "#test/support/reactive-server.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(...given: Parameters<typeof startServer>): Promise<TestServer> {
  const server = await startServer(...given);
  closers.push(() => server.close());
  return server;
}

function client(server: { address: string }, options: Parameters<typeof openClient>[1] = {}) {
  const opened = openClient(server.address, options);
  closers.push(() => opened.close());
  return opened;
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: Answer) => error,
  );

describe("the official WebSocket client", () => {
  test("shows a query and every change of it", async () => {
    const server = await start();
    const page = client(server);
    const counter = watch(page, api.counters.get, { name: "a" });
    await until(() => counter.seen.length === 1);
    await page.mutation(api.counters.add, { name: "a", by: 5 });
    expect(counter.seen).toEqual([
      { name: "a", value: 0 },
      { name: "a", value: 5 },
    ]);
  });

  test("sees its own write as soon as a mutation resolves, also a conflated one", async () => {
    const server = await start();
    const page = client(server);
    const counter = watch(page, api.counters.get, { name: "a" });
    await until(() => counter.seen.length === 1);
    for (let n = 1; n <= 50; n++) {
      const value = await page.mutation(api.counters.add, { name: "a", urgency: "conflated" });
      expect(value).toBe(n);
      expect(counter.latest().value).toBe(n);
    }
  });

  test("hears of what others did", async () => {
    const server = await start();
    const [writer, reader] = [client(server), client(server)];
    const items = watch(reader, api.lists.items);
    await until(() => items.seen.length === 1);
    await writer.mutation(api.lists.append, { text: "first" });
    await until(() => items.latest().length === 1);
    await writer.mutation(api.lists.append, { text: "second" });
    await until(() => items.latest().length === 2);
  });

  test("is never shown two queries of different states", async () => {
    const server = await start();
    const { host } = server;
    const page = client(server);
    const sums: number[] = [];
    const left = watch(page, api.counters.get, { name: "left" });
    const right = watch(page, api.counters.get, { name: "right" });
    await until(() => left.seen.length === 1 && right.seen.length === 1);
    page.client.addOnTransitionHandler(() => {
      const read = (name: string) =>
        page.client.localQueryResult("counters:get", { name }) as Answer;
      sums.push(read("left").value + read("right").value);
    });
    // Until several Transitions have shown the changes.
    for (let n = 1; n <= 300 || sums.length <= 3; n++) {
      // Both change at the same time, but one is announced immediately and the other ten times a second.
      host.counters.set("left", n);
      host.counters.set("right", -n);
      host.change("counter:left", n % 3 === 0 ? "now" : "conflated");
      host.change("counter:right", n % 5 === 0 ? "now" : "conflated");
      if (n % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await until(() => left.latest().value === host.counters.get("left"));
    expect(sums.every((sum) => sum === 0)).toBe(true);
  });

  test("gets no message for a change that leaves the answer as it was", async () => {
    const server = await start();
    const page = client(server);
    const counter = watch(page, api.counters.get, { name: "a" });
    await until(() => counter.seen.length === 1);
    let transitions = 0;
    page.client.addOnTransitionHandler(() => transitions++);
    server.host.change("counter:a");
    await until(() => server.host.evaluations.get("counters:get") === 2);
    await page.action(api.echoes.back, {});
    expect(transitions).toBe(0);
  });

  test("stops being sent what it no longer asks for", async () => {
    const server = await start();
    const page = client(server);
    const counter = watch(page, api.counters.get, { name: "a" });
    await until(() => counter.seen.length === 1);
    expect(server.reactive.statistics()).toEqual({ connections: 1, queries: 1, topics: 1 });
    counter.stop();
    await until(() => server.reactive.statistics().queries === 0);
    server.host.change("counter:a");
    await page.mutation(api.counters.add, { name: "b" });
    expect(server.host.evaluations.get("counters:get")).toBe(1);
  });

  test("keeps optimistic updates until the write is shown", async () => {
    const server = await start();
    const page = client(server);
    const counter = watch(page, api.counters.get, { name: "a" });
    await until(() => counter.seen.length === 1);
    await page.mutation(
      api.counters.add,
      { name: "a", by: 1 },
      {
        optimisticUpdate: (store) =>
          store.setQuery(api.counters.get, { name: "a" }, { name: "a", value: 1 }),
      },
    );
    await page.mutation(api.counters.add, { name: "a", by: 1 });
    // It never falls back to 0 between the optimistic value and the true one.
    expect([...new Set(counter.seen.map(({ value }) => value))]).toEqual([0, 1, 2]);
    expect(counter.seen.filter(({ value }) => value === 0)).toHaveLength(1);
  });

  test("runs mutations in the order in which they were asked for", async () => {
    const server = await start();
    const page = client(server);
    const texts = Array.from({ length: 40 }, (_, n) => `item ${n}`);
    await Promise.all(
      texts.map((text, n) =>
        page.mutation(api.lists.append, { text, pauseMs: n % 4 === 0 ? 3 : 0 }),
      ),
    );
    expect(server.host.items).toEqual(texts);
  });

  test("gets the answer of an action", async () => {
    const page = client(await start());
    expect(await page.action(api.echoes.back, { n: 1 })).toEqual({ args: { n: 1 }, subject: null });
  });

  test("gets special numbers, whole numbers and bytes as they are", async () => {
    const page = client(await start());
    const given = {
      nan: NaN,
      infinite: -Infinity,
      zero: -0,
      whole: -(2n ** 63n),
      bytes: new Uint8Array([1, 2]).buffer,
    };
    const value = await page.query(api.values.special, given);
    expect(value).toEqual({ given, whole: 7n, float: -0, bytes: new ArrayBuffer(3) });
  });

  test("gets errors with data as errors with data, and plain ones without", async () => {
    const page = client(await start());
    const refused = await failure(page.mutation(api.failures.data, {}));
    expect(refused).toBeInstanceOf(ConvexError);
    expect(refused.data).toEqual({ code: "tooSmall", field: "quantity" });
    const plain = await failure(page.mutation(api.failures.plain, {}));
    expect(plain).not.toBeInstanceOf(ConvexError);
    expect(plain.message).toContain("No.");
    const queried = await failure(page.query(api.failures.data, {}));
    expect(queried).toBeInstanceOf(ConvexError);
    expect(queried.data).toEqual({ code: "notFound", field: "name" });
    expect(await failure(page.query(api.failures.plain, {}))).not.toBeInstanceOf(ConvexError);
  });

  test("gets a public message when a function throws, and nothing of its insides", async () => {
    const page = client(await start());
    const calls = [
      page.query(api.missing.one, {}),
      page.mutation(api.missing.one, {}),
      page.action(api.missing.one, {}),
    ];
    for (const error of await Promise.all(calls.map(failure))) {
      expect(error.message).toContain("could not be carried out");
      expect(error.message).not.toContain("There is no");
    }
  });

  test("is answered where a request is too large, and stays connected", async () => {
    const page = client(await start());
    const error = await failure(page.mutation(api.lists.append, { text: "x".repeat(1_200_000) }));
    expect(error.message).toContain("too large");
    expect(await page.mutation(api.lists.append, { text: "small" })).toBe(1);
    expect(page.connectionState().connectionCount).toBe(1);
  });

  test("gets answers above five megabytes in parts", async () => {
    const page = client(await start());
    const value = await page.query(api.values.large, { thirds: "2500000" });
    expect(value).toBe("é😀".repeat(2_500_000));
  });

  test("connects again by itself when the server says that it goes away", async () => {
    const host = new MemoryHost();
    const first = await startServer(host);
    const network = await startFlakyNetwork(first.port);
    closers.push(() => network.close());
    const page = client(network);
    const counter = watch(page, api.counters.get, { name: "a" });
    await until(() => counter.seen.length === 1);
    await first.close();
    const second = await start(host);
    network.setTarget(second.port);
    host.counters.set("a", 9);
    await until(() => counter.latest().value === 9);
  });

  test("retries while the server's state is older than what it has seen", async () => {
    let behind = 0n;
    const host = new MemoryHost();
    const version = () => host.sequence - behind;
    host.sequence = 100n;
    const server = await start(host);
    const network = await startFlakyNetwork(server.port);
    closers.push(() => network.close());
    const page = client(network);
    const counter = watch(page, api.counters.get, { name: "a" });
    await until(() => counter.seen.length === 1);
    behind = 60n;
    const other = await start(host, { executor: { ...host.executor, version } });
    network.setTarget(other.port);
    network.cut();
    await until(() => page.connectionState().connectionRetries > 1);
    expect(counter.seen).toHaveLength(1);
    host.counters.set("a", 3);
    behind = 0n;
    await until(() => counter.latest().value === 3);
  });

  test("stays current over a restart on a machine whose clock is an hour behind", async () => {
    const host = new MemoryHost();
    const first = await startServer(host);
    const network = await startFlakyNetwork(first.port);
    closers.push(() => network.close());
    const page = client(network);
    const counter = watch(page, api.counters.get, { name: "a" });
    expect(await page.mutation(api.counters.add, { name: "a" })).toBe(1);
    await first.close();
    const second = await start(host, { clock: () => Date.now() - 3_600_000 });
    network.setTarget(second.port);
    expect(await page.mutation(api.counters.add, { name: "a" })).toBe(2);
    expect(counter.latest().value).toBe(2);
  });

  test("sees its own write although the clock is set back in the meantime", async () => {
    let nowMs = Date.now();
    const server = await start(undefined, { clock: () => nowMs });
    const page = client(server);
    const counter = watch(page, api.counters.get, { name: "a" });
    for (let value = 1; value <= 3; value++) {
      expect(await page.mutation(api.counters.add, { name: "a" })).toBe(value);
      expect(counter.latest().value).toBe(value);
      nowMs -= 3_600_000;
    }
  });
});

describe("sharing", () => {
  test("200 clients with one query cost one evaluation for each change", async () => {
    const server = await start();
    const { host } = server;
    const pages = Array.from({ length: 200 }, () => client(server));
    const counters = pages.map((page) => watch(page, api.counters.get, { name: "a" }));
    await until(() => counters.every(({ seen }) => seen.length === 1));
    expect(host.evaluations.get("counters:get")).toBe(1);
    for (let n = 1; n <= 5; n++) {
      host.counters.set("a", n);
      host.change("counter:a", n % 2 === 0 ? "now" : "conflated");
      await until(() => counters.every((counter) => counter.latest().value === n));
      expect(host.evaluations.get("counters:get")).toBe(1 + n);
    }
    expect(counters.every(({ seen }) => seen.length === 6)).toBe(true);
  });

  test("a burst of conflated changes is evaluated far less often than it changes", async () => {
    const server = await start();
    const { host } = server;
    const page = client(server);
    const counter = watch(page, api.counters.get, { name: "a" });
    await until(() => counter.seen.length === 1);
    for (let n = 1; n <= 1000; n++) {
      host.counters.set("a", n);
      host.change("counter:a", "conflated");
      if (n % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await until(() => counter.latest().value === 1000);
    expect(host.evaluations.get("counters:get")).toBeLessThan(100);
  });

  test("an answer that read the identity is never shown to another", async () => {
    const server = await start();
    const pages = ["ann", "bob"].map((name) => {
      const page = client(server);
      page.setAuth(async () => tokenFor(name));
      return page;
    });
    const visitor = client(server);
    const notes = [...pages, visitor].map((page) => watch(page, api.notes.mine));
    await until(() => notes.every(({ seen }) => seen.length > 0));
    await pages[0].mutation(api.notes.add, { text: "of ann" });
    await pages[1].mutation(api.notes.add, { text: "of bob" });
    await until(() => notes[0].latest()?.length === 1 && notes[1].latest()?.length === 1);
    expect(notes.map(({ latest }) => latest())).toEqual([["of ann"], ["of bob"], null]);
    expect(notes[0].seen.flat()).not.toContain("of bob");
  });

  test("a shared answer that begins to depend on the caller is split at once", async () => {
    const server = await start();
    const { host } = server;
    host.items = ["secret"];
    const member = client(server);
    member.setAuth(async () => tokenFor("ann"));
    const visitor = client(server);
    const seen = [member, visitor].map((page) => watch(page, api.lists.items));
    await until(() => seen.every(({ seen: values }) => values.length === 1));
    expect(server.reactive.statistics().queries).toBe(1);
    host.audience = "members";
    host.items = ["secret", "another"];
    host.change("items");
    await until(() => seen[0].latest().length === 2 && seen[1].latest().length === 0);
    expect(seen[1].seen).toEqual([["secret"], []]);
    host.items = ["third"];
    host.change("items");
    await until(() => seen[0].latest()[0] === "third");
    expect(seen[1].latest()).toEqual([]);
  });
});

describe("the official HTTP client", () => {
  const http = (server: TestServer) =>
    new ConvexHttpClient(server.address, { skipConvexDeploymentUrlCheck: true, logger: false });

  test("runs queries, mutations and actions", async () => {
    const calls = http(await start());
    expect(await calls.mutation(api.counters.add, { name: "a", by: 2 })).toBe(2);
    expect(await calls.mutation(api.counters.add, { name: "a", by: 2 })).toBe(4);
    expect(await calls.query(api.counters.get, { name: "a" })).toEqual({ name: "a", value: 4 });
    expect(await calls.consistentQuery(api.counters.get, { name: "a" })).toEqual({
      name: "a",
      value: 4,
    });
    expect(await calls.action(api.echoes.back, { n: 1n })).toEqual({
      args: { n: 1n },
      subject: null,
    });
  });

  test("is told when the state that it began to read is gone, and never gets another one", async () => {
    const server = await start();
    const calls = http(server);
    expect(await calls.consistentQuery(api.counters.get, { name: "a" })).toMatchObject({
      value: 0,
    });
    await calls.mutation(api.counters.add, { name: "a" });
    const gone = await failure(calls.consistentQuery(api.counters.get, { name: "a" }));
    expect(JSON.parse(gone.message)).toEqual({
      code: "timestampNotKept",
      field: "ts",
      message: "The state of this ts is no longer kept: it has changed since. Ask for a new ts.",
    });
    expect(await http(server).consistentQuery(api.counters.get, { name: "a" })).toMatchObject({
      value: 1,
    });
    for (const [ts, code] of [
      ["/////////38=", "timestampNotKept"],
      ["soon", "invalidArgument"],
      [7, "invalidArgument"],
    ]) {
      const response = await fetch(`${server.address}/api/query_at_ts`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ path: "counters:get", args: { name: "a" }, ts }),
      });
      expect([response.status, await response.json()]).toMatchObject([400, { code, field: "ts" }]);
    }
  });

  test("acts for the bearer of a token", async () => {
    const calls = http(await start());
    calls.setAuth(tokenFor("ann"));
    await calls.mutation(api.notes.add, { text: "mine" });
    expect(await calls.query(api.notes.mine, {})).toEqual(["mine"]);
    calls.setAuth(tokenFor("ann", { signature: "forged" }));
    const error = await failure(calls.query(api.notes.mine, {}));
    expect(JSON.parse(error.message)).toEqual({
      code: "NoAuthProvider",
      message: "The token's signature is wrong.",
    });
  });

  test("gets errors with their data", async () => {
    const calls = http(await start());
    const refused = await failure(calls.mutation(api.failures.data, {}));
    expect(refused).toBeInstanceOf(ConvexError);
    expect(refused.data).toEqual({ code: "tooSmall", field: "quantity" });
    expect(await failure(calls.query(api.failures.plain, {}))).not.toBeInstanceOf(ConvexError);
  });
});
