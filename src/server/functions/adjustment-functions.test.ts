import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MyPlan } from "#contract/plans.ts";
import type {
  Adjustment,
  Balance,
  LedgerEntry,
  Order,
  Portfolio,
  Statement,
} from "#contract/types.ts";
import type { ActivityItem } from "#contract/users.ts";
import { addDecimals } from "#contract/decimal.ts";
import {
  type FunctionScene,
  type PlaceForParticipant,
  openFunctionScene,
  refusal,
} from "#test/support/function-scene.ts";

let scene: FunctionScene;
let maker: PlaceForParticipant;
beforeAll(async () => {
  scene = await openFunctionScene();
  maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000 });
});
afterAll(() => scene.close());

interface Lists {
  pending: Adjustment[];
  decided: Adjustment[];
}
const olga = () => scene.as("admin-olga");
const paul = () => scene.as("admin-paul");
const propose = (userId: string, amount: string, coin = "USD") =>
  olga().done<Adjustment>("adjustments:propose", { userId, coin, amount, reason: "lost deposit" });
const dollarsOf = (userId: string) =>
  scene
    .as(userId)
    .value<Balance[]>("accounts:balances")
    .find(({ coin }) => coin === "USD")?.available;

describe("an adjustment", () => {
  test("moves money when a second administrator approves it, and shows to its owner", async () => {
    await scene.as("anna").done("accounts:takePracticeFunds");
    const proposed = await propose("anna", "12.50");
    expect(proposed).toMatchObject({
      userId: "anna",
      coin: "USD",
      amount: "12.500000",
      status: "pending",
      proposedBy: "admin-olga",
      decidedBy: null,
    });
    const { adjustmentId } = proposed;
    expect(olga().value<Lists>("adjustments:list").pending).toEqual([proposed]);
    expect(dollarsOf("anna")).toBe("100000.000000");
    expect(refusal(await olga().mutate("adjustments:approve", { adjustmentId }))).toMatchObject({
      code: "sameAdministrator",
    });

    const approved = await paul().done<Adjustment>("adjustments:approve", { adjustmentId });
    expect(approved).toMatchObject({ status: "approved", decidedBy: "admin-paul" });
    expect(dollarsOf("anna")).toBe("100012.500000");
    const { pending, decided } = paul().value<Lists>("adjustments:list");
    expect([pending, decided]).toEqual([[], [approved]]);

    const [item] = scene.as("anna").value<ActivityItem[]>("activity:recent");
    expect(item).toMatchObject({
      kind: "transfer",
      title: "An adjustment gave 12.5 USD: lost deposit",
      amount: "12.500000",
    });
    const entries = await scene
      .as("anna")
      .answer<LedgerEntry[]>("accounts:ledgerEntries", item.postings);
    expect(entries).toMatchObject([{ reason: "adjustment", amount: "12.500000" }]);
    // A deposit is not a profit.
    expect(scene.as("anna").value<Portfolio>("portfolio:summary")).toMatchObject({
      deposited: "100012.500000",
      profit: "0.000000",
    });
  });

  test("takes only what is available, and can be rejected", async () => {
    await scene.as("bert").done("accounts:takePracticeFunds");
    const tooMuch = await propose("bert", "-100000.000001");
    const { adjustmentId } = tooMuch;
    expect(refusal(await paul().mutate("adjustments:approve", { adjustmentId }))).toEqual({
      code: "insufficientAvailable",
      field: "amount",
      message: "The user does not have that much available: open orders may hold it.",
    });
    const rejected = await olga().done<Adjustment>("adjustments:reject", { adjustmentId });
    expect(rejected).toMatchObject({ status: "rejected", decidedBy: "admin-olga" });
    const all = await propose("bert", "-100000");
    await paul().done("adjustments:approve", { adjustmentId: all.adjustmentId });
    expect(dollarsOf("bert")).toBe("0.000000");
    expect(scene.services.views.accounts.sumOfAll(1)).toBe(0n);
  });

  test("is proposed once, however often the request arrives", async () => {
    const args = { userId: "anna", coin: "BTC", amount: "0.5", reason: "twice" };
    const first = await olga().done<Adjustment>("adjustments:propose", args, "once");
    expect(await olga().done("adjustments:propose", args, "once")).toEqual(first);
    await olga().done("adjustments:reject", { adjustmentId: first.adjustmentId });
    expect(olga().value<Lists>("adjustments:list").pending).toEqual([]);
  });

  test.each([
    [{ userId: "unknown" }, "unknownAccount", undefined],
    [{ coin: "NOPE" }, "unknownAsset", "coin"],
    [{ amount: "0" }, "invalidAmount", "amount"],
    [{ amount: "0.0000001" }, "invalidArgument", "amount"],
    [{ amount: "9007199255" }, "invalidArgument", "amount"],
    [{ amount: "much" }, "invalidArgument", "amount"],
    [{ reason: "  " }, "invalidArgument", "reason"],
  ])("with %j is refused: %s", async (changes, code, field) => {
    const args = { userId: "anna", coin: "USD", amount: "1", reason: "because", ...changes };
    const refused = refusal(await olga().mutate("adjustments:propose", args));
    expect([refused.code, refused.field]).toEqual([code, field]);
  });

  test("is for administrators only", async () => {
    const anna = scene.as("anna");
    const args = { userId: "anna", coin: "USD", amount: "1000000", reason: "please" };
    expect(refusal(await anna.mutate("adjustments:propose", args)).code).toBe("forbidden");
    for (const name of ["approve", "reject"]) {
      const refused = await anna.mutate(`adjustments:${name}`, { adjustmentId: 1 });
      expect(refusal(refused).code).toBe("forbidden");
    }
    expect(refusal(anna.query("adjustments:list").result).code).toBe("forbidden");
  });
});

