/**
 * The official clients, unmodified, newest and 1.27, against the whole server. What they and the server
 * say to each other is recorded, and must keep the rules of the protocol: see docs/reactive-protocol.md.
 */
import { convexQuery, ConvexQueryClient } from "@convex-dev/react-query";
import { QueryClient } from "@tanstack/react-query";
import * as newest from "convex/browser";
import * as newestReact from "convex/react";
import * as old from "convex-1.27/browser";
import * as oldReact from "convex-1.27/react";
import { afterEach, describe, expect, test } from "vitest";
import { functions } from "#contract/functions.ts";
import type { PaginatedPage } from "#contract/pagination.ts";
import type { Order } from "#contract/types.ts";
import { type Answer, startFlakyNetwork } from "#test/support/reactive-server.ts";
import { checkWire, recordWire } from "#test/support/wire.ts";
import { exchangeStarter, type Trader } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";

/** The old package has the same classes, as far as they are used here. */
const VERSIONS = [
  ["newest", { ...newest, ...newestReact }],
  ["1.27", { ...old, ...oldReact } as unknown as typeof newest & typeof newestReact],
] as const;

const BOOK = { market: "BTC-USD" };
const limit = (price: string) =>
  ({ market: "BTC-USD", side: "buy", type: "limit", price, quantity: "0.01" }) as const;
const OPTIONS = { skipConvexDeploymentUrlCheck: true, logger: false, unsavedChangesWarning: false };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** What the promise was refused with. */
const refusalOf = (promise: Promise<unknown>): Promise<Error & { data?: Answer }> =>
  promise.then(
    () => Promise.reject(new Error("it was not refused")),
    (error: Error) => error,
  );

