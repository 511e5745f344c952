/** The journals that queries leave for their next run, and queries that wait for data to be loaded. */
import { ConvexHttpClient } from "convex/browser";
import { afterEach, describe, expect, test } from "vitest";
import { addQuery, CONNECT, openSocket } from "#test/support/reactive-socket.ts";
import {
  type Answer,
  api,
  MemoryHost,
  openClient,
  startFlakyNetwork,
  startServer,
  until,
  watch,
} from "#test/support/reactive-server.ts";
import type { QueryCall, QueryResult } from "./executor.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function start(query: (call: QueryCall) => QueryResult) {
  const host = new MemoryHost();
  const server = await startServer(host, { executor: { ...host.executor, query } });
  closers.push(() => server.close());
  return { host, server };
}

const answer = (value: unknown, topic: string, journal?: string): QueryResult => ({
  result: { status: "success", value },
  topics: new Set([topic]),
  readsIdentity: false,
  journal,
});

describe("pages of a list", () => {
  /** Numbers, the highest first, in pages as the official client requests them. */
  async function startList() {
    const rows = [5, 4, 3, 2, 1];
    const journals: (string | null)[] = [];
    const { host, server } = await start(({ args, journal }) => {
      journals.push(journal);
      const { numItems, cursor, endCursor } = (
        args as { paginationOpts: { numItems: number; cursor: string | null; endCursor?: string } }
      ).paginationOpts;
      const below = rows.filter((row) => cursor === null || row < Number(cursor));
      const pinned = endCursor ?? journal;
      const page =
        pinned === null ? below.slice(0, numItems) : below.filter((row) => row >= Number(pinned));
      const isDone = pinned === null ? page.length === below.length : pinned === "0";
      const continueCursor = pinned ?? (isDone ? "0" : String(page.at(-1)));
      return answer({ page, isDone, continueCursor }, "rows", continueCursor);
    });
    const add = () => {
      rows.unshift(rows[0] + 1);
      host.change("rows");
    };
    return { server, journals, add };
  }

  test("stay whole for the official client while rows are added, also over a reconnection", async () => {
    const { server, journals, add } = await startList();
    const network = await startFlakyNetwork(server.port);
    closers.push(() => network.close());
    const page = openClient(network.address);
    closers.push(() => page.close());
    const seen: number[][] = [];
    const pages = page.onPaginatedUpdate_experimental(
      api.rows.list,
      {},
      { initialNumItems: 2 },
      ({ results }: Answer) => void seen.push(results as number[]),
    );
    const current = () => pages.getCurrentValue() as Answer;
    await until(() => current()?.status === "CanLoadMore");
    current()?.loadMore(2);
    await until(() => current()?.results.length === 4);
    add();
    add();
    await until(() => current()?.results.length === 6);
    expect(current()?.results).toEqual([7, 6, 5, 4, 3, 2]);
    journals.length = 0;
    const { connectionCount } = page.connectionState();
    network.cut();
    add();
    await until(() => page.connectionState().connectionCount > connectionCount);
    await until(() => current()?.results[0] === 8);
    expect(current()?.results).toEqual([8, 7, 6, 5, 4, 3, 2]);
    // Before and after: consecutive rows, without a gap.
    for (const rows of seen) {
      for (const [at, row] of rows.entries()) expect(row).toBe(rows[0] - at);
    }
    expect(journals).toContain("4");
    expect(journals).toContain("2");
  });

  test("of two clients that come back with different ends are not taken for each other", async () => {
    const { server } = await startList();
    const args = { paginationOpts: { numItems: 2, cursor: null } };
    const ends = new Map([
      ["5", [5]],
      ["2", [5, 4, 3, 2]],
      [null, [5, 4]],
    ]);
    for (const [journal, page] of ends) {
      const client = await openSocket(server);
      closers.push(() => client.socket.terminate());
      client.send(CONNECT);
      const added = addQuery(1, "rows:list", args);
      const [add] = added.modifications;
      client.send({ ...added, modifications: [{ ...add, journal }] });
      await until(() => client.heard.length > 0);
      const [{ modifications }] = client.heard;
      expect(modifications[0].value.page).toEqual(page);
      expect(modifications[0].journal).toBe(journal ?? "4");
    }
  });

  test("a journal longer than any that we hand out breaks the protocol", async () => {
    const { server } = await startList();
    const client = await openSocket(server);
    client.send(CONNECT);
    const added = addQuery(1, "rows:list", {});
    const [add] = added.modifications;
    client.send({ ...added, modifications: [{ ...add, journal: "x".repeat(1_001) }] });
    await until(() => client.closed.code !== undefined);
    expect(client.heard).toMatchObject([{ type: "FatalError" }]);
  });
});

