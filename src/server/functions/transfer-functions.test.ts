/** Deposits and withdrawals through the public functions, on the ready catalogue of a funded exchange. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { ErrorData } from "#contract/errors.ts";
import type {
  ImportedRow,
  ReviewedTransfer,
  Transfer,
  TransferOptions,
  WithdrawalAddress,
} from "#contract/transfers.ts";
import type {
  Balance,
  LedgerEntry,
  Page,
  Portfolio,
  ProfitReport,
  Statement,
} from "#contract/types.ts";
import type { ActivityItem, AdminChange } from "#contract/users.ts";
import { NotConfirmedError } from "../accounts/own-changes.ts";
import type { SecurityEvent } from "../accounts/audit/security-events.ts";
import { ExchangeBusyError } from "../exchange/exchange-errors.ts";
import { holdsFunds } from "./held-funds.ts";
import { type FunctionScene, openFunctionScene, refusal } from "#test/support/function-scene.ts";

const IBAN = "DE02120300000000202051";
const FUNDED = { CATALOGUE: "catalogues/funded.yaml", FUNDED_MODE: "manual" };
const reason = "seen on the statement";
/** Has decided as much alone today as one may, so that every deposit waits for a second administrator. */
const FUNDER = "admin-funder";

let scene: FunctionScene;
beforeAll(async () => {
  scene = await openFunctionScene({ settings: { ...FUNDED, WITHDRAWAL_ADDRESS_HOURS: "0" } });
  const { transferId } = await announce("zoe", "200.00");
  const args = { transferId, amount: "200", receipt: "Z-1", reason };
  await scene.as(FUNDER).done("transfers:record", args);
});
afterAll(() => scene.close());

const olga = () => scene.as("admin-olga");
const paul = () => scene.as("admin-paul");
let others = 0;
/** An administrator who has decided nothing alone yet. */
const another = () => scene.as(`admin-${++others}`);
const euros = (userId: string) => {
  const balances = scene.as(userId).value<Balance[]>("accounts:balances");
  const found = balances.find(({ coin }) => coin === "EUR");
  return [found?.available, found?.held];
};
const announce = (userId: string, amount: string) =>
  scene.as(userId).done<Transfer>("transfers:requestDeposit", {
    coin: "EUR",
    amount,
    network: "SEPA",
  });
const decide = (who: ReturnType<typeof olga>, transferId: number, step: string) =>
  who.done<ReviewedTransfer>("transfers:decide", { transferId, step, reason });
const refusedTo = async (who: ReturnType<typeof olga>, transferId: number, step: string) =>
  refusal(await who.mutate("transfers:decide", { transferId, step, reason }));

async function fund(userId: string, amount: string): Promise<void> {
  const { transferId } = await announce(userId, amount);
  const args = { transferId, amount, receipt: `S-${transferId}`, reason };
  const recorded = await scene.as(FUNDER).done("transfers:record", args);
  expect(recorded).toMatchObject({ status: "recorded" });
  await decide(paul(), transferId, "approve");
}

const keep = (userId: string, address = IBAN) =>
  scene.as(userId).answer<WithdrawalAddress>("transfers:addAddress", {
    coin: "EUR",
    network: "SEPA",
    address,
    label: "My account",
  });

async function withdraw(userId: string, amount: string, requestId = crypto.randomUUID()) {
  const book = await scene.services.withdrawalAddresses.load(userId);
  const addressId = book[0]?.id ?? (await keep(userId)).addressId;
  return scene.as(userId).act("transfers:requestWithdrawal", { addressId, amount, requestId });
}

async function held(userId: string, amount: string): Promise<Transfer> {
  const result = await withdraw(userId, amount);
  expect(result).toMatchObject({ value: { status: "held" } });
  return scene.as(userId).value<Transfer[]>("transfers:mine")[0];
}

