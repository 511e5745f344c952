import { afterAll, beforeAll, expect, test } from "vitest";
import type { Balance, LedgerEntry, Page, Portfolio, Statement } from "#contract/types.ts";
import type { ActivityItem, CurrentUser } from "#contract/users.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene({ settings: { PRACTICE_FUNDS: "BTC:1.5,USD:2000" } });
});
afterAll(() => scene.close());

test("practice funds of several coins are one taking, shown coin by coin everywhere", async () => {
  const anna = scene.as("anna");
  expect(anna.value<CurrentUser>("users:current")).toMatchObject({
    practiceFunds: [
      { coin: "BTC", amount: "1.5" },
      { coin: "USD", amount: "2000" },
    ],
  });
  const since = Date.now();
  const taken = await anna.done("accounts:takePracticeFunds", {}, "funds");
  expect(taken).toEqual([
    { coin: "BTC", amount: "1.50000000" },
    { coin: "USD", amount: "2000.000000" },
  ]);
  expect(await anna.done("accounts:takePracticeFunds", {}, "funds")).toEqual(taken);
  expect(refusal(await anna.mutate("accounts:takePracticeFunds"))).toMatchObject({
    code: "practiceFundsTakenToday",
  });

  const owned = anna
    .value<Balance[]>("accounts:balances")
    .filter(({ total }) => /[1-9]/.test(total))
    .map(({ coin, total }) => [coin, total]);
  expect(owned).toEqual([
    ["USD", "2000.000000"],
    ["BTC", "1.50000000"],
  ]);
  const titles = ["Took 2,000 USD of practice funds", "Took 1.5 BTC of practice funds"];
  const recent = anna.value<ActivityItem[]>("activity:recent");
  expect(recent.slice(0, 2).map(({ title }) => title)).toEqual(titles);
  expect(new Set(recent.map(({ id }) => id)).size).toBe(recent.length);
  const page = await anna.answer<Page<ActivityItem>>("activity:page", { search: "practice" });
  expect(page.items.map(({ title }) => title)).toEqual(titles);
  const opened = await Promise.all(
    page.items.map((row) => anna.answer<LedgerEntry[]>("accounts:ledgerEntries", row.postings)),
  );
  expect(opened.map((entries) => entries.map(({ coin, amount }) => [coin, amount]))).toEqual([
    [["USD", "2000.000000"]],
    [["BTC", "1.50000000"]],
  ]);
  const statement = await anna.answer<Statement>("accounts:statement", {
    from: since - 60_000,
    to: since + 60_000,
  });
  expect(statement.coins.map(({ coin, opening, closing }) => [coin, opening, closing])).toEqual([
    ["USD", "0.000000", "2000.000000"],
    ["BTC", "0.00000000", "1.50000000"],
  ]);
  expect(anna.value<Portfolio>("portfolio:summary").holdings.map(({ coin }) => coin)).toContain(
    "BTC",
  );
});
