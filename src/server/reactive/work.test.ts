/** The amount of work that one client can cause on the server. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { clientKeyOf } from "../limits/client-key.ts";
import { AUTHENTICATION_MS, WorkShares } from "../limits/work-shares.ts";
import { queryArgumentsText } from "./encoding.ts";
import type { Identity } from "./executor.ts";
import { QuerySet } from "./query-set.ts";
import { QueryStore } from "./query-store.ts";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import { MemoryHost, SILENT, startServer, tokenFor, until } from "#test/support/reactive-server.ts";
import type { Answer, TestServer } from "#test/support/reactive-server.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function start(): Promise<TestServer> {
  const server = await startServer();
  closers.push(() => server.close());
  return server;
}

async function open(...given: Parameters<typeof openSocket>) {
  const client = await openSocket(...given);
  closers.push(async () => client.socket.terminate());
  return client;
}

describe("work", () => {
  const add = (queryId: number, name: string) => ({
    type: "Add" as const,
    queryId,
    udfPath: "counters:get",
    args: [{ name }],
  });
  const evaluationsOf = (server: TestServer) => server.host.evaluations.get("counters:get") ?? 0;

  test("a query that the same message removes is never evaluated", async () => {
    const server = await start();
    const { heard, send } = await open(server);
    send(CONNECT);
    const modifications = Array.from({ length: 499 }, (_, n) => [
      add(n, `a${n}`),
      { type: "Remove", queryId: n },
    ]).flat();
    modifications.push(add(0, "left"));
    send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
    await until(() => heard.length === 1);
    expect(evaluationsOf(server)).toBe(1);
    expect(heard[0].modifications.at(-1)).toMatchObject({ queryId: 0, value: { name: "left" } });
    expect(server.reactive.statistics().queries).toBe(1);
  });

  test("more than a thousand modifications in a message break the protocol", async () => {
    const server = await start();
    const { heard, send } = await open(server);
    send(CONNECT);
    const modifications = Array.from({ length: 1_001 }, () => ({ type: "Remove", queryId: 1 }));
    send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
    await until(() => heard.length === 1);
    expect(heard[0]).toMatchObject({ type: "FatalError", error: expect.stringMatching(/1000/) });
  });

  test("a large set is shown over several Transitions, and each query's latest in the end", async () => {
    const server = await start();
    const { heard, send } = await open(server);
    send(CONNECT);
    const modifications = Array.from({ length: 350 }, (_, n) => add(n, String(n % 300)));
    send({ type: "ModifyQuerySet", baseVersion: 0, newVersion: 1, modifications });
    const shown = new Map<number, Answer>();
    const show = () => {
      for (const message of heard.splice(0)) {
        expect(message.modifications.length).toBeLessThanOrEqual(150);
        for (const { queryId, value } of message.modifications) shown.set(queryId, value);
      }
    };
    await until(() => (show(), shown.size === 350));
    expect(evaluationsOf(server)).toBe(300);
  });

  test("a journal makes no answer of its own of a query that leaves none", () => {
    const host = new MemoryHost();
    const executor = { ...host.executor, leavesJournal: (path: string) => path !== "counters:get" };
    const store = new QueryStore(executor, SILENT);
    const queries = new QuerySet(store, { queueFlush() {}, onKept() {} }, () => 0);
    queries.modify(
      Array.from({ length: 20 }, (_, n) => ({ ...add(n, "same"), journal: `any ${n}` })),
    );
    queries.update(null, []);
    expect(store.size).toBe(1);
    expect(host.evaluations.get("counters:get")).toBe(1);
  });

  test("queries that change all the time keep no other from its turn", async () => {
    const host = new MemoryHost();
    const store = new QueryStore(host.executor, SILENT);
    const queries = new QuerySet(store, { queueFlush() {}, onKept() {} }, () => 0);
    queries.modify(Array.from({ length: 300 }, (_, n) => add(n, String(n))));
    const unseen = new Set(Array.from({ length: 300 }, (_, n) => n));
    for (let round = 1; round <= 3; round++) {
      const restless = Array.from({ length: 150 }, (_, n) => String(n));
      for (const name of restless) host.counters.set(name, round);
      store.invalidate(new Map(restless.map((name) => [`counter:${name}`, "now"])));
      const modifications: string[] = [];
      queries.update(null, modifications);
      expect(modifications.length).toBeLessThanOrEqual(100);
      for (const text of modifications) unseen.delete(JSON.parse(text).queryId);
    }
    // The first hundred are due again in every round.
    expect([...unseen]).toEqual([]);
  });

  test("queries that take long to evaluate are shown over several Transitions", async () => {
    const host = new MemoryHost();
    let nowMs = 0;
    const queries = new QuerySet(
      new QueryStore(host.executor, SILENT),
      { queueFlush() {}, onKept() {} },
      () => (nowMs += 1),
    );
    queries.modify(Array.from({ length: 20 }, (_, n) => add(n, String(n))));
    const counts: number[] = [];
    for (let isComplete = false; !isComplete;) {
      const modifications: string[] = [];
      isComplete = queries.update(null, modifications);
      counts.push(modifications.length);
    }
    expect(counts).toEqual([5, 5, 5, 5]);
  });

  test("a new identity's answers are evaluated over several Transitions, none as the old one's", () => {
    const host = new MemoryHost();
    const store = new QueryStore(host.executor, SILENT);
    const queries = new QuerySet(store, { queueFlush() {}, onKept() {} }, () => 0);
    const caller = (queryId: number) => ({
      ...add(queryId, ""),
      udfPath: "callers:name",
      args: [{ queryId }],
    });
    queries.modify(Array.from({ length: 250 }, (_, n) => caller(n)));
    const update = (identity: Identity | null) => {
      const modifications: string[] = [];
      const before = host.evaluations.get("callers:name") ?? 0;
      const isComplete = queries.update(identity, modifications);
      const values = modifications.map((text) => (JSON.parse(text) as { value: string }).value);
      return {
        isComplete,
        values,
        evaluated: (host.evaluations.get("callers:name") ?? 0) - before,
      };
    };
    while (!update(null).isComplete) continue;

    const ann = { subject: "ann", sessionId: "1", expiresAtMs: Infinity } as Identity;
    queries.changeIdentity(ann);
    expect(host.evaluations.get("callers:name")).toBe(250);
    for (const evaluated of [100, 100, 50]) {
      const seen = update(ann);
      expect(seen.evaluated).toBe(evaluated);
      expect(new Set(seen.values)).toEqual(new Set(["ann"]));
      expect(seen.values).toHaveLength(evaluated);
    }
    expect(update(ann)).toEqual({ isComplete: true, values: [], evaluated: 0 });
  });

  test("an answer that depends on nothing but the caller follows who asks", async () => {
    const { heard, send } = await open(await start());
    send(CONNECT);
    send(addQuery(0, "callers:name", {}));
    send({ type: "Authenticate", tokenType: "User", value: tokenFor("ann"), baseVersion: 0 });
    await until(() => heard.length === 2);
    expect(heard.map(({ modifications }) => modifications[0].value)).toEqual(["visitor", "ann"]);
  });

  test("what is refused for good runs once, also when it is known later who asks", async () => {
    const server = await start();
    const { heard, send } = await open(server);
    const other = await open(server);
    for (const client of [{ heard, send }, other]) {
      client.send(CONNECT);
      client.send(addQuery(0, "failures:data", { text: "x".repeat(8_000) }));
      client.send({
        type: "Authenticate",
        tokenType: "User",
        value: tokenFor("ann"),
        baseVersion: 0,
      });
      await until(() => client.heard.length === 2);
      expect(client.heard[0].modifications).toMatchObject([{ type: "QueryFailed" }]);
    }
    expect(server.host.evaluations.get("failures:data")).toBe(1);
    expect(server.reactive.statistics().queries).toBe(1);
  });

  test("a request number that was used for something else is no repeat of it", async () => {
    const server = await start();
    const results: Answer[] = [];
    for (const [udfPath, args] of [
      ["counters:add", { name: "a", by: 1 }],
      ["counters:add", { by: 1, name: "a" }],
      ["counters:add", { name: "a", by: 5 }],
      ["lists:append", { text: "x" }],
    ] as const) {
      const { heard, send } = await open(server);
      send(CONNECT);
      send({ type: "Mutation", requestId: 0, udfPath, args: [args] });
      await until(() => heard.length > 0);
      results.push(heard[0].result);
    }
    expect(results).toEqual([1, 1, 6, 1]);
    expect(server.host.items).toEqual(["x"]);
  });
});

describe("requests that are too large", () => {
  const objects = (bytes: number) => Array.from({ length: bytes / 3 }, () => ({}));

  test("of a function that does not exist or takes less are answered without being parsed", async () => {
    const server = await start();
    const { heard, send } = await open(server);
    send(CONNECT);
    const parse = vi.spyOn(JSON, "parse");
    closers.push(async () => parse.mockRestore());
    const args = [{ a: objects(300_000) }];
    const bodies = ["unknown:one", "lists:append"].map((path) => JSON.stringify({ path, args }));
    ["unknown:one", "lists:append"].forEach((udfPath, requestId) =>
      send({ type: "Mutation", requestId, udfPath, args }),
    );
    await until(() => heard.length === 2);
    const answers = await Promise.all(
      bodies.map((body) =>
        fetch(`${server.address}/api/mutation`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body,
        }),
      ),
    );
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    expect(longest).toBeLessThan(5_000);
    expect(heard.map(({ result }) => result)).toEqual([
      expect.stringContaining("no function"),
      expect.stringContaining("at most 65536 bytes"),
    ]);
    expect(heard[1].errorData).toMatchObject({ code: "invalidArgument", field: "args" });
    expect(answers.map(({ status }) => status)).toEqual([560, 400]);
    expect(texts[0]).toContain("no function");
    expect(texts[1]).toContain("at most 65536 bytes");
  });

  test("are read where the function says that it takes them", async () => {
    const server = await start();
    const { heard, send } = await open(server);
    send(CONNECT);
    for (const [requestId, bytes] of [150_000, 250_000].entries()) {
      const args = [{ a: "x".repeat(bytes) }];
      send({ type: "Action", requestId, udfPath: "echoes:back", args });
      const { status } = await fetch(`${server.address}/api/action`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ path: "echoes:back", args }),
      });
      expect(status).toBe(bytes === 150_000 ? 200 : 400);
    }
    await until(() => heard.length === 2);
    expect(heard.map(({ success }) => success)).toEqual([true, false]);
  });

  test("arguments of a query that cannot fit are refused before they are decoded", async () => {
    let reads = 0;
    const each = Object.defineProperty({}, "b", { enumerable: true, get: () => ++reads });
    const sent = [{ a: Array.from({ length: 100_000 }, () => each) }];
    expect(() => queryArgumentsText(sent)).toThrow(/at most 8192 bytes/);
    expect(reads).toBe(0);
  });
});

test("an address whose share is used up waits over all its sockets and calls, and a user does not", async () => {
  const shares = new WorkShares();
  const server = await startServer(new MemoryHost(), { shares });
  closers.push(() => server.close());
  const ann = await open(server);
  ann.send(CONNECT);
  ann.send({ type: "Authenticate", tokenType: "User", value: tokenFor("ann"), baseVersion: 0 });
  await until(() => ann.heard.length === 1);
  const visitors = [await open(server), await open(server)];
  const visitor = clientKeyOf(undefined, "127.0.0.1");
  shares.charge(visitor, 500);
  for (const { send } of visitors) {
    send(CONNECT);
    send(addQuery(0, "counters:get", { name: "a" }));
  }
  const call = fetch(`${server.address}/api/query`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ path: "lists:items", args: {} }),
  });
  for (let requestId = 0; requestId < 5; requestId++) {
    ann.send({ type: "Mutation", requestId, udfPath: "counters:add", args: [{ name: "b" }] });
    await until(() => ann.heard.length === 3 + 2 * requestId);
  }
  expect(shares.isThrottled(visitor)).toBe(true);
  expect(server.host.evaluations.size).toBe(0);
  await until(() => visitors.every(({ heard }) => heard.length === 1));
  expect((await call).status).toBe(200);
});

test("what the server asks itself for a page is charged to the page's visitor, and never waits", async () => {
  const shares = new WorkShares();
  const server = await startServer(new MemoryHost(), {
    shares,
    isOwnRequest: ({ headers }) => headers["x-own"] === "yes",
  });
  closers.push(() => server.close());
  const visitor = clientKeyOf(undefined, "127.0.0.1");
  const call = (own: string) =>
    fetch(`${server.address}/api/query`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-own": own },
      body: JSON.stringify({ path: "lists:items", args: {} }),
    });
  shares.charge(visitor, 300);
  const order: string[] = [];
  const other = call("no").then(() => order.push("a visitor's call"));
  for (let round = 0; round < 3; round++) expect((await call("yes")).status).toBe(200);
  order.push("the page's calls");
  expect(shares.isThrottled(visitor)).toBe(true);
  await other;
  expect(order).toEqual(["the page's calls", "a visitor's call"]);
});

test("an answer stays right while its subscribers come and leave in any order", () => {
  const host = new MemoryHost();
  const store = new QueryStore(host.executor, SILENT);
  const kept = new Map<number, number>();
  const flushed = new Set<number>();
  const subscribe = (id: number) => {
    const subscriber = {
      queueFlush: () => void flushed.add(id),
      onKept: (bytes: number) => void kept.set(id, (kept.get(id) ?? 0) + bytes),
    };
    const asked = { path: "counters:get", args: { name: "a" }, journal: null };
    return store.subscribe(subscriber, id, asked, null);
  };
  const here = new Map(Array.from({ length: 20 }, (_, id) => [id, subscribe(id)]));
  for (const leaving of [0, 19, 7, 8, 1, 18, 2, 3]) {
    const subscription = here.get(leaving);
    if (subscription !== undefined) store.unsubscribe(subscription);
    here.delete(leaving);
    // One of the remaining subscribers is charged for the answer, and all of them are notified of a change.
    const charged = [...kept].filter(([, bytes]) => bytes > 0).map(([id]) => id);
    expect(charged.length).toBe(1);
    expect(here.has(charged[0])).toBe(true);
    flushed.clear();
    store.invalidate(new Map([["counter:a", "now"]]));
    expect(flushed).toEqual(new Set(here.keys()));
    for (const each of here.values()) store.update(each, null);
  }
  for (const each of here.values()) store.unsubscribe(each);
  expect([...kept.values()].every((bytes) => bytes === 0)).toBe(true);
  expect(store.size).toBe(0);
});

describe("tokens", () => {
  const FORGED = tokenFor("ann", { signature: "forged" });
  const visitor = clientKeyOf(undefined, "127.0.0.1");

  async function startCounting() {
    const shares = new WorkShares();
    const host = new MemoryHost();
    const checked = vi.spyOn(host.executor, "authenticate");
    const server = await startServer(host, { shares });
    closers.push(() => server.close());
    const call = (token: string) =>
      fetch(`${server.address}/api/query`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ path: "lists:items", args: {} }),
      });
    return { server, shares, checked, call };
  }

  test("of calls are not checked before the address has rested", async () => {
    const { shares, checked, call } = await startCounting();
    shares.charge(visitor, 200);
    const statuses = [call(tokenFor("ann")), call(FORGED)].map(async (one) => (await one).status);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(shares.isThrottled(visitor)).toBe(true);
    expect(checked).not.toHaveBeenCalled();
    expect(await Promise.all(statuses)).toEqual([200, 401]);
  });

  test.each(["calls", "sockets"] as const)("in %s count for the address", async (where) => {
    const { server, shares, call } = await startCounting();
    const charge = vi.spyOn(shares, "charge");
    const charged = () => charge.mock.calls.filter(([, ms]) => ms === AUTHENTICATION_MS);
    if (where === "calls") await call(FORGED);
    else {
      const { send, closed } = await open(server);
      send(CONNECT);
      send({ type: "Authenticate", tokenType: "User", value: FORGED, baseVersion: 0 });
      await until(() => closed.code !== undefined);
    }
    expect(charged().map(([client]) => client)).toEqual([visitor]);
  });
});

test("what comes counts before it is a whole message", async () => {
  // All of it is within one share.
  const shares = new WorkShares(() => 0);
  const server = await startServer(new MemoryHost(), { shares });
  closers.push(() => server.close());
  const client = await open(server);
  client.send(CONNECT);
  const visitor = clientKeyOf(undefined, "127.0.0.1");
  for (let part = 0; part < 3; part++) client.socket.send("x".repeat(600_000), { fin: false });
  await until(() => shares.isThrottled(visitor));
  expect(client.heard).toEqual([]);
});

describe("clients that share an address", () => {
  /** Takes longer than a share of the event loop. */
  const SLOW = "slow";
  const ROUNDS = 3;

  async function startSlow(): Promise<TestServer> {
    const host = new MemoryHost();
    const query = host.executor.query.bind(host.executor);
    host.executor.query = (call) => {
      const untilMs = performance.now() + (JSON.stringify(call.args).includes(SLOW) ? 15 : 0);
      while (performance.now() < untilMs);
      return query(call);
    };
    const server = await startServer(host);
    closers.push(() => server.close());
    return server;
  }

  test("do not wait with their first message for what the others have asked for", async () => {
    const server = await startSlow();
    const busy: Awaited<ReturnType<typeof open>>[] = [];
    for (let n = 0; n < 10; n++) busy.push(await open(server));
    for (const [n, { send }] of busy.entries()) {
      send(CONNECT);
      for (let round = 0; round < ROUNDS; round++) {
        send(addQuery(round, "counters:get", { name: `${SLOW} ${n} ${round}` }, round));
      }
    }
    const answered = () => busy.reduce((sum, { heard }) => sum + heard.length, 0);
    await until(() => busy.every(({ heard }) => heard.length > 0));
    const newcomer = await open(server);
    const answeredBefore = answered();
    newcomer.send(CONNECT);
    newcomer.send(addQuery(0, "counters:get", { name: "quick" }));
    await until(() => newcomer.heard.length === 1);
    expect(answered() - answeredBefore).toBeLessThan(busy.length / 2);
  });
});