describe("a deposit", () => {
  test("is announced with a reference and instructions, recorded and credited", async () => {
    const requested = await announce("ada", "150.00");
    expect(requested).toMatchObject({
      kind: "deposit",
      status: "requested",
      coin: "EUR",
      amount: "150.00",
      reference: expect.stringMatching(/^OB-\d{6}-\d\d$/) as string,
      instructions: expect.stringContaining("state the reference") as string,
      receipt: null,
    });
    expect(euros("ada")).toEqual(["0.00", "0.00"]);
    const { transferId } = requested;
    const mail = vi.spyOn(scene.services.accounts, "mailNotices");
    const recorded = await olga().done<ReviewedTransfer>("transfers:record", {
      transferId,
      amount: "149.50",
      receipt: "S7-1",
      reason,
    });
    expect(recorded).toMatchObject({ status: "credited", amount: "149.50", userId: "ada" });
    expect(recorded.steps.map(({ byAdmin, status }) => [status, byAdmin])).toEqual([
      ["requested", null],
      ["credited", "admin-olga"],
    ]);
    expect(mail).toHaveBeenCalledWith("ada", [`Deposit ${transferId} of 149.50 EUR is credited.`]);
    mail.mockRestore();
    expect(euros("ada")).toEqual(["149.50", "0.00"]);
  });

  test("stands in the feed, the statement and the portfolio, and is no profit", async () => {
    const ada = scene.as("ada");
    const [item] = ada.value<ActivityItem[]>("activity:recent");
    expect(item).toMatchObject({
      kind: "transfer",
      title: "Deposited 149.5 EUR",
      amount: "149.50",
    });
    const entries = await ada.answer<LedgerEntry[]>("accounts:ledgerEntries", item.postings);
    expect(entries).toMatchObject([{ reason: "deposit", amount: "149.50" }]);
    const statement = await ada.answer<Statement>("accounts:statement", {
      from: 0,
      to: Date.now() + 1000,
    });
    expect(JSON.stringify(statement)).toContain('"deposit"');
    expect(ada.value<Portfolio>("portfolio:summary")).toMatchObject({
      deposited: "149.50",
      profit: "0.00",
    });
    const { heldValue } = await ada.answer<ProfitReport>("portfolio:profits", {});
    expect(heldValue).toBe("149.50");
  });

  test("is bought once in the profits of its coin, whatever steps it took", async () => {
    const nina = scene.as("nina");
    const terms = { coin: "MEET", amount: "4", network: "DESK" };
    const announced = await nina.done<Transfer>("transfers:requestDeposit", terms);
    const { transferId } = announced;
    const args = { transferId, amount: "4", receipt: "M-1", reason };
    expect(await another().done("transfers:record", args)).toMatchObject({ status: "credited" });
    const cancelled = await nina.done<Transfer>("transfers:requestDeposit", terms);
    await nina.done("transfers:cancel", { transferId: cancelled.transferId });
    const { coins } = await nina.answer<ProfitReport>("portfolio:profits", { method: "fifo" });
    expect(coins).toMatchObject([{ coin: "MEET", quantity: "4.0000" }]);
  });

  test("above the limit of one administrator needs a second one, and both are in the audit log", async () => {
    const { transferId } = await announce("bob", "900.00");
    const args = { transferId, amount: "900.00", receipt: "S7-2", reason };
    expect(await olga().done("transfers:record", args)).toMatchObject({ status: "recorded" });
    expect(euros("bob")).toEqual(["0.00", "0.00"]);
    expect(await refusedTo(olga(), transferId, "approve")).toMatchObject({
      code: "sameAdministrator",
    });
    expect(await decide(paul(), transferId, "approve")).toMatchObject({ status: "credited" });
    expect(euros("bob")).toEqual(["900.00", "0.00"]);
    const changes = await olga().answer<Page<AdminChange>>("audit:changes", {
      kind: "transfer",
      limit: 2,
    });
    expect(changes.items).toMatchObject([
      {
        adminId: "admin-paul",
        subject: "bob",
        differences: [
          {
            name: `deposit ${transferId}`,
            before: "recorded: 900.00 EUR",
            after: "credited: 900.00 EUR",
          },
        ],
      },
      { adminId: "admin-olga" },
    ]);
  });

  test("is not credited from a payment that was credited as another deposit", async () => {
    const [first, second] = [await announce("carl", "50"), await announce("carl", "50")];
    const args = { amount: "50", receipt: "TX77", reason };
    await another().done("transfers:record", { ...args, transferId: first.transferId });
    const again = { ...args, transferId: second.transferId };
    expect(refusal(await paul().mutate("transfers:record", again)).field).toBe("receipt");
    const csv = `reference,coin,amount,receipt\n${second.reference},EUR,50,TX77\n`;
    const imported = { csv, apply: true, reason };
    expect(await paul().done("transfers:importDeposits", imported)).toMatchObject([
      { outcome: "refused", detail: expect.stringContaining("receipt") as string },
    ]);
    expect(euros("carl")).toEqual(["50.00", "0.00"]);
  });

  test("of an administrator is recorded by another one", async () => {
    const { transferId } = await announce("admin-olga", "20");
    const args = { transferId, amount: "20", receipt: "S7-3", reason };
    expect(refusal(await olga().mutate("transfers:record", args)).code).toBe("ownTransfer");
    expect(await paul().done("transfers:record", args)).toMatchObject({ status: "credited" });
  });
});

