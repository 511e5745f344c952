import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type { EventOf } from "#engine/events.ts";
import { EXTERNAL_ACCOUNT, FIRST_USER_ACCOUNT, type Posting } from "#engine/accounts/postings.ts";
import { LedgerAccounts } from "../views/ledger-accounts.ts";
import { Solvency, type SolvencyOptions } from "./solvency.ts";

const PEOPLE = 2_000;

function scene() {
  const accounts = new LedgerAccounts();
  const open = (number: number) =>
    accounts.foldOpened({
      account: FIRST_USER_ACCOUNT + number,
      userId: `user ${number}`,
      kind: "person",
      timestampMs: 0,
    } as EventOf<"accountOpened">);
  const pay = (debitAccount: number, creditAccount: number, units: number) => {
    const amount = units as Posting["amount"];
    const available = { debitBalance: "available", creditBalance: "available" } as const;
    const posting = { ...available, assetId: 1, amount, debitAccount, creditAccount };
    accounts.foldPosting({ ...posting, reason: "adjustment" });
    views.sequence += 1;
  };
  const coin = { assetId: 1, definition: { symbol: "USD", scale: 2 } };
  const views = { accounts, catalogue: { coins: () => [coin] }, sequence: 0, nowMs: () => 1 };
  for (let number = 0; number < PEOPLE; number++) {
    open(number);
    pay(EXTERNAL_ACCOUNT, FIRST_USER_ACCOUNT + number, 100);
  }
  const solvency = new Solvency({
    views: views as unknown as SolvencyOptions["views"],
    whenSettled: () => Promise.resolve(),
    verifiedMs: () => Promise.resolve(undefined),
  });
  return { accounts, open, pay, solvency, views };
}

test("balances are read in slices, however many accounts there are", async () => {
  const { accounts, solvency } = scene();
  const reads = vi.spyOn(accounts, "total");
  const taken = solvency.report();
  let most = 0;
  for (let before = 0; reads.mock.calls.length < PEOPLE; before = reads.mock.calls.length) {
    await nextTurn();
    most = Math.max(most, reads.mock.calls.length - before);
  }
  // Two slices, if the test gets its turn between the last two.
  expect(most).toBeLessThanOrEqual(1_000);
  expect((await taken).coins).toMatchObject([{ people: "2000.00", sum: "0.00" }]);
});

test("what changes while balances are read is in the report, which is of one sequence", async () => {
  const { accounts, open, pay, solvency, views } = scene();
  const first = FIRST_USER_ACCOUNT;
  const last = FIRST_USER_ACCOUNT + PEOPLE - 1;
  const reads = vi.spyOn(accounts, "total");
  const taken = solvency.report();
  await expect.poll(() => reads.mock.calls.length, { interval: 0 }).toBeGreaterThan(0);
  expect(reads.mock.calls.length).toBeLessThan(PEOPLE);
  pay(first, last, 60);
  pay(last, first, 10);
  open(PEOPLE);
  pay(first, last + 1, 50);
  pay(EXTERNAL_ACCOUNT, first, 7);
  const { coins, liabilities, sequence } = await taken;
  expect(coins).toMatchObject([{ people: "2000.07", external: "-2000.07", sum: "0.00" }]);
  expect([liabilities.people, sequence]).toEqual([PEOPLE + 1, views.sequence]);
  const proof = await solvency.proofOf(`user ${PEOPLE}`);
  expect(proof).not.toBeNull();
});
