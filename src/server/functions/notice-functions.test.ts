import { afterAll, beforeAll, expect, test } from "vitest";
import type { Notice, NoticeSettings, RecentNotices } from "#contract/notices.ts";
import type { Adjustment, Page, PlaceOrderResult } from "#contract/types.ts";
import {
  type FunctionScene,
  openFunctionScene,
  type PlaceForParticipant,
  refusal,
} from "#test/support/function-scene.ts";

let scene: FunctionScene;
let buyer: PlaceForParticipant;
let seller: PlaceForParticipant;
let people = 0;

beforeAll(async () => {
  scene = await openFunctionScene();
  buyer = await scene.participant("buyer", { USD: 10_000_000, BTC: 10 });
  seller = await scene.participant("seller", { USD: 10_000_000, BTC: 100 });
});
afterAll(() => scene.close());

/** A user with practice funds, and their notices. */
async function newTrader() {
  people += 1;
  const userId = `person-${people}`;
  const person = scene.as(userId);
  await person.done("accounts:takePracticeFunds");
  const recent = () => person.value<RecentNotices | null>("notices:recent");
  await expect.poll(recent).not.toBeNull();
  return {
    ...person,
    userId,
    notices: () => recent()?.notices ?? [],
    unread: () => recent()?.unread,
    async rest(price: string, quantity = "0.5", more: object = {}) {
      const terms = { market: "BTC-USD", side: "buy", type: "limit", price, quantity, ...more };
      return (await person.done<PlaceOrderResult>("orders:place", terms)).order;
    },
  };
}

test("a resting order that fills is one unread notice, however many fills it takes", async () => {
  const anna = await newTrader();
  const order = await anna.rest("30000", "0.5");
  await seller({ side: "sell", price: "30000", quantity: "0.1" });
  expect(anna.notices()[0]).toMatchObject({
    kind: "fill",
    title: "Bought 0.1 of 0.5 BTC",
    link: { page: "fill", orderId: order.orderId },
    isRead: false,
    announce: { page: true, browser: false },
  });
  await seller({ side: "sell", price: "30000", quantity: "0.4" });
  const [filled, ...others] = anna.notices();
  expect(filled).toMatchObject({
    title: "Bought 0.5 BTC",
    detail: "Limit 30,000.00, filled at an average of 30,000.00 USD.",
  });
  expect(others.map(({ kind }) => kind)).toEqual(["funds"]);
  expect(anna.unread()).toBe(1);
});

test("what the answer to an order has told counts as read and is not announced", async () => {
  const bert = await newTrader();
  await seller({ side: "sell", price: "30000", quantity: "0.1" });
  await bert.rest("30000", "0.1");
  expect(bert.notices()[0]).toMatchObject({
    title: "Bought 0.1 BTC",
    isRead: true,
    announce: { page: false, browser: false },
  });
  expect(bert.unread()).toBe(0);
});

test("an order's end is a notice unless the owner ended it", async () => {
  const carl = await newTrader();
  const own = await carl.rest("20000");
  await carl.done("orders:cancel", { orderId: own.orderId });
  expect(carl.notices().map(({ kind }) => kind)).toEqual(["funds"]);
  const { orderId } = await carl.rest("20000");
  await scene.as("admin-olga").done("accounts:freeze", {
    userId: carl.userId,
    frozen: true,
    cancelOrders: true,
    reason: "a test",
  });
  expect(carl.notices()[0]).toMatchObject({
    kind: "order",
    title: "Order cancelled",
    detail: "Buy 0.5 BTC · Limit 20,000.00. Your account was frozen.",
    link: { page: "order", orderId },
    isRead: false,
  });
});

test("an order that its trigger has put into the book is a notice", async () => {
  const dora = await newTrader();
  await seller({ side: "sell", price: "30000", quantity: "0.1" });
  await buyer({ side: "buy", price: "30000", quantity: "0.1" });
  await dora.rest("29000", "0.1", { trigger: { type: "takeProfit", price: "29500" } });
  expect(dora.notices()).toHaveLength(1);
  await seller({ side: "sell", price: "29400", quantity: "0.1" });
  await buyer({ side: "buy", price: "29400", quantity: "0.1" });
  expect(dora.notices()[0]).toMatchObject({
    kind: "order",
    title: "Order triggered",
    detail: "Buy 0.1 BTC · Take profit 29,500.00 → limit 29,000.00. It rests in the book.",
    isRead: false,
  });
});

