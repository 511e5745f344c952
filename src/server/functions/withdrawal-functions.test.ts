/** Withdrawals through the public functions, on the ready catalogue of a funded exchange. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { ErrorData } from "#contract/errors.ts";
import type { Transfer, TransferOptions, WithdrawalAddress } from "#contract/transfers.ts";
import type { LedgerEntry, Portfolio, ProfitReport } from "#contract/types.ts";
import type { ActivityItem } from "#contract/users.ts";
import { openFunctionScene, refusal } from "#test/support/function-scene.ts";
import { FUNDED, IBAN, reason, transferScene } from "#test/support/transfer-scene.ts";
import { NotConfirmedError } from "../accounts/own-changes.ts";
import type { SecurityEvent } from "../accounts/audit/security-events.ts";
import { holdsFunds } from "./held-funds.ts";

const transfers = transferScene();
const { announce, another, decide, euros, fund, held, keep, olga, paul, refusedTo, withdraw } =
  transfers;

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
      payers: [rita.context.identity?.subject],
    });
    const payment = { transferId, receipt: "P-1", reason };
    expect(refusal(await paul().mutate("transfers:send", payment)).code).toBe("notThePayer");
    expect(await rita.done("transfers:send", payment)).toMatchObject({ status: "sent" });
    expect(await refusedTo(rita, transferId, "return")).toMatchObject({
      code: "sameAdministrator",
    });
    expect(await decide(rita, transferId, "settle")).toMatchObject({ status: "settled" });
    expect(euros("dora")).toEqual(["99.50", "0.00"]);
    const dora = transfers.scene.as("dora");
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
    // A withdrawal is not a loss, but its fee is.
    expect(dora.value<Portfolio>("portfolio:summary")).toMatchObject({
      deposited: "100.00",
      profit: "-0.50",
    });
    const { heldValue } = await dora.answer<ProfitReport>("portfolio:profits", {});
    expect(heldValue).toBe("99.50");
  });

  test("that is large is released by two people once it may have been paid", async () => {
    const quin = transfers.scene.as("admin-quin");
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
    const mail = vi.spyOn(transfers.scene.services.accounts, "mailNotices");
    expect(await decide(paul(), second, "return")).toMatchObject({ status: "returnedOnce" });
    expect(mail).not.toHaveBeenCalled();
    mail.mockRestore();
    for (const who of [olga(), paul()]) {
      expect((await refusedTo(who, second, "return")).code).toBe("sameAdministrator");
    }
    expect(euros("emil")).toEqual(["599.50", "400.50"]);
    expect(await decide(quin, second, "return")).toMatchObject({ status: "returned" });
    expect(euros("emil")).toEqual(["1000.00", "0.00"]);
    const titles = transfers.scene
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
      .spyOn(transfers.scene.services.accounts, "changesByOtherAdmins")
      .mockImplementation((_userId, sinceMs) =>
        Promise.resolve({ roleAtMs: sinceMs + 1, accessAtMs: null }),
      );
    expect((await refusedTo(paul(), large.transferId, "approve")).code).toBe("forbidden");
    expect(await decide(paul(), transferId, "return")).toMatchObject({ status: "returned" });
    changes.mockRestore();
  });

  test("is claimed by one of two who mean to pay it at once, and taken over only from whom one sees", async () => {
    await fund("wilma", "200.00");
    const [rita, sven] = [another(), another()];
    const { transferId } = await held("wilma", "100.00");
    await decide(rita, transferId, "approve");
    const claim = (who: ReturnType<typeof another>, seenPayer: string | null) =>
      who.mutate("transfers:decide", { transferId, step: "pay", reason, seenPayer });
    const results = await Promise.all([claim(rita, null), claim(sven, null)]);
    expect(results.filter(({ status }) => status === "success")).toHaveLength(1);
    const refused = results.find(({ status }) => status !== "success");
    expect(refused === undefined ? null : refusal(refused)).toMatchObject({
      code: "invalidArgument",
      field: "seenPayer",
      message: expect.stringContaining("Another administrator has claimed") as string,
    });
    const { payers } = transfers.scene.services.views.transfers.find(transferId) ?? { payers: [] };
    expect(payers).toHaveLength(1);
    const payer = payers[0] ?? "";
    const other = payer === rita.context.identity?.subject ? sven : rita;
    expect(await claim(other, payer)).toMatchObject({ value: { status: "paying" } });
    // A repeated request finds its own sender.
    expect(refusal(await claim(other, payer)).code).toBe("nothingToChange");
  });

  test("is taken over from one whose claim this node did not see yet, which is told", async () => {
    await fund("wanda", "200.00");
    const [rita, sven] = [another(), another()];
    const { transferId } = await held("wanda", "100.00");
    await decide(rita, transferId, "approve");
    const { transfers: view } = transfers.scene.services.views;
    const stale = view.find(transferId);
    await decide(rita, transferId, "pay");
    const find = vi.spyOn(view, "find").mockReturnValueOnce(stale);
    const args = { transferId, step: "pay", seenPayer: null, reason };
    expect(refusal(await sven.mutate("transfers:decide", args))).toMatchObject({
      field: "seenPayer",
      message: expect.stringContaining("you have taken it over") as string,
    });
    find.mockRestore();
    const ids = [rita, sven].map(({ context }) => context.identity?.subject);
    expect(view.find(transferId)?.payers).toEqual(ids);
    const again = { transferId, step: "pay", seenPayer: ids[1], reason };
    expect((await rita.mutate("transfers:decide", again)).status).toBe("success");
  });

  test("of a frozen account is not approved, and the administrator is told what to do", async () => {
    await fund("xenia", "200.00");
    const { transferId } = await held("xenia", "100.00");
    const args = { userId: "xenia", frozen: true, reason };
    await olga().done("accounts:freeze", args);
    expect(await refusedTo(paul(), transferId, "approve")).toMatchObject({
      code: "accountFrozen",
      message: "The account is frozen: unfreeze it first, or reject the withdrawal.",
    });
    await olga().done("accounts:freeze", { ...args, frozen: false });
  });

  test("is mailed in the words of its page", async () => {
    const mail = vi.spyOn(transfers.scene.services.accounts, "mailNotices");
    const lines = () => mail.mock.calls.flatMap(([, each]) => each);
    const [rita, sven] = [another(), another()];
    await fund("yara", "200.00");
    mail.mockClear();
    const paid = async () => {
      const { transferId } = await held("yara", "50.00");
      for (const step of ["approve", "pay"]) await decide(rita, transferId, step);
      await rita.done("transfers:send", { transferId, receipt: `P-${transferId}`, reason });
      return transferId;
    };
    const first = await paid();
    await decide(rita, first, "settle");
    const second = await paid();
    await decide(sven, second, "return");
    expect(lines()).toEqual([
      `Withdrawal ${first} of 50.00 EUR is in review.`,
      `Withdrawal ${first} of 50.00 EUR is approved.`,
      `Withdrawal ${first} of 50.00 EUR is sent.`,
      `Withdrawal ${first} of 50.00 EUR is paid out.`,
      `Withdrawal ${second} of 50.00 EUR is in review.`,
      `Withdrawal ${second} of 50.00 EUR is approved.`,
      `Withdrawal ${second} of 50.00 EUR is sent.`,
      `Withdrawal ${second} of 50.00 EUR came back: ${reason}.`,
    ]);
    mail.mockRestore();
  });

  test("is rejected or cancelled with everything given back", async () => {
    await fund("elsa", "200.00");
    const first = await held("elsa", "100.00");
    await decide(olga(), first.transferId, "reject");
    expect(euros("elsa")).toEqual(["200.00", "0.00"]);
    expect(transfers.scene.as("elsa").value<Transfer[]>("transfers:mine")[0]).toMatchObject({
      status: "rejected",
      reason,
    });
    const second = await held("elsa", "100.00");
    const args = { transferId: second.transferId };
    expect(refusal(await transfers.scene.as("dora").mutate("transfers:cancel", args)).code).toBe(
      "unknownTransfer",
    );
    await transfers.scene.as("elsa").done("transfers:cancel", args);
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

  test("that was long on its way is refused, unless it was accepted in time before", async () => {
    await fund("finn", "200.00");
    const { addressId } = await keep("finn");
    const { views } = transfers.scene.services;
    const request = (requestId: string, validUntil: number) =>
      transfers.scene.as("finn").act("transfers:requestWithdrawal", {
        addressId,
        amount: "50.00",
        requestId,
        validUntil,
      });
    const requestId = crypto.randomUUID();
    const late = views.nowMs() - 1;
    expect(refusal(await request(requestId, late)).code).toBe("requestExpired");
    const far = views.nowMs() + 120_000;
    expect(refusal(await request(requestId, far)).code).toBe("invalidValidUntil");
    expect(euros("finn")).toEqual(["200.00", "0.00"]);
    const accepted = await request(requestId, views.nowMs() + 30_000);
    expect(accepted).toMatchObject({ value: { status: "held" } });
    expect(await request(requestId, late)).toEqual(accepted);
    expect(euros("finn")).toEqual(["149.50", "50.50"]);
    const another = { coin: "EUR", network: "SEPA", address: "DE02120300000000202051", label: "B" };
    const adding = transfers.scene.as("finn").act("transfers:addAddress", {
      ...another,
      validUntil: late,
    });
    expect(refusal(await adding).code).toBe("requestExpired");
  });

  test("stays within what the plan allows in a day, which is shown", async () => {
    await fund("gina", "3000.00");
    const first = await held("gina", "700.00");
    const { daily, monthly } = transfers.scene
      .as("gina")
      .value<TransferOptions>("transfers:options");
    expect(daily).toEqual({ max: "1000.00", left: "300.00" });
    expect(monthly).toEqual({ max: "5000.00", left: "4300.00" });
    expect(refusal(await withdraw("gina", "300.01")).code).toBe("withdrawalLimitReached");
    await transfers.scene.as("gina").done("transfers:cancel", { transferId: first.transferId });
    await held("gina", "1000.00");
  });

  test("of a coin that has no price says so, and nothing of orders", async () => {
    const gus = transfers.scene.as("gus");
    const network = { coin: "MEET", network: "DESK" };
    const announced = await gus.done<Transfer>("transfers:requestDeposit", {
      ...network,
      amount: "5",
    });
    const args = { transferId: announced.transferId, amount: "5", receipt: "M-1", reason };
    await transfers.scene.as("admin-a").done("transfers:record", args);
    const kept = { ...network, address: "Gus", memo: "12", label: "Me" };
    const { addressId } = await gus.answer<WithdrawalAddress>("transfers:addAddress", kept);
    const asked = { addressId, amount: "1", requestId: crypto.randomUUID() };
    const data = refusal(await gus.act("transfers:requestWithdrawal", asked));
    expect(data).toMatchObject({
      code: "noReferencePrice",
      message: expect.stringContaining("This coin has no price yet") as string,
    });
    expect(data).not.toHaveProperty("field");
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
  const dan = transfers.scene.as("dan");
  const dust = () => dan.value<TransferOptions>("transfers:options").coins[0].dust;
  expect(dust()).toBe("10.00");
  const give = (amount: string) => dan.mutate("transfers:forfeitDust", { coin: "EUR", amount });
  expect(refusal(await give("9.99"))).toMatchObject({ code: "invalidAmount", field: "amount" });
  expect(holdsFunds(transfers.scene.services.views, "dan")).toBe(true);
  expect(await give("10")).toMatchObject({ status: "success" });
  expect(dust()).toBeNull();
  expect(holdsFunds(transfers.scene.services.views, "dan")).toBe(false);
  const [item] = dan.value<ActivityItem[]>("activity:recent");
  expect(item).toMatchObject({ title: "Gave up 10 EUR", amount: "-10.00" });
  const entries = await dan.answer<LedgerEntry[]>("accounts:ledgerEntries", item.postings);
  expect(entries).toMatchObject([{ reason: "dust", amount: "-10.00" }]);
});

describe("a withdrawal needs", () => {
  let kept: WithdrawalAddress;
  const request = async (more: object = {}): Promise<ErrorData> =>
    refusal(
      await transfers.scene.as("ines").act("transfers:requestWithdrawal", {
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

  test("that no change of how the user signs in is under way, of which the events do not tell yet", async () => {
    const { accounts } = transfers.scene.services;
    const changing = vi.spyOn(accounts, "isAccessChanging").mockResolvedValue(true);
    expect(await request()).toMatchObject({ code: "withdrawalsPaused" });
    changing.mockRestore();
  });

  test("a recent sign-in, and a code of a user with a second factor", async () => {
    const { accounts } = transfers.scene.services;
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
      .spyOn(transfers.scene.services.accounts, "securityEvents")
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
        "backupCodesRenewed",
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
    const viewing = transfers.scene.as("ines", { readOnly: true });
    const args = { addressId: kept.addressId, amount: "20", requestId: crypto.randomUUID() };
    const data = refusal(await viewing.act("transfers:requestWithdrawal", args));
    expect(data.code).toBe("forbidden");
  });
});

describe("an address", () => {
  test("looks as its network says, is kept once, and its owner is told and mailed", async () => {
    const add = async (terms: object) =>
      refusal(
        await transfers.scene.as("jana").act("transfers:addAddress", {
          coin: "EUR",
          network: "SEPA",
          address: IBAN,
          label: "Bank",
          ...terms,
        }),
      );
    const told = vi.spyOn(transfers.scene.services.accounts, "makeOwnChange");
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
      expect(transfers.scene.as("jana").value("transfers:addresses")).toMatchObject([
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
