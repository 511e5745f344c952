/** The postings of the activity rows, summed and compared with the balances. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { addDecimals, trimDecimal } from "#contract/decimal.ts";
import type { PlaceOrderResult } from "#contract/types.ts";
import type { Balance, LedgerEntry, Order, Page } from "#contract/types.ts";
import type { ActivityItem } from "#contract/users.ts";
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

type Person = ReturnType<FunctionScene["as"]>;

/** Numbers from 0 to below 1, the same in every run. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function allRows(person: Person): Promise<ActivityItem[]> {
  const rows: ActivityItem[] = [];
  let cursor: string | null = null;
  do {
    const args: Record<string, unknown> = cursor === null ? {} : { cursor };
    const page: Page<ActivityItem> = await person.answer("activity:page", { ...args, limit: 200 });
    rows.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return rows;
}

const opened = (person: Person, { postings }: ActivityItem) =>
  person.answer<LedgerEntry[]>("accounts:ledgerEntries", postings);

/**
 * The postings of all rows: no row occurs twice, and together they give the balances. Returns their number.
 */
async function expectRowsToAddUp(person: Person): Promise<number> {
  const seen = new Set<string>();
  const sums = new Map<string, string>();
  for (const row of await allRows(person)) {
    if (row.postings === null) continue;
    for (const { id, coin, balance, amount } of await opened(person, row)) {
      expect(seen).not.toContain(id);
      seen.add(id);
      const key = `${coin} ${balance}`;
      sums.set(key, addDecimals(sums.get(key) ?? "0", amount));
    }
  }
  for (const { coin, available, held } of person.value<Balance[]>("accounts:balances")) {
    expect(trimDecimal(sums.get(`${coin} available`) ?? "0")).toBe(trimDecimal(available));
    expect(trimDecimal(sums.get(`${coin} held`) ?? "0")).toBe(trimDecimal(held));
  }
  return seen.size;
}

test("the rows' postings add up to the balances after any trading, none of them twice", async () => {
  const anna = scene.as("anna");
  const bert = scene.as("bert");
  for (const person of [anna, bert]) await person.done("accounts:takePracticeFunds");
  for (const userId of ["anna", "bert"]) {
    // Its limit of orders in ten seconds is above the number that the test places.
    await scene.as("admin").done("plans:assign", { userId, plan: "pro", reason: "a test" });
  }
  const random = randomNumbers(7);
  const price = () => (49_990 + Math.floor(random() * 20)).toFixed(2);
  const quantity = () => (0.0003 + Math.floor(random() * 60) / 10_000).toFixed(4);
  const side = () => (random() < 0.5 ? "buy" : "sell");
  for (let step = 0; step < 700; step += 1) {
    const person = random() < 0.7 ? anna : bert;
    const order = { market: "BTC-USD", side: side(), quantity: quantity() };
    const limit = { ...order, type: "limit", price: price() };
    const kind = Math.floor(random() * 7);
    // Orders without funds or counterparties are refused, which posts nothing.
    if (kind < 2) await maker({ side: side(), price: price(), quantity: quantity() });
    else if (kind === 2) await person.mutate("orders:place", limit);
    else if (kind === 3) await person.mutate("orders:place", { ...limit, timeInForce: "ioc" });
    else if (kind === 4) await person.mutate("orders:place", { ...order, type: "market" });
    else if (kind === 5) {
      const spend = { market: "BTC-USD", side: "buy", type: "market", quoteAmount: "301.07" };
      await person.mutate("orders:place", spend);
    } else {
      const [newest] = person.value<Order[]>("orders:open");
      if (newest !== undefined) await person.done("orders:cancel", { orderId: newest.orderId });
    }
  }
  const resting = { market: "BTC-USD", side: "buy", type: "limit", price: "40000.01" };
  await anna.done("orders:place", { ...resting, quantity: "0.0123" });
  const statuses = new Set((await allRows(anna)).map(({ status }) => status));
  expect([...statuses].toSorted()).toEqual(
    expect.arrayContaining(["cancelled", "expired", "filled", "open"]),
  );
  // More than is kept in memory, so that history answers for the older rows.
  expect(await expectRowsToAddUp(anna)).toBeGreaterThan(500);
  await expectRowsToAddUp(bert);
}, 60_000);

test("an order opens what it held and got back, each fill its own trade and fee", async () => {
  const carl = scene.as("carl");
  await carl.done("accounts:takePracticeFunds");
  const account = scene.services.views.accounts.ofUser("carl")?.account;
  for (const { account: number } of scene.services.views.accounts.all()) {
    if (number === account) continue;
    const command = { type: "cancelAllOrders", account: number, marketId: 0 } as const;
    await scene.services.exchange.submit(command);
  }
  await maker({ side: "sell", price: "100", quantity: "1" });
  await maker({ side: "sell", price: "101", quantity: "2" });
  const { order } = await carl.done<PlaceOrderResult>("orders:place", {
    market: "BTC-USD",
    side: "buy",
    type: "limit",
    price: "102",
    quantity: "4",
  });
  await carl.done("orders:cancel", { orderId: order.orderId });
  const rows = (await allRows(carl)).filter(({ kind }) => kind === "order" || kind === "fill");
  const shown = await Promise.all(
    rows.map(async (row) =>
      (await opened(carl, row)).map(({ reason, balance, amount, coin }) =>
        [reason, balance, amount, coin].join(" "),
      ),
    ),
  );
  expect(rows.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
    "fill filled",
    "fill filled",
    "order cancelled",
  ]);
  expect(shown).toEqual([
    [
      "trade held -202.000000 USD",
      "trade available 2.00000000 BTC",
      "takerFee available -0.00500000 BTC",
    ],
    [
      "trade held -100.000000 USD",
      "trade available 1.00000000 BTC",
      "takerFee available -0.00250000 BTC",
    ],
    [
      "hold available -408.000000 USD",
      "hold held 408.000000 USD",
      "release held -2.000000 USD",
      "release available 2.000000 USD",
      "release held -2.000000 USD",
      "release available 2.000000 USD",
      "release held -102.000000 USD",
      "release available 102.000000 USD",
    ],
  ]);

  const other = scene.as("dana");
  await other.done("accounts:takePracticeFunds");
  for (const { postings } of rows) {
    const result = await other.act("accounts:ledgerEntries", postings);
    expect(refusal(result)).toMatchObject({ code: "unknownOrder" });
  }
});

test("a selection that lacks or spoils a part is refused by name", async () => {
  const emil = scene.as("emil");
  for (const [selection, field] of [
    [{}, "sequence"],
    [{ tradeId: 1 }, "orderId"],
    [{ sequence: 1, tradeId: 1 }, "orderId"],
    [{ orderId: "1", tradeId: 1 }, "sequence"],
    [{ orderId: "1", sequence: 1 }, "tradeId"],
    [{ orderId: "x" }, "orderId"],
    [{ orderId: 1 }, "orderId"],
    [{ orderId: "1", sequence: 1, tradeId: 0 }, "tradeId"],
    [{ sequence: 1, account: 1 }, "account"],
  ] as const) {
    const result = await emil.act("accounts:ledgerEntries", selection);
    expect(refusal(result)).toMatchObject({ code: "invalidArgument", field });
  }
});