describe("a statement that is imported", () => {
  const csv = (...rows: string[]) => ["reference,coin,amount,receipt", ...rows].join("\n");
  const outcomesOf = async (text: string, apply: boolean) => {
    const args = { csv: text, apply, reason };
    const importer = scene.as("admin-importer");
    const rows = await importer.done<ImportedRow[]>("transfers:importDeposits", args);
    return rows.map(({ outcome }) => outcome);
  };

  test("shows first what it would do, records it once, and changes nothing when imported again", async () => {
    const first = await announce("cora", "50.00");
    const second = await announce("cora", "500.00");
    const text = csv(
      `${first.reference},EUR,50.00,B-1`,
      `${second.reference?.toLowerCase()},eur,500.00,B-2`,
      "OB-999999-99,EUR,1.00,B-3",
      `${first.reference},EUR,50.00,B-1`,
      "rent,EUR,700.00,B-4",
    );
    const shown = ["new", "new", "unmatched", "known", "unmatched"];
    expect(await outcomesOf(text, false)).toEqual(shown);
    expect(euros("cora")).toEqual(["0.00", "0.00"]);
    const done = ["credited", "recorded", "unmatched", "known", "unmatched"];
    expect(await outcomesOf(text, true)).toEqual(done);
    expect(euros("cora")).toEqual(["50.00", "0.00"]);
    const again = ["known", "known", "unmatched", "known", "unmatched"];
    expect(await outcomesOf(text, true)).toEqual(again);
    expect(euros("cora")).toEqual(["50.00", "0.00"]);
    await decide(paul(), second.transferId, "approve");
    expect(await outcomesOf(text, true)).toEqual(again);
    expect(euros("cora")).toEqual(["550.00", "0.00"]);
  });

  test("refuses what does not fit its deposit, and says why", async () => {
    const { reference } = await announce("cora", "50.00");
    const text = csv(
      `${reference},MEET,50,C-1`,
      `${reference},EUR,50.001,C-2`,
      `${reference},EUR,-50,C-3`,
      `${reference},EUR,50,`,
      `${reference},EUR,50,C-4`,
      `${reference},EUR,60,C-5`,
    );
    expect(await outcomesOf(text, true)).toEqual([
      "refused",
      "refused",
      "refused",
      "refused",
      "credited",
      "ended",
    ]);
    const args = { csv: "a,b", apply: true, reason };
    const data = refusal(await olga().mutate("transfers:importDeposits", args));
    expect(data).toMatchObject({ code: "invalidArgument", field: "csv" });
  });
});