describe("mutations whose client has used up its share", () => {
  /** Four mutations, the first of which is under way while the others wait in the queue. */
  async function scene() {
    const shares = new WorkShares();
    const server = await startServer(new MemoryHost(), { shares });
    closers.push(() => server.close());
    const begun: string[] = [];
    const first = Promise.withResolvers<void>();
    server.host.aroundMutation = async (run, key) => {
      begun.push(key);
      await first.promise;
      return run();
    };
    const ann = await open(server);
    ann.send(CONNECT);
    ann.send({ type: "Authenticate", tokenType: "User", value: tokenFor("ann"), baseVersion: 0 });
    for (let requestId = 0; requestId < 4; requestId++) {
      ann.send({ type: "Mutation", requestId, udfPath: "counters:add", args: [{ name: "a" }] });
    }
    // The last message has been handled once its answer arrives.
    ann.send({ type: "Action", requestId: 4, udfPath: "echoes:back", args: [{}] });
    await until(() => ann.heard.some(({ type }) => type === "ActionResponse"));
    return { server, ann, begun, shares, finishFirst: () => first.resolve() };
  }

  const answersOf = (heard: readonly Answer[]) =>
    heard.filter(({ type }) => type === "MutationResponse").length;

  test("wait until it has rested, also those that were taken before", async () => {
    const { ann, begun, shares, finishFirst } = await scene();
    shares.charge(clientKeyOf("ann", ""), 200);
    finishFirst();
    await until(() => answersOf(ann.heard) === 1);
    expect(shares.isThrottled(clientKeyOf("ann", ""))).toBe(true);
    expect(begun).toHaveLength(1);
    await until(() => answersOf(ann.heard) === 4);
    expect(begun).toHaveLength(4);
  });

  test("are not executed if the sign-in ends in the meantime", async () => {
    const { server, ann, begun, shares, finishFirst } = await scene();
    shares.charge(clientKeyOf("ann", ""), 200);
    finishFirst();
    await until(() => answersOf(ann.heard) === 1);
    server.host.endedSessions.add("ann-session");
    await until(() => ann.closed.code !== undefined);
    expect(begun).toHaveLength(1);
    expect(server.host.counters.get("a")).toBe(1);
  });
});
