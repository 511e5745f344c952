/** The pages of a user's orders: those in memory together with those that only the history has. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { PaginatedPage } from "#contract/pagination.ts";
import type { Order, Page } from "#contract/types.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";
import { placeOrderCommand } from "#test/support/market-scene.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene();
});
afterAll(() => scene.close());

let people = 0;
async function newTrader() {
  people += 1;
  const userId = `pages-${people}`;
  const trader = scene.as(userId);
  await trader.done("accounts:takePracticeFunds");
  const { exchange, views } = scene.services;
  const account = views.accounts.ofUser(userId)?.account ?? 0;
  /** Without the limits of a user's plan on commands. */
  const place = async (price = "30000") => {
    const order = { account, market: "BTC-USD", side: "buy", price, quantity: "0.001" } as const;
    const { rejected } = await exchange.submit(placeOrderCommand(views, order));
    if (rejected !== undefined) throw new Error(`refused: ${rejected}`);
  };
  const cancelAll = () => exchange.submit({ type: "cancelAllOrders", account, marketId: 0 });
  const placeEnded = async (count: number) => {
    for (let placed = 0; placed < count; placed += 20) {
      await Promise.all(Array.from({ length: Math.min(20, count - placed) }, () => place()));
      await cancelAll();
    }
  };
  return { trader, account, place, cancelAll, placeEnded };
}
type Trader = Awaited<ReturnType<typeof newTrader>>["trader"];

interface Opts {
  numItems?: number;
  cursor?: string | null;
  endCursor?: string;
}

/** A page as a client sees it, with the journal that the client would send back. */
async function pageOf(trader: Trader, opts: Opts = {}, journal: string | null = null, more = {}) {
  const args = { ...more, paginationOpts: { numItems: 4, cursor: null, ...opts } };
  const answer = await trader.loaded("orders:list", args, journal);
  if (answer.result.status === "error") throw new Error(answer.result.message);
  const value = answer.result.value as PaginatedPage<Order>;
  const ids = value.page.map(({ orderId }) => Number(orderId));
  return { ...value, ids, journal: answer.journal ?? null, topics: answer.topics };
}

async function allPages(trader: Trader, numItems: number): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor: string | null = null; ;) {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(trader, { numItems, cursor });
    ids.push(...page.ids);
    if (page.isDone) return ids;
    cursor = page.continueCursor;
  }
}

const descending = (ids: readonly number[]) => ids.toSorted((one, other) => other - one);

test("a page keeps its end when orders are added, so the next one loses and repeats none", async () => {
  const { trader, place, account } = await newTrader();
  for (let count = 0; count < 10; count += 1) await place();
  const first = await pageOf(trader);
  const second = await pageOf(trader, { cursor: first.continueCursor });
  expect([first.isDone, second.isDone]).toEqual([false, false]);
  for (let count = 0; count < 3; count += 1) await place();
  const grown = await pageOf(trader, {}, first.journal);
  expect(grown.ids).toHaveLength(7);
  expect(grown.ids.slice(3)).toEqual(first.ids);
  expect(grown.continueCursor).toBe(first.continueCursor);
  const last = await pageOf(trader, { cursor: second.continueCursor });
  expect(last.isDone).toBe(true);
  const all = scene.services.views.people.recentOrders(account).map(({ orderId }) => orderId);
  expect([...grown.ids, ...second.ids, ...last.ids]).toEqual(all);
});

test("programs read the same orders page by page, once each, by the action", async () => {
  const { trader, place, cancelAll } = await newTrader();
  for (let count = 0; count < 5; count += 1) await place();
  await cancelAll();
  await place();
  const ids: number[] = [];
  let cursor: string | null = null;
  do {
    const args: object = cursor === null ? { limit: 4 } : { limit: 4, cursor };
    const page: Page<Order> = await trader.answer("orders:history", args);
    ids.push(...page.items.map(({ orderId }) => Number(orderId)));
    cursor = page.cursor;
  } while (cursor !== null);
  expect(ids).toHaveLength(6);
  expect(ids).toEqual(await allPages(trader, 4));
});

test("a list that had no end gets all that follows on its last page", async () => {
  const { trader, place } = await newTrader();
  const empty = await pageOf(trader);
  expect([empty.page, empty.isDone]).toEqual([[], true]);
  await place();
  const one = await pageOf(trader, {}, empty.journal);
  expect([one.ids.length, one.isDone, one.splitCursor]).toEqual([1, true, null]);
  const stranger = await pageOf(scene.as("without an account"));
  expect([stranger.page, stranger.isDone]).toEqual([[], true]);
});

test("a page that is split in two has the same orders", async () => {
  const { trader, place } = await newTrader();
  for (let count = 0; count < 7; count += 1) await place();
  const page = await pageOf(trader, { numItems: 5 });
  const middle = page.splitCursor ?? "";
  const upper = await pageOf(trader, { numItems: 5, endCursor: middle });
  const lower = await pageOf(trader, {
    numItems: 5,
    cursor: middle,
    endCursor: page.continueCursor,
  });
  expect([...upper.ids, ...lower.ids]).toEqual(page.ids);
  expect([upper.continueCursor, lower.continueCursor]).toEqual([middle, page.continueCursor]);
});

