/** Deposits through the public functions, on the ready catalogue of a funded exchange. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ImportedRow, ReviewedTransfer, Transfer } from "#contract/transfers.ts";
import type { LedgerEntry, Page, Portfolio, ProfitReport, Statement } from "#contract/types.ts";
import type { ActivityItem, AdminChange } from "#contract/users.ts";
import { openFunctionScene, refusal } from "#test/support/function-scene.ts";
import { FUNDED, reason, transferScene } from "#test/support/transfer-scene.ts";
import { ExchangeBusyError } from "../exchange/exchange-errors.ts";

const transfers = transferScene();
const { announce, another, decide, euros, olga, paul, refusedTo } = transfers;

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
    const mail = vi.spyOn(transfers.scene.services.accounts, "mailNotices");
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
    const ada = transfers.scene.as("ada");
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
    const nina = transfers.scene.as("nina");
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
    const importer = transfers.scene.as("admin-importer");
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

  test.each(["profileOf", "isSessionLive"] as const)(
    "stops at the row before which the administrator was demoted or banned: %s",
    async (asked) => {
      const deposits = [await announce("dina", "50.00"), await announce("dina", "50.00")];
      const [first] = deposits;
      const { accounts, views } = transfers.scene.services;
      const hasBegun = () => views.transfers.find(first.transferId)?.status !== "requested";
      const { isSessionLive, profileOf } = accounts;
      const spy =
        asked === "isSessionLive"
          ? vi.spyOn(accounts, asked).mockImplementation((id) => !hasBegun() && isSessionLive(id))
          : vi.spyOn(accounts, asked).mockImplementation((userId) => {
              const profile = profileOf(userId);
              return profile === null || !hasBegun() ? profile : { ...profile, role: "user" };
            });
      onTestFinished(() => spy.mockRestore());
      const rows = deposits.map(
        ({ reference, transferId }) => `${reference},EUR,50,D-${transferId}`,
      );
      const args = { csv: csv(...rows), apply: true, reason };
      const data = refusal(await another().mutate("transfers:importDeposits", args));
      expect(data.code).toBe(asked === "profileOf" ? "forbidden" : "unauthorized");
      const statuses = deposits.map(({ transferId }) => views.transfers.find(transferId)?.status);
      expect(statuses).toEqual(["credited", "requested"]);
    },
  );
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

  test("shows that an own deposit is left to another administrator", async () => {
    const importer = another();
    const id = importer.context.identity?.subject ?? "";
    const { reference } = await announce(id, "20.00");
    const csv = `reference,coin,amount,receipt\n${reference},EUR,20,OWN-1`;
    const rows = await importer.done<ImportedRow[]>("transfers:importDeposits", {
      csv,
      apply: false,
      reason,
    });
    expect(rows).toMatchObject([
      { outcome: "refused", detail: expect.stringContaining("your own transfer") as string },
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
      .spyOn(transfers.scene.services.exchange, "submit")
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

test("only administrators review, and not while they view as another user", async () => {
  const { transferId } = await announce("lena", "50");
  const calls = {
    "transfers:record": { transferId, amount: "50", receipt: "X", reason },
    "transfers:send": { transferId, receipt: "X", reason },
    "transfers:decide": { transferId, step: "approve", reason },
    "transfers:importDeposits": { csv: "reference,coin,amount,receipt", apply: true, reason },
  };
  for (const who of [
    transfers.scene.as("lena"),
    transfers.scene.as("admin-olga", { readOnly: true }),
    transfers.scene.as(null),
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