describe("one payment is credited once", () => {
  const record = (transferId: number, receipt: string) =>
    another().mutate("transfers:record", { transferId, amount: "50", receipt, reason });
  const imported = (...rows: string[]) =>
    another().done<ImportedRow[]>("transfers:importDeposits", {
      csv: ["reference,coin,amount,receipt", ...rows].join("\n"),
      apply: true,
      reason,
    });

  test("though its receipt is stated for another deposit, by hand or in a statement", async () => {
    const [first, second] = [await announce("nora", "50.00"), await announce("nora", "50.00")];
    expect(await record(first.transferId, "D-1")).toMatchObject({ status: "success" });
    expect(refusal(await record(second.transferId, "D-1"))).toMatchObject({
      code: "receiptKnown",
      field: "receipt",
    });
    expect(await imported(`${second.reference},EUR,50.00,D-1`)).toMatchObject([
      { outcome: "refused", detail: expect.stringContaining(`${first.transferId} was`) as string },
    ]);
    expect(euros("nora")).toEqual(["50.00", "0.00"]);
    expect(await record(second.transferId, "D-2")).toMatchObject({ status: "success" });
  });

  test("though two rows of a statement have its receipt", async () => {
    const [first, second] = [await announce("olaf", "50.00"), await announce("olaf", "60.00")];
    const rows = await imported(
      `${first.reference},EUR,50.00,E-1`,
      `${second.reference},EUR,60.00,E-1`,
      `${first.reference},EUR,50.00,E-1`,
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(["credited", "refused", "known"]);
    expect(euros("olaf")).toEqual(["50.00", "0.00"]);
  });

  test("though its receipt is typed with another case, with spaces or with invisible characters", async () => {
    const first = await announce("otto", "50.00");
    const second = await announce("otto", "50.00");
    expect(await record(first.transferId, "0xAB12 h")).toMatchObject({ status: "success" });
    for (const receipt of ["0xab12H", "0XAB12\u{200B}h", "\u{FF10}xAB12 \u{A0}h"]) {
      expect(refusal(await record(second.transferId, receipt)).code).toBe("receiptKnown");
    }
    const rows = await imported(
      `${first.reference},EUR,50.00,0xab12h`,
      `${second.reference},EUR,50.00,0xab12h`,
      `${second.reference},EUR,50.00,cd 34`,
      `${second.reference},EUR,50.00,CD34`,
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(["known", "refused", "credited", "known"]);
    expect(euros("otto")).toEqual(["100.00", "0.00"]);
  });

  test("a deposit that was recorded by mistake and rejected leaves its receipt to the right one", async () => {
    const [wrong, right] = [await announce("pia", "900.00"), await announce("pia", "50.00")];
    const args = { transferId: wrong.transferId, amount: "900", receipt: "F-1", reason };
    expect(await olga().done("transfers:record", args)).toMatchObject({ status: "recorded" });
    await decide(paul(), wrong.transferId, "reject");
    expect(await record(right.transferId, "F-1")).toMatchObject({ status: "success" });
  });
});

describe("an import", () => {
  const header = "reference,coin,amount,receipt";

  test("says how it reads each amount, and refuses one that could be read in two ways", async () => {
    const { reference } = await announce("quin", "1000.00");
    const rows = await olga().done<ImportedRow[]>("transfers:importDeposits", {
      csv: [
        header,
        `${reference},EUR,1.000,G-1`,
        `"${reference}",EUR,"1,000",G-2`,
        `${reference},EUR,1000,G-3`,
      ].join("\n"),
      apply: false,
      reason,
    });
    expect(rows).toMatchObject([
      { outcome: "refused", detail: expect.stringContaining("can be confused") as string },
      { outcome: "refused" },
      { outcome: "new", detail: "It would be recorded as 1000.00 EUR." },
    ]);
  });

  test("of many rows counts as one request, and a row that fails hides none before it", async () => {
    const references: string[] = [];
    for (let user = 0; user < 16; user++) {
      for (let each = 0; each < 5; each++) {
        references.push((await announce(`payer-${user}`, "10.00")).reference ?? "");
      }
    }
    const csv = [header, ...references.map((each, at) => `${each},EUR,10.00,H-${at}`)].join("\n");
    const importer = another();
    const outcomes = async () => {
      const args = { csv, apply: true, reason };
      const rows = await importer.done<ImportedRow[]>("transfers:importDeposits", args);
      return rows.map(({ outcome }) => outcome);
    };
    const submit = vi
      .spyOn(scene.services.exchange, "submit")
      .mockRejectedValueOnce(new ExchangeBusyError(9));
    const rows = (count: number, outcome: string) => Array.from({ length: count }, () => outcome);
    // One administrator decides no more than 200.00 alone, in a statement too.
    const credited = rows(20, "credited");
    expect(await outcomes()).toEqual(["refused", ...credited, ...rows(59, "recorded")]);
    submit.mockRestore();
    expect(await outcomes()).toEqual(["recorded", ...rows(79, "known")]);
    expect(euros("payer-0")).toEqual(["40.00", "0.00"]);
  });
});

describe("a withdrawal", () => {
  test("is held, approved, sent and settled, and its owner sees each step", async () => {
    const rita = another();
    await fund("dora", "200.00");
    const { transferId } = await held("dora", "100.00");
    expect(euros("dora")).toEqual(["99.50", "100.50"]);
    expect(await decide(rita, transferId, "approve")).toMatchObject({ status: "approved" });
    expect(
      refusal(await paul().mutate("transfers:send", { transferId, receipt: "P", reason })).code,
    ).toBe("transferNotOpen");
    expect(await decide(rita, transferId, "pay")).toMatchObject({
      status: "paying",
      payers: [`admin-${others}`],
    });
    const payment = { transferId, receipt: "P-1", reason };
    expect(refusal(await paul().mutate("transfers:send", payment)).code).toBe("notThePayer");
    expect(await rita.done("transfers:send", payment)).toMatchObject({ status: "sent" });
    expect(await refusedTo(rita, transferId, "return")).toMatchObject({
      code: "sameAdministrator",
    });
    expect(await decide(rita, transferId, "settle")).toMatchObject({ status: "settled" });
    expect(euros("dora")).toEqual(["99.50", "0.00"]);
    const dora = scene.as("dora");
    expect(dora.value<Transfer[]>("transfers:mine")[0]).toMatchObject({
      status: "settled",
      address: IBAN,
      receipt: "P-1",
      fee: "0.50",
    });
    const titles = dora.value<ActivityItem[]>("activity:recent").map(({ title }) => title);
    expect(titles.slice(0, 4)).toEqual([
      "Withdrew 100.5 EUR",
      "Sent: withdrawal of 100.5 EUR",
      "Approved: withdrawal of 100.5 EUR",
      "Requested a withdrawal of 100.5 EUR",
    ]);
    // What was withdrawn is no loss, its fee is.
    expect(dora.value<Portfolio>("portfolio:summary")).toMatchObject({
      deposited: "100.00",
      profit: "-0.50",
    });
    const { heldValue } = await dora.answer<ProfitReport>("portfolio:profits", {});
    expect(heldValue).toBe("99.50");
  });

  test("that is large is released by two people once it may have been paid", async () => {
    const quin = scene.as("admin-quin");
    await fund("emil", "1000.00");
    const approved = async () => {
      const { transferId } = await held("emil", "400.00");
      await decide(olga(), transferId, "approve");
      await decide(paul(), transferId, "approve");
      return transferId;
    };
    const first = await approved();
    expect(await decide(paul(), first, "reject")).toMatchObject({ status: "rejectedOnce" });
    expect((await refusedTo(paul(), first, "reject")).code).toBe("sameAdministrator");
    expect(euros("emil")).toEqual(["599.50", "400.50"]);
    expect(await decide(olga(), first, "reject")).toMatchObject({ status: "rejected" });
    const second = await approved();
    await decide(olga(), second, "pay");
    await olga().done("transfers:send", { transferId: second, receipt: "P-2", reason });
    const mail = vi.spyOn(scene.services.accounts, "mailNotices");
    expect(await decide(paul(), second, "return")).toMatchObject({ status: "returnedOnce" });
    expect(mail).not.toHaveBeenCalled();
    mail.mockRestore();
    for (const who of [olga(), paul()]) {
      expect((await refusedTo(who, second, "return")).code).toBe("sameAdministrator");
    }
    expect(euros("emil")).toEqual(["599.50", "400.50"]);
    expect(await decide(quin, second, "return")).toMatchObject({ status: "returned" });
    expect(euros("emil")).toEqual(["1000.00", "0.00"]);
    const titles = scene
      .as("emil")
      .value<ActivityItem[]>("activity:recent")
      .map(({ title }) => title);
    expect(titles.slice(0, 2)).toEqual([
      "Returned: withdrawal of 400.5 EUR",
      "Sent: withdrawal of 400.5 EUR",
    ]);
  });

  test("that came back is returned by one who became an administrator since, and approved by none", async () => {
    await fund("vera", "200.00");
    const { transferId } = await held("vera", "100.00");
    const rita = another();
    for (const step of ["approve", "pay"]) await decide(rita, transferId, step);
    await rita.done("transfers:send", { transferId, receipt: "P-9", reason });
    const large = await announce("vera", "900.00");
    const args = { transferId: large.transferId, amount: "900", receipt: "S-9", reason };
    await olga().done("transfers:record", args);
    const changes = vi
      .spyOn(scene.services.accounts, "changesByOtherAdmins")
      .mockImplementation((_userId, sinceMs) =>
        Promise.resolve({ roleAtMs: sinceMs + 1, accessAtMs: null }),
      );
    expect((await refusedTo(paul(), large.transferId, "approve")).code).toBe("forbidden");
    expect(await decide(paul(), transferId, "return")).toMatchObject({ status: "returned" });
    changes.mockRestore();
  });

  test("is rejected or cancelled with everything given back", async () => {
    await fund("elsa", "200.00");
    const first = await held("elsa", "100.00");
    await decide(olga(), first.transferId, "reject");
    expect(euros("elsa")).toEqual(["200.00", "0.00"]);
    expect(scene.as("elsa").value<Transfer[]>("transfers:mine")[0]).toMatchObject({
      status: "rejected",
      reason,
    });
    const second = await held("elsa", "100.00");
    const args = { transferId: second.transferId };
    expect(refusal(await scene.as("ada").mutate("transfers:cancel", args)).code).toBe(
      "unknownTransfer",
    );
    await scene.as("elsa").done("transfers:cancel", args);
    expect(euros("elsa")).toEqual(["200.00", "0.00"]);
  });

  test("that is requested again with its id happens once", async () => {
    await fund("fred", "200.00");
    const requestId = crypto.randomUUID();
    const [one, two] = [
      await withdraw("fred", "50.00", requestId),
      await withdraw("fred", "50.00", requestId),
    ];
    expect(two).toEqual(one);
    const other = refusal(await withdraw("fred", "60.00", requestId));
    expect(other.code).toBe("requestReused");
    expect(euros("fred")).toEqual(["149.50", "50.50"]);
  });

  test("stays within what the plan allows in a day, which is shown", async () => {
    await fund("gina", "3000.00");
    const first = await held("gina", "700.00");
    const { daily, monthly } = scene.as("gina").value<TransferOptions>("transfers:options");
    expect(daily).toEqual({ max: "1000.00", left: "300.00" });
    expect(monthly).toEqual({ max: "5000.00", left: "4300.00" });
    expect(refusal(await withdraw("gina", "300.01")).code).toBe("withdrawalLimitReached");
    await scene.as("gina").done("transfers:cancel", { transferId: first.transferId });
    await held("gina", "1000.00");
  });

  test.each([
    ["9.99", "amountTooSmall"],
    ["5000.01", "amountTooLarge"],
    ["199.51", "insufficientAvailable"],
    ["0.001", "invalidArgument"],
    ["-10", "invalidArgument"],
  ])("of %s is refused: %s", async (amount, code) => {
    const balance = euros("hans");
    if (balance[0] === undefined || balance[0] === "0.00") await fund("hans", "200.00");
    const data = refusal(await withdraw("hans", amount));
    expect(data).toMatchObject({ code, field: "amount" });
  });
});

test("a balance too small to withdraw is given up by its owner, with a posting", async () => {
  await fund("dan", "10.00");
  const dan = scene.as("dan");
  const dust = () => dan.value<TransferOptions>("transfers:options").coins[0].dust;
  expect(dust()).toBe("10.00");
  const give = (amount: string) => dan.mutate("transfers:forfeitDust", { coin: "EUR", amount });
  expect(refusal(await give("9.99"))).toMatchObject({ code: "invalidAmount", field: "amount" });
  expect(holdsFunds(scene.services.views, "dan")).toBe(true);
  expect(await give("10")).toMatchObject({ status: "success" });
  expect(dust()).toBeNull();
  expect(holdsFunds(scene.services.views, "dan")).toBe(false);
  const [item] = dan.value<ActivityItem[]>("activity:recent");
  expect(item).toMatchObject({ title: "Gave up 10 EUR", amount: "-10.00" });
  const entries = await dan.answer<LedgerEntry[]>("accounts:ledgerEntries", item.postings);
  expect(entries).toMatchObject([{ reason: "dust", amount: "-10.00" }]);
});

describe("a withdrawal needs", () => {
  let kept: WithdrawalAddress;
  const request = async (more: object = {}): Promise<ErrorData> =>
    refusal(
      await scene.as("ines").act("transfers:requestWithdrawal", {
        addressId: kept.addressId,
        amount: "20",
        requestId: crypto.randomUUID(),
        ...more,
      }),
    );
  beforeAll(async () => {
    await fund("ines", "100.00");
    kept = await keep("ines");
  });

  test("a recent sign-in, and a code of a user with a second factor", async () => {
    const { accounts } = scene.services;
    for (const code of ["signInTooOld", "codeNeeded", "wrongCode"] as const) {
      const confirm = vi
        .spyOn(accounts, "confirmIdentity")
        .mockRejectedValue(new NotConfirmedError(code, "Not yet."));
      expect(await request()).toMatchObject({ code });
      confirm.mockRestore();
    }
  });

  test("a password and a second factor that did not change of late", async () => {
    const changed = { kind: "secondFactorDisabled", atMs: Date.now() - 3_600_000 };
    const read = vi
      .spyOn(scene.services.accounts, "securityEvents")
      .mockResolvedValue({ items: [changed as SecurityEvent], cursor: null });
    const refused = await request();
    expect(refused).toMatchObject({ code: "withdrawalsPaused" });
    expect(refused.retryAfterMs).toBeGreaterThan(22 * 3_600_000);
    const [query] = read.mock.calls[0];
    expect(query).toMatchObject({ userId: "ines", limit: 1 });
    expect(query.kinds).toEqual(
      expect.arrayContaining([
        "passwordChanged",
        "passwordReset",
        "secondFactorEnabled",
        "profileChangedByAdmin",
        "providerLinked",
        "passkeyAdded",
      ]),
    );
    read.mockRestore();
  });

  test("an address of one's own", async () => {
    const { addressId } = await keep("ada");
    expect(await request({ addressId })).toMatchObject({ code: "notFound", field: "addressId" });
    expect(euros("ines")).toEqual(["100.00", "0.00"]);
  });

  test("someone who acts for themselves", async () => {
    const viewing = scene.as("ines", { readOnly: true });
    const args = { addressId: kept.addressId, amount: "20", requestId: crypto.randomUUID() };
    const data = refusal(await viewing.act("transfers:requestWithdrawal", args));
    expect(data.code).toBe("forbidden");
  });
});

describe("an address", () => {
  test("looks as its network says, is kept once, and its owner is told and mailed", async () => {
    const add = async (terms: object) =>
      refusal(
        await scene.as("jana").act("transfers:addAddress", {
          coin: "EUR",
          network: "SEPA",
          address: IBAN,
          label: "Bank",
          ...terms,
        }),
      );
    const told = vi.spyOn(scene.services.accounts, "makeOwnChange");
    await keep("jana");
    expect(told).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ subject: "jana" }),
      "withdrawalAddressAdded",
      { detail: `My account (EUR, SEPA): ${IBAN}`, notice: "withdrawalAddressAdded" },
      expect.any(Function),
    );
    told.mockRestore();
    expect(await add({})).toMatchObject({ code: "invalidArgument", field: "address" });
    expect(await add({ address: "DE02" })).toMatchObject({ field: "address" });
    expect(await add({ network: "DESK" })).toMatchObject({ field: "network" });
    expect(await add({ memo: "7", address: `${IBAN}9` })).toMatchObject({ field: "memo" });
    await vi.waitFor(() =>
      expect(scene.as("jana").value("transfers:addresses")).toMatchObject([
        { address: IBAN, label: "My account", memo: null },
      ]),
    );
  });

  test("waits before it can be used", async () => {
    const waiting = await openFunctionScene({ settings: FUNDED });
    try {
      const kim = waiting.as("kim");
      await kim.done("transfers:requestDeposit", { coin: "EUR", amount: "50", network: "SEPA" });
      const added = await kim.answer<WithdrawalAddress>("transfers:addAddress", {
        coin: "EUR",
        network: "SEPA",
        address: IBAN,
        label: "Bank",
      });
      expect(added.usableFrom - added.createdAt).toBe(24 * 3_600_000);
      const args = { addressId: added.addressId, amount: "20", requestId: crypto.randomUUID() };
      const data = refusal(await kim.act("transfers:requestWithdrawal", args));
      expect(data).toMatchObject({ code: "addressTooNew", field: "addressId" });
    } finally {
      await waiting.close();
    }
  });
});

