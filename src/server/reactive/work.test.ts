/** How much one client can make the server do. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { Inbox } from "./inbox.ts";
import { QuerySet } from "./query-set.ts";
import { QueryStore } from "./query-store.ts";
import { addQuery, CONNECT, openSocket } from "./test-socket.ts";
import { MemoryHost, SILENT, startServer, tokenFor, until } from "./test-server.ts";
import type { Answer, TestServer } from "./test-server.ts";

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

  test("queries that change all the time keep no other from its turn", async () => {
    const host = new MemoryHost();
    const store = new QueryStore(host.executor, SILENT);
    const queries = new QuerySet(store, { queueFlush() {} });
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

describe("the inbox", () => {
  test("rests for as long as the work took once that is a share of a while", () => {
    vi.useFakeTimers();
    closers.push(async () => vi.useRealTimers());
    const rested = vi.fn<() => void>();
    const inbox = new Inbox(rested);
    for (const text of ["a", "bc", "def"]) inbox.push(text);
    expect(inbox.take()).toBe("a");
    inbox.spend(0, 15);
    expect(inbox.take()).toBe("bc");
    expect([inbox.length, inbox.size]).toEqual([1, 3]);
    inbox.spend(15, 30);
    expect(inbox.take()).toBeUndefined();
    vi.advanceTimersByTime(29);
    expect(rested).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(rested).toHaveBeenCalledOnce();
    expect(inbox.take()).toBe("def");
    expect(inbox.size).toBe(0);
  });

  test("never rests over little work now and then", () => {
    const inbox = new Inbox(() => {});
    for (let n = 0; n < 100; n++) {
      inbox.push("a");
      expect(inbox.take()).toBe("a");
      inbox.spend(n * 200, n * 200 + 15);
    }
  });
});