describe("a query that needs something to be loaded", () => {
  async function startLoading() {
    let loading = Promise.withResolvers<void>();
    let value: string | undefined;
    const { host, server } = await start(({ path }) => {
      if (path !== "slow:value") return answer(path, "other");
      const loaded = answer(value, "slow");
      return value === undefined ? { ...loaded, result: loading.promise } : loaded;
    });
    const page = openClient(server.address);
    closers.push(() => page.close());
    return {
      host,
      server,
      page,
      finish: (now: string) => {
        value = now;
        loading.resolve();
      },
      fail: () => {
        value = "what went wrong";
        loading.reject(new Error("no database"));
      },
      begin: () => {
        value = undefined;
        loading = Promise.withResolvers();
        host.change("slow");
      },
    };
  }

  test("is shown once that is there, and holds up no other", async () => {
    const { page, finish } = await startLoading();
    const slow = watch(page, api.slow.value);
    const other = watch(page, api.other.value);
    await until(() => other.seen.length === 1);
    expect(slow.seen).toEqual([]);
    finish("loaded");
    await until(() => slow.seen.length === 1);
    expect(slow.seen).toEqual(["loaded"]);
    expect(other.seen).toEqual(["other:value"]);
  });

  test("shows its last answer while it is loaded again", async () => {
    const { page, finish, begin } = await startLoading();
    finish("first");
    const slow = watch(page, api.slow.value);
    await until(() => slow.seen.length === 1);
    begin();
    // The transition that confirms a mutation has arrived, without the query.
    await page.mutation(api.counters.add, { name: "a" });
    expect(slow.seen).toEqual(["first"]);
    finish("second");
    await until(() => slow.seen.length === 2);
    expect(slow.latest()).toBe("second");
  });

  test("runs again when it could not be loaded, to say so", async () => {
    const { page, fail } = await startLoading();
    const slow = watch(page, api.slow.value);
    await page.mutation(api.counters.add, { name: "a" });
    expect(slow.seen).toEqual([]);
    fail();
    await until(() => slow.seen.length === 1);
    expect(slow.latest()).toBe("what went wrong");
  });

  test("is waited for over HTTP, and in vain only for so long", async () => {
    const { server, finish } = await startLoading();
    const http = new ConvexHttpClient(server.address, {
      skipConvexDeploymentUrlCheck: true,
      logger: false,
    });
    const value = http.query(api.slow.value, {});
    finish("loaded");
    expect(await value).toBe("loaded");

    const never = await start(() => ({ ...answer(1, "slow"), result: Promise.resolve() }));
    const response = await fetch(`${never.server.address}/api/query`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ path: "slow:value", args: {} }),
    });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "2"]);
  });

  test("is forgotten with its last subscriber", async () => {
    const { server, page, finish } = await startLoading();
    const slow = watch(page, api.slow.value);
    await until(() => server.reactive.statistics().queries === 1);
    slow.stop();
    await until(() => server.reactive.statistics().queries === 0);
    finish("too late");
    await page.mutation(api.counters.add, { name: "a" });
    expect(slow.seen).toEqual([]);
    expect(server.reactive.statistics().queries).toBe(0);
  });
});