test("only administrators review, and nobody who views as another user", async () => {
  const { transferId } = await announce("lena", "50");
  const calls = {
    "transfers:record": { transferId, amount: "50", receipt: "X", reason },
    "transfers:send": { transferId, receipt: "X", reason },
    "transfers:decide": { transferId, step: "approve", reason },
    "transfers:importDeposits": { csv: "reference,coin,amount,receipt", apply: true, reason },
  };
  for (const who of [
    scene.as("lena"),
    scene.as("admin-olga", { readOnly: true }),
    scene.as(null),
  ]) {
    for (const [path, args] of Object.entries(calls)) {
      expect(["forbidden", "unauthorized"]).toContain(refusal(await who.mutate(path, args)).code);
    }
    expect(["forbidden", "unauthorized"]).toContain(
      refusal(who.query("transfers:queue").result).code,
    );
  }
  expect(euros("lena")).toEqual(["0.00", "0.00"]);
});

test("an exchange of practice money takes and sends nothing", async () => {
  const practice = await openFunctionScene({ settings: { CATALOGUE: FUNDED.CATALOGUE } });
  try {
    const mia = practice.as("mia");
    expect(mia.value("transfers:options")).toMatchObject({ funded: false, coins: [] });
    const args = { coin: "EUR", amount: "50", network: "SEPA" };
    expect(refusal(await mia.mutate("transfers:requestDeposit", args)).code).toBe("transfersOff");
  } finally {
    await practice.close();
  }
});
