/** How much is kept of subscribed queries and the answers to them. */
import { afterEach, expect, test } from "vitest";
import { QuerySet } from "./query-set.ts";
import { QueryStore } from "./query-store.ts";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import { MemoryHost, SILENT, startServer, until } from "#test/support/reactive-server.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const LARGE = { path: "values:large", args: { thirds: "1000" }, journal: null };

const subscriber = () => {
  const kept = { bytes: 0 };
  return { kept, queueFlush() {}, onKept: (difference: number) => void (kept.bytes += difference) };
};

test("an answer counts once, for the first who sees it, and then for the next", () => {
  const host = new MemoryHost();
  const store = new QueryStore(host.executor, SILENT);
  const [ann, bob] = [subscriber(), subscriber()];
  const ofAnn = store.subscribe(ann, 1, LARGE, null);
  const again = store.subscribe(ann, 2, LARGE, null);
  const whole = ann.kept.bytes;
  const ofBob = store.subscribe(bob, 1, LARGE, null);
  expect(whole).toBeGreaterThan(3_000);
  expect([ann.kept.bytes, bob.kept.bytes]).toEqual([whole, 0]);
  store.unsubscribe(ofAnn);
  store.unsubscribe(again);
  expect([ann.kept.bytes, bob.kept.bytes]).toEqual([0, whole]);
  store.unsubscribe(ofBob);
  expect(bob.kept.bytes).toBe(0);
});

test("an answer counts as it is now", () => {
  const host = new MemoryHost();
  const store = new QueryStore(host.executor, SILENT);
  const ann = subscriber();
  const subscription = store.subscribe(
    ann,
    1,
    { path: "lists:items", args: {}, journal: null },
    null,
  );
  const empty = ann.kept.bytes;
  host.items.push("x".repeat(5_000));
  store.invalidate(new Map([["items", "now"]]));
  store.update(subscription, null);
  expect(ann.kept.bytes).toBeGreaterThan(empty + 5_000);
  host.items.pop();
  store.invalidate(new Map([["items", "now"]]));
  store.update(subscription, null);
  expect(ann.kept.bytes).toBe(empty);
});

test("a client whose queries have too large answers is cut off, and another is not", async () => {
  const keptBytes = { all: 10_000_000, perClient: 500_000 };
  const server = await startServer(new MemoryHost(), {
    keptBytes,
    clientAddress: ({ headers }) => String(headers["x-from"]),
  });
  closers.push(() => server.close());
  const open = async (from: string) => {
    const client = await openSocket(server, { headers: { "x-from": from } });
    closers.push(async () => client.socket.terminate());
    client.send(CONNECT);
    return client;
  };
  const [greedy, modest] = [await open("192.0.2.1"), await open("192.0.2.2")];
  modest.send(addQuery(0, "values:large", { thirds: "10000" }));
  await until(() => modest.heard.length === 1);
  for (let n = 0; n < 20; n++) {
    greedy.send(addQuery(n, "values:large", { thirds: "10000", n: String(n) }, n));
  }
  await until(() => greedy.closed.code !== undefined);
  await until(() => server.reactive.statistics().queries === 1);
  expect(modest.closed.code).toBeUndefined();
});

test("what was kept for a client that has left counts no more", async () => {
  const server = await startServer(new MemoryHost(), {
    keptBytes: { all: 10_000_000, perClient: 500_000 },
  });
  closers.push(() => server.close());
  // Each is below the limit of one address, both together are above it, and the second one is the larger.
  for (const queries of [8, 12]) {
    const { socket, heard, closed, send } = await openSocket(server);
    send(CONNECT);
    for (let n = 0; n < queries; n++) {
      send(addQuery(n, "values:large", { thirds: "10000", n: `${queries} ${n}` }, n));
    }
    await until(() => heard.length === queries || closed.code !== undefined);
    expect(closed.code).toBeUndefined();
    socket.close();
    await until(() => server.reactive.statistics().connections === 0);
  }
});

test("arguments of queries that wait for their turn count until these are removed", () => {
  const ann = subscriber();
  const host = new MemoryHost();
  const queries = new QuerySet(new QueryStore(host.executor, SILENT), ann);
  const args = [{ filler: Array.from({ length: 1_000 }, () => ({})) }];
  const add = (queryId: number) =>
    ({ type: "Add", queryId, udfPath: "lists:items", args }) as const;
  queries.modify([add(1), add(2)]);
  expect(ann.kept.bytes).toBeGreaterThan(6_000);
  queries.modify([{ type: "Remove", queryId: 1 }]);
  expect(ann.kept.bytes).toBeLessThan(4_000);
  while (queries.leave().next().done !== true);
  expect(ann.kept.bytes).toBe(0);
});

test("queries count, though equal ones share arguments and answer, until they are removed", () => {
  const host = new MemoryHost();
  const ann = subscriber();
  const queries = new QuerySet(new QueryStore(host.executor, SILENT), ann);
  const added = (queryIds: number[]) =>
    queryIds.map((queryId) => ({
      type: "Add" as const,
      queryId,
      udfPath: "lists:items",
      args: [{}],
    }));
  queries.modify(added([0]));
  queries.update(null, []);
  const ofOne = ann.kept.bytes;
  const more = Array.from({ length: 99 }, (_, index) => index + 1);
  queries.modify(added(more));
  queries.update(null, []);
  expect(ann.kept.bytes).toBeGreaterThan(ofOne + 99 * 400);
  while (queries.leave().next().done !== true);
  expect(ann.kept.bytes).toBe(0);
});