describeOnSqlite("the official clients", (openDatabase) => {
  const startExchange = exchangeStarter(openDatabase);

  async function start() {
    const exchange = await startExchange();
    const ada = await exchange.trader("ada@example.com");
    const wire = recordWire();
    closers.push(() => checkWire(wire));
    const options = { ...OPTIONS, webSocketConstructor: wire.socket };
    const token = () => ada.browser.backendToken();
    return { exchange, ada, wire, options, token };
  }

  const restingOf = ({ http }: Trader) => http.query(functions.orders.open, {});

  describe.each(VERSIONS)("%s", (_version, convex) => {
    test("the simple client shows queries and its own writes, and signs in and out", async () => {
      const { exchange, ada, wire, options, token } = await start();
      const client = new convex.ConvexClient(exchange.url, options);
      closers.push(() => client.close());
      const shown: Answer[] = [];
      const states: boolean[] = [];
      client.onUpdate(
        functions.orders.open,
        {},
        (orders) => shown.push(orders),
        () => {
          shown.push("refused");
        },
      );
      await expect.poll(() => shown).toEqual(["refused"]);
      client.setAuth(token, (signedIn) => states.push(signedIn));
      await expect.poll(() => shown.at(-1)).toEqual([]);
      const placed = await client.mutation(functions.orders.place, limit("20000"));
      expect(shown.at(-1)).toEqual([placed.order]);
      expect(await restingOf(ada)).toEqual([placed.order]);
      await ada.http.mutation(functions.orders.cancelAll, {});
      await expect.poll(() => shown.at(-1)).toEqual([]);
      const error = await refusalOf(client.mutation(functions.orders.cancel, { orderId: "1" }));
      expect(error.data).toMatchObject({ code: "unknownOrder", field: "orderId" });
      const page = await client.action(functions.activity.page, { kind: "order" });
      expect(page.items).toHaveLength(1);
      expect(await client.query(functions.users.current, {})).toMatchObject({ id: ada.userId });
      expect(new Set(states)).toEqual(new Set([true]));
      expect(wire.of("Authenticate").length).toBeGreaterThan(0);
      expect(wire.of("FatalError")).toEqual([]);
    });

    test("the base client keeps an optimistic update until the write is shown", async () => {
      const { exchange, wire, options, token } = await start();
      const client: newest.BaseConvexClient = new convex.BaseConvexClient(
        exchange.url,
        () => values.push(client.localQueryResult("watchlist:list", {})),
        options,
      );
      const values: Answer[] = [];
      closers.push(() => client.close());
      client.setAuth(token, () => {});
      client.subscribe("watchlist:list", {});
      await expect.poll(() => Array.isArray(values.at(-1))).toBe(true);
      const before = values.at(-1) as string[];
      values.length = 0;
      const market = ["ETH-USD", "BTC-USD"].find((symbol) => !before.includes(symbol));
      const added = [...before, market ?? "DOGE-USD"];
      await client.mutation(
        "watchlist:add",
        { markets: added.slice(-1) },
        {
          optimisticUpdate: (store) => {
            store.setQuery(functions.watchlist.list, {}, added);
          },
        },
      );
      // Never back to what was before.
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect(value).toEqual(added);
      client.subscribe("markets:book", { market: "nothing" });
      await expect
        .poll(() => wire.modifications("server").filter(({ type }) => type === "QueryFailed"))
        .toMatchObject([{ errorData: { code: "unknownMarket", field: "market" } }]);
    });

    test("the React client watches, changes and acts", async () => {
      const { exchange, ada, options, token } = await start();
      const client = new convex.ConvexReactClient(exchange.url, options);
      closers.push(() => client.close());
      client.setAuth(token);
      const watch = client.watchQuery(functions.orders.open, {});
      const shown: Answer[] = [];
      closers.push(watch.onUpdate(() => shown.push(watch.localQueryResult())));
      await expect.poll(() => shown.at(-1)).toEqual([]);
      const { order } = await client.mutation(functions.orders.place, limit("20000"));
      expect(watch.localQueryResult()).toEqual([order]);
      expect(await client.query(functions.orders.recent, {})).toEqual([order]);
      const { orderId } = order;
      const life = await client.action(functions.orders.life, { orderId });
      expect(life.order).toEqual(order);
      expect(client.connectionState()).toMatchObject({ hasInflightRequests: false });
      expect(await restingOf(ada)).toEqual([order]);
    });

    test("the React client's prewarmed query is added, and removed when no one watches it", async () => {
      const { exchange, wire, options } = await start();
      const client = new convex.ConvexReactClient(exchange.url, options);
      closers.push(() => client.close());
      const prewarmed = { query: functions.markets.book, args: BOOK, extendSubscriptionFor: 300 };
      client.prewarmQuery(prewarmed);
      await expect
        .poll(() => wire.modifications("client").map(({ type }) => type))
        .toEqual(["Add", "Remove"]);
      await expect
        .poll(() => wire.modifications("server").map(({ type }) => type))
        .toEqual(["QueryUpdated", "QueryRemoved"]);
    });

    test("the HTTP client calls with a token or none, and reads one state twice", async () => {
      const { exchange, ada, token } = await start();
      const http = new convex.ConvexHttpClient(exchange.url, OPTIONS);
      const error = await refusalOf(http.query(functions.orders.open, {}));
      expect(error.data).toMatchObject({ code: "unauthorized" });
      expect((await http.query(functions.markets.list, {})).length).toBeGreaterThan(0);
      http.setAuth(await token());
      const { order } = await http.mutation(functions.orders.place, limit("20000"));
      expect(await http.query(functions.orders.open, {})).toEqual([order]);
      expect(await http.consistentQuery(functions.orders.open, {})).toEqual([order]);
      const feed = await http.action(functions.activity.page, { kind: "order" });
      expect(feed.items).toHaveLength(1);
      http.setAuth("no.token.atall");
      expect((await refusalOf(http.query(functions.orders.open, {}))).message).toContain("code");
      expect(await restingOf(ada)).toHaveLength(1);
    });

    test("an admin key is refused with the sentence that helps, also with one to act as", async () => {
      const { exchange, ada, wire, options } = await start();
      const http = new convex.ConvexHttpClient(exchange.url, OPTIONS) as Answer;
      const actingAs = { subject: ada.userId, issuer: "anyone", tokenIdentifier: "anyone" };
      for (const identity of [undefined, actingAs]) {
        http.setAdminAuth("an-admin-key", identity);
        const { message } = await refusalOf(http.query(functions.orders.open, {}));
        expect(message).toContain("InvalidAuthHeader");
        expect(message).toContain("This server takes no admin keys. Sign in as");
      }
      const client = new convex.ConvexReactClient(exchange.url, options) as Answer;
      closers.push(() => client.close());
      client.setAdminAuth("an-admin-key", actingAs);
      const watch = client.watchQuery(functions.users.current, {});
      const shown: Answer[] = [];
      closers.push(watch.onUpdate(() => shown.push(watch.localQueryResult())));
      // It gives the key up, and goes on as a visitor.
      await expect.poll(() => shown.at(-1)).toBeNull();
      expect(wire.of("AuthError")).toMatchObject([
        { error: expect.stringContaining("takes no admin keys"), authUpdateAttempted: true },
      ]);
    });

    test("pages keep their ends over a reconnection, by the journal that the client sends again", async () => {
      const { exchange, ada, wire, options, token } = await start();
      for (const price of ["20000", "20001", "20002", "20003"]) {
        await ada.http.mutation(functions.orders.place, limit(price));
      }
      const network = await startFlakyNetwork(Number(new URL(exchange.url).port));
      closers.push(() => network.close());
      const client = new convex.ConvexReactClient(network.address, options);
      closers.push(() => client.close());
      client.setAuth(token);
      const opts = (cursor: string | null) => ({ numItems: 2, cursor, id: 1 });
      const pageAt = (cursor: string | null) => {
        const watch = client.watchQuery(functions.orders.list, { paginationOpts: opts(cursor) });
        closers.push(watch.onUpdate(() => {}));
        return watch;
      };
      const first = pageAt(null);
      const prices = (page: PaginatedPage<Order> | undefined) =>
        page?.page.map(({ price }) => Number(price));
      await expect.poll(() => prices(first.localQueryResult())).toEqual([20_003, 20_002]);
      const second = pageAt(first.localQueryResult()?.continueCursor ?? null);
      await expect.poll(() => prices(second.localQueryResult())).toEqual([20_001, 20_000]);
      const journal = first.journal();
      expect(journal).toEqual(expect.any(String));
      network.cut();
      await ada.http.mutation(functions.orders.place, limit("20004"));
      await expect.poll(() => wire.connections.length).toBeGreaterThan(1);
      await expect.poll(() => prices(first.localQueryResult())).toEqual([20_004, 20_003, 20_002]);
      expect(prices(second.localQueryResult())).toEqual([20_001, 20_000]);
      expect(first.journal()).toBe(journal);
      const again = wire.connections
        .at(-1)
        ?.flatMap(({ from, message }) =>
          from === "client" ? ((message.modifications ?? []) as Answer[]) : [],
        );
      expect(again?.find(({ args }) => args[0].paginationOpts.cursor === null)).toMatchObject({
        journal,
      });
    });

    test("a mutation that was cut off is sent again and executed once; an action is lost", async () => {
      const { exchange, ada, wire, options, token } = await start();
      const network = await startFlakyNetwork(Number(new URL(exchange.url).port));
      closers.push(() => network.close());
      const client = new convex.ConvexClient(network.address, options);
      closers.push(() => client.close());
      client.setAuth(token);
      await client.mutation(functions.orders.place, limit("20000"));
      // Nothing comes back any more: the order is executed, its answer is lost.
      network.mute();
      const placed = client.mutation(functions.orders.place, limit("20001"));
      const acted = refusalOf(client.action(functions.activity.page, {}));
      await expect.poll(async () => (await restingOf(ada)).length).toBe(2);
      network.cut();
      const { order } = await placed;
      expect(order.price).toBe("20001.00");
      expect(await restingOf(ada)).toHaveLength(2);
      expect((await acted).message).toContain("Connection lost while action was in flight");
      const sent = wire.of("Mutation").map(({ requestId }) => requestId as number);
      expect(sent.filter((requestId) => requestId === sent.at(-1))).toHaveLength(2);
      expect(wire.of("Action")).toHaveLength(1);
    });
  });

  test("the newest client's paginated subscription loads, grows and ends", async () => {
    const { exchange, ada, options, token } = await start();
    const client = new newest.ConvexClient(exchange.url, options);
    closers.push(() => client.close());
    client.setAuth(token);
    for (const price of ["20000", "20001", "20002"]) {
      await ada.http.mutation(functions.orders.place, limit(price));
    }
    const pages = client.onPaginatedUpdate_experimental(
      // Its types want the options that it adds itself.
      functions.orders.list as Answer,
      {},
      { initialNumItems: 2 },
      () => {},
    );
    const current = () => pages.getCurrentValue() as Answer;
    await expect.poll(() => current()?.status).toBe("CanLoadMore");
    await client.mutation(functions.orders.place, limit("20003"));
    expect(current().results).toHaveLength(3);
    current().loadMore(2);
    await expect.poll(() => current()?.status).toBe("Exhausted");
    expect(current().results.map(({ price }: Order) => Number(price))).toEqual([
      20_003, 20_002, 20_001, 20_000,
    ]);
  });

  test("React Query reads over HTTP while a page is rendered", async () => {
    const { exchange, ada, token } = await start();
    const backend = new ConvexQueryClient(exchange.url, OPTIONS);
    const queryClient = new QueryClient({
      defaultOptions: { queries: { queryKeyHashFn: backend.hashFn(), queryFn: backend.queryFn() } },
    });
    closers.push(() => queryClient.clear());
    backend.connect(queryClient);
    backend.serverHttpClient?.setAuth(await token());
    const { order } = await ada.http.mutation(functions.orders.place, limit("20000"));
    const read = queryClient.fetchQuery(convexQuery(functions.orders.open, {}));
    expect(await read).toEqual([order]);
  });
});