test("funds: one's own are known, an adjustment by administrators is unread", async () => {
  const emil = await newTrader();
  expect(emil.notices()).toMatchObject([
    { title: "Practice funds taken", detail: "100,000 USD.", isRead: true },
  ]);
  const { adjustmentId } = await scene.as("admin-olga").done<Adjustment>("adjustments:propose", {
    userId: emil.userId,
    coin: "USD",
    amount: "12.5",
    reason: "a fee taken twice",
  });
  await scene.as("admin-otto").done("adjustments:approve", { adjustmentId });
  expect(emil.notices()[0]).toMatchObject({
    kind: "funds",
    title: "Balance adjusted",
    detail: "An adjustment gave 12.5 USD: a fee taken twice.",
    isRead: false,
  });
});

test("an alert that fires is a notice", async () => {
  const fritz = await newTrader();
  await seller({ side: "sell", price: "30000", quantity: "0.1" });
  await buyer({ side: "buy", price: "30000", quantity: "0.1" });
  await fritz.done("alerts:create", {
    market: "BTC-USD",
    condition: { kind: "price", price: "31000" },
  });
  await fritz.done("alerts:create", {
    market: "BTC-USD",
    condition: { kind: "change", percent: "3", windowMinutes: 15 },
  });
  await seller({ side: "sell", price: "31500", quantity: "0.1" });
  await buyer({ side: "buy", price: "31500", quantity: "0.1" });
  await expect.poll(() => fritz.unread()).toBe(2);
  expect(fritz.notices().map(({ title, detail }) => `${title} | ${detail}`)).toEqual(
    expect.arrayContaining([
      "BTC-USD rose to 31,500.00 | Your alert: crosses 31,000.00.",
      expect.stringMatching(
        /^BTC-USD rose by \d+\.\d\d % within 15 min \| From .* to 31,500.00\.$/,
      ),
    ]),
  );
});

test("notices are marked read one by one and all at once, and a later one is unread again", async () => {
  const greta = await newTrader();
  for (const price of ["30000", "30001"]) {
    await greta.rest(price, "0.1");
    await seller({ side: "sell", price, quantity: "0.1" });
  }
  const [newest, older] = greta.notices();
  expect(greta.unread()).toBe(2);
  await greta.done("notices:markRead", { noticeIds: [older.noticeId] });
  expect(greta.notices().map(({ isRead }) => isRead)).toEqual([false, true, true]);
  await greta.done("notices:markAllRead", { until: newest.time });
  expect(greta.unread()).toBe(0);
  await greta.rest("30002", "0.1");
  await seller({ side: "sell", price: "30002", quantity: "0.1" });
  expect(greta.unread()).toBe(1);
});

test("a kind that is switched off is listed, and neither counted nor announced", async () => {
  const hans = await newTrader();
  const settings = await hans.done<NoticeSettings>("notices:setSwitches", {
    kind: "fill",
    switches: { page: false, browser: true },
  });
  expect(settings.fill).toEqual({ page: false, browser: true, mail: false });
  expect(hans.value<NoticeSettings>("notices:settings")).toEqual(settings);
  await hans.rest("30000", "0.1");
  await seller({ side: "sell", price: "30000", quantity: "0.1" });
  expect(hans.notices()[0]).toMatchObject({ announce: { page: false, browser: true } });
  expect(hans.unread()).toBe(0);
});

test("pages continue where the previous one ended", async () => {
  const ida = await newTrader();
  for (let count = 0; count < 5; count += 1) {
    await ida.rest(`3000${count}`, "0.1");
    await seller({ side: "sell", price: `3000${count}`, quantity: "0.1" });
  }
  const all: Notice[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const args = cursor === undefined ? { limit: 2 } : { limit: 2, cursor };
    const page = await ida.answer<Page<Notice>>("notices:page", args);
    expect(page.items.length).toBeLessThanOrEqual(2);
    all.push(...page.items);
    cursor = page.cursor;
  }
  expect(all).toEqual(ida.notices());
  expect(all).toHaveLength(6);
  expect(refusal(await ida.act("notices:page", { cursor: "no" })).field).toBe("cursor");
});

test("no one sees another's notices, and a visitor has none", async () => {
  const jana = await newTrader();
  await jana.rest("30000", "0.1");
  await seller({ side: "sell", price: "30000", quantity: "0.1" });
  const karl = await newTrader();
  expect(karl.notices().map(({ kind }) => kind)).toEqual(["funds"]);
  await karl.done("notices:markAllRead", { until: Date.now() });
  expect(jana.unread()).toBe(1);
  const visitor = scene.as(null);
  for (const path of ["notices:recent", "notices:settings"]) {
    expect(refusal(visitor.query(path).result).code).toBe("unauthorized");
  }
  expect(refusal(await visitor.act("notices:page")).code).toBe("unauthorized");
});