describe("a frozen account", () => {
  const order = { market: "BTC-USD", side: "buy", type: "limit", price: "40000", quantity: "0.1" };

  test("changes no plan; its orders end only where that is asked for", async () => {
    const carl = scene.as("carl");
    await carl.done("accounts:takePracticeFunds");
    await carl.done("orders:place", order);
    await olga().done("accounts:freeze", { userId: "carl", frozen: true, reason: "stolen" });
    expect(carl.value<MyPlan>("plans:mine").isFrozen).toBe(true);
    expect(refusal(await carl.mutate("plans:choose", { plan: "pro" })).code).toBe("accountFrozen");
    expect(carl.value<Order[]>("orders:open")).toHaveLength(1);
    await olga().done("accounts:freeze", {
      userId: "carl",
      frozen: true,
      cancelOrders: true,
      reason: "court order",
    });
    expect(carl.value<Order[]>("orders:open")).toHaveLength(0);
    await olga().done("accounts:freeze", { userId: "carl", frozen: false, reason: "sorted out" });
    await carl.done("plans:choose", { plan: "pro" });
    const refused = await carl.mutate("accounts:freeze", {
      userId: "anna",
      frozen: true,
      reason: "I dislike her",
    });
    expect(refusal(refused).code).toBe("forbidden");
  });
});

describe("a statement", () => {
  test("adds up to the last unit, over trades, holds, plans and adjustments", async () => {
    const dora = scene.as("dora");
    const before = Date.now();
    await dora.done("accounts:takePracticeFunds");
    await maker({ side: "sell", price: "50000", quantity: "1" });
    await dora.done("orders:place", {
      market: "BTC-USD",
      side: "buy",
      type: "market",
      quantity: "0.3333",
    });
    await dora.done("orders:place", {
      market: "BTC-USD",
      side: "buy",
      type: "limit",
      price: "40000",
      quantity: "0.1",
    });
    await dora.done("plans:choose", { plan: "pro" });
    const { adjustmentId } = await propose("dora", "-1.000001");
    await paul().done("adjustments:approve", { adjustmentId });

    const to = Date.now() + 60_000;
    const statement = await dora.answer<Statement>("accounts:statement", { from: before, to });
    const balances = dora.value<Balance[]>("accounts:balances");
    for (const { coin, opening, closing, closingHeld, lines } of statement.coins) {
      const balance = balances.find((candidate) => candidate.coin === coin);
      expect([closing, closingHeld]).toEqual([balance?.total, balance?.held]);
      const sum = lines.reduce((total, line) => addDecimals(total, line.amount), opening);
      expect(Number(sum)).toBe(Number(closing));
    }
    expect(statement.coins.map(({ coin }) => coin)).toEqual(["USD", "BTC"]);
    const [usd] = statement.coins;
    expect(usd.lines).toEqual([
      { reason: "practiceFunds", amount: "100000.000000", entries: 1 },
      { reason: "trade", amount: "-16665.000000", entries: 1 },
      { reason: "planFee", amount: "-49.000000", entries: 1 },
      { reason: "adjustment", amount: "-1.000001", entries: 1 },
    ]);
    // After its end nothing changes, and the closing balance is the opening one.
    const later = await dora.answer<Statement>("accounts:statement", { from: to, to });
    expect(later.coins[0]).toMatchObject({ opening: usd.closing, closing: usd.closing, lines: [] });
    const earlier = await dora.answer<Statement>("accounts:statement", { from: 0, to: before });
    expect(earlier.coins).toEqual([]);
  });

  test("is for its user only, and ends after it begins", async () => {
    const to = Date.now() + 60_000;
    const stranger = await scene
      .as("stranger")
      .answer<Statement>("accounts:statement", { from: 0, to });
    expect(stranger.coins).toEqual([]);
    const refused = await scene.as("dora").act("accounts:statement", { from: 2, to: 1 });
    expect(refusal(refused)).toMatchObject({ code: "invalidArgument", field: "from" });
  });
});