test("orders that only the history has follow those in memory, and no page misses one", async () => {
  const { trader, account, place, placeEnded } = await newTrader();
  await place("20000");
  await placeEnded(620);
  const { history, views } = scene.services;
  await history.whenProjected();
  const reads = vi.spyOn(history, "readsCaughtUpTo");
  const inMemory = views.people.recentOrders(account).length;
  expect(inMemory).toBeLessThan(450);
  const ids = await allPages(trader, 50);
  expect(ids).toEqual(descending(ids));
  // The first order was cancelled with the others, and is the oldest.
  expect(new Set(ids).size).toBe(621);
  const readsOnce = reads.mock.calls.length;
  expect(readsOnce).toBeGreaterThan(0);
  expect(await allPages(trader, 50)).toEqual(ids);
  expect(reads.mock.calls.length).toBe(readsOnce);

  const first = await pageOf(trader, { numItems: 50 });
  await placeEnded(450);
  const grown = await pageOf(trader, { numItems: 50 }, first.journal);
  expect(grown.ids.slice(450)).toEqual(first.ids);
  expect(grown.pageStatus).toBe("SplitRecommended");
  await placeEnded(60);
  const overgrown = await pageOf(trader, { numItems: 50 }, first.journal);
  expect(overgrown.pageStatus).toBe("SplitRequired");
  const upper = await pageOf(trader, { endCursor: overgrown.splitCursor ?? "" });
  const lower = await pageOf(trader, {
    cursor: overgrown.splitCursor,
    endCursor: first.continueCursor,
  });
  expect([upper.pageStatus, lower.pageStatus]).toEqual(["SplitRecommended", "SplitRecommended"]);
  const both = [...upper.ids, ...lower.ids];
  expect(both).toEqual(descending(both));
  expect(both).toHaveLength(560);
  reads.mockRestore();
});

test("a page of ended orders is never read again, whatever the user does next", async () => {
  const { trader, place, placeEnded, account } = await newTrader();
  await placeEnded(6);
  const first = await pageOf(trader);
  expect([...first.topics]).toContain(`account:${account}`);
  const rest = await pageOf(trader, { cursor: first.continueCursor });
  expect([...rest.topics]).toEqual(["catalogue"]);
  // A page with an open order may still change.
  const other = await newTrader();
  for (let count = 0; count < 6; count += 1) await other.place();
  const open = await pageOf(other.trader, { cursor: (await pageOf(other.trader)).continueCursor });
  expect([...open.topics]).toContain(`account:${other.account}`);
  await place();
});

test("only orders of the market and the status that were asked for", async () => {
  const { trader, place, placeEnded } = await newTrader();
  await placeEnded(3);
  await place();
  const of = async (more: object) => (await pageOf(trader, {}, null, more)).ids.length;
  expect(await of({ market: "BTC-USD" })).toBe(4);
  expect(await of({ market: "DOGE-USD" })).toBe(0);
  expect(await of({ status: "open" })).toBe(1);
  expect(await of({ status: "cancelled" })).toBe(3);
  expect(await of({ status: "filled" })).toBe(0);
});

test("a cursor or a journal that no page handed out is refused with the client's word for it", () => {
  const anna = scene.as("anna");
  const refused = (opts: Opts, journal: string | null = null) => {
    const args = { paginationOpts: { numItems: 4, cursor: null, ...opts } };
    return refusal(anna.query("orders:list", args, journal).result);
  };
  for (const error of [
    refused({ cursor: "rubbish" }),
    refused({ endCursor: "rubbish" }),
    refused({}, "rubbish"),
    // The range ends before it begins.
    refused({ cursor: "MQ", endCursor: "Mg" }),
  ]) {
    expect(error).toMatchObject({ code: "invalidArgument" });
    expect(error.message).toContain("InvalidCursor");
  }
});

test("a history that cannot be read is said, and read again later", async () => {
  const { trader, placeEnded } = await newTrader();
  await placeEnded(220);
  const { history } = scene.services;
  const away = vi.spyOn(history, "readsCaughtUpTo").mockRejectedValue(new Error("no database"));
  const args = { paginationOpts: { numItems: 10, cursor: null } };
  const failed = await trader.loaded("orders:list", args);
  expect(failed.result).toMatchObject({ status: "error", message: "Internal error" });
  away.mockRestore();
  await expect
    .poll(async () => (await trader.loaded("orders:list", args)).result.status)
    .toBe("success");
});

test("a kind and a side are found among the orders that only the history has", async () => {
  const { trader, cancelAll, placeEnded } = await newTrader();
  const order = { market: "BTC-USD", side: "buy", type: "limit", price: "20000.00" };
  await trader.done("orders:place", { ...order, quantity: "0.5", display: "0.1" });
  await cancelAll();
  await placeEnded(220);
  await scene.services.history.whenProjected();
  const found = await pageOf(trader, {}, null, { kind: "iceberg" });
  expect(found).toMatchObject({ isDone: true, page: [{ quantity: "0.5000" }] });
  expect(await pageOf(trader, {}, null, { side: "sell" })).toMatchObject({ isDone: true, ids: [] });
});
