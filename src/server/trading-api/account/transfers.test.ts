/** Reviewed deposits and withdrawals of a funded exchange, in an unmodified client. */
import type { Transaction } from "ccxt";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ReviewedTransfer, Transfer, WithdrawalAddress } from "#contract/transfers.ts";
import { DAY_MS } from "#engine/time/calendar.ts";
import {
  type CcxtClient,
  openTradingApiScene,
  type TradingApiScene,
} from "#test/support/trading-api-scene.ts";

const FUNDED = {
  CATALOGUE: "catalogues/funded.yaml",
  FUNDED_MODE: "manual",
  WITHDRAWAL_ADDRESS_HOURS: "0",
};
const IBAN = "DE02120300000000202051";
const reason = "seen on the statement";

let scene: TradingApiScene;
let anna: CcxtClient;
let bert: CcxtClient;
/** Transfers by their outcome. */
const ids: Record<string, number> = {};

type Item = Record<string, unknown>;

const announce = async (userId: string, amount: string) => {
  const args = { coin: "EUR", network: "SEPA", amount };
  return scene.as(userId).done<Transfer>("transfers:requestDeposit", args);
};
const decide = (admin: string, transferId: number, step: string) =>
  scene.as(admin).done<ReviewedTransfer>("transfers:decide", { transferId, step, reason });
const record = (admin: string, transferId: number, amount: string) =>
  scene.as(admin).done<ReviewedTransfer>("transfers:record", {
    transferId,
    amount,
    receipt: `S-${transferId}`,
    reason,
  });

async function withdraw(amount: string): Promise<number> {
  const [kept] = await scene.services.withdrawalAddresses.load("anna");
  const args = { addressId: kept.id, amount, requestId: crypto.randomUUID() };
  const { transferId } = await scene
    .as("anna")
    .answer<Transfer>("transfers:requestWithdrawal", args);
  return transferId;
}

async function pay(transferId: number): Promise<void> {
  await decide("admin-olga", transferId, "approve");
  await decide("admin-paul", transferId, "pay");
  const args = { transferId, receipt: `P-${transferId}`, reason };
  await scene.as("admin-paul").done("transfers:send", args);
}

beforeAll(async () => {
  scene = await openTradingApiScene(FUNDED);
  const depositOf = async (amount: string) => (await announce("anna", amount)).transferId;
  ids.credited = await depositOf("130.00");
  await record("admin-olga", ids.credited, "120.00");
  ids.rejected = await depositOf("20.00");
  await decide("admin-paul", ids.rejected, "reject");
  // More than one administrator may decide alone.
  ids.recorded = await depositOf("500.00");
  await record("admin-rita", ids.recorded, "500.00");
  ids.announced = await depositOf("11.00");
  const address = { coin: "EUR", network: "SEPA", address: IBAN, label: "My account" };
  await scene.as("anna").answer<WithdrawalAddress>("transfers:addAddress", address);
  ids.settled = await withdraw("10");
  await pay(ids.settled);
  await decide("admin-rita", ids.settled, "settle");
  ids.returned = await withdraw("11");
  await pay(ids.returned);
  await decide("admin-rita", ids.returned, "return");
  ids.refused = await withdraw("12");
  await decide("admin-rita", ids.refused, "reject");
  ids.cancelled = await withdraw("13");
  await scene.as("anna").done("transfers:cancel", { transferId: ids.cancelled });
  ids.approved = await withdraw("14");
  await decide("admin-olga", ids.approved, "approve");
  ids.held = await withdraw("15");
  await announce("bert", "50.00");
  anna = await scene.client("anna");
  bert = await scene.client("bert");
});
afterAll(() => scene.close());

const raw = {
  deposits: (params: Item = {}, client = anna) =>
    client.sapiGetCapitalDepositHisrec(params) as Promise<Item[]>,
  withdrawals: (params: Item = {}, client = anna) =>
    client.sapiGetCapitalWithdrawHistory(params) as Promise<Item[]>,
  coins: () => anna.sapiGetCapitalConfigGetall() as Promise<Item[]>,
  address: (params: Item) => anna.sapiGetCapitalDepositAddress(params) as Promise<Item>,
  money: (params: Item) =>
    anna.sapiGetFiatOrders(params) as Promise<{ data: Item[]; total: number }>,
};
const byAmount = (items: readonly Transaction[]) =>
  items.toSorted((one, other) => (one.amount ?? 0) - (other.amount ?? 0));
const idsOf = (items: readonly Item[]) => items.map(({ id }) => Number(id));

test("deposits have Binance's status at every step of their review, newest first", async () => {
  const deposits = await raw.deposits();
  expect(deposits.map(({ id, status }) => [Number(id), status])).toEqual([
    [ids.announced, 8],
    [ids.recorded, 0],
    [ids.rejected, 2],
    [ids.credited, 1],
  ]);
  const { requestedAtMs, steps } = scene.services.views.transfers.find(ids.credited)!;
  const creditedAtMs = steps.at(-1)?.atMs;
  expect(deposits[3]).toEqual({
    id: String(ids.credited),
    amount: "120",
    coin: "EUR",
    network: "SEPA",
    status: 1,
    address: "",
    addressTag: expect.stringMatching(/^OB-000001-\d\d$/) as string,
    txId: `S-${ids.credited}`,
    insertTime: requestedAtMs,
    completeTime: creditedAtMs,
    updateTime: creditedAtMs,
    transactionFee: "0",
    transferType: 0,
    confirmTimes: "1/1",
    unlockConfirm: 1,
    walletType: 0,
  });
  expect(deposits[0]).toMatchObject({ amount: "11", txId: "", confirmTimes: "0/1" });
  expect(deposits[0]).not.toHaveProperty("completeTime");
  expect(await raw.deposits({}, bert)).toMatchObject([{ status: 8, amount: "50" }]);
});

test("deposits are chosen by coin, status, receipt, time and page", async () => {
  expect(idsOf(await raw.deposits({ status: 0 }))).toEqual([ids.recorded]);
  expect(await raw.deposits({ status: 6 })).toEqual([]);
  expect(await raw.deposits({ coin: "MEET" })).toEqual([]);
  expect(await raw.deposits({ coin: "NONE" })).toEqual([]);
  expect(await raw.deposits({ coin: "EUR" })).toHaveLength(4);
  expect(idsOf(await raw.deposits({ txId: `S-${ids.credited}` }))).toEqual([ids.credited]);
  expect(await raw.deposits({ txId: "S" })).toEqual([]);
  expect(idsOf(await raw.deposits({ offset: 1, limit: 2 }))).toEqual([ids.recorded, ids.rejected]);
  expect(await raw.deposits({ offset: 4 })).toEqual([]);
  const { requestedAtMs } = scene.services.views.transfers.find(ids.recorded)!;
  const at = { startTime: requestedAtMs, endTime: requestedAtMs };
  expect(idsOf(await raw.deposits(at))).toContain(ids.recorded);
  expect(await raw.deposits({ endTime: requestedAtMs - DAY_MS })).toEqual([]);
  await expect(raw.deposits({ startTime: Date.now() - 91 * DAY_MS })).rejects.toThrow("-1127");
  await expect(raw.deposits({ limit: 1_001 })).rejects.toThrow("-1130");
});

test("withdrawals have Binance's status at every step of their review, newest first", async () => {
  const withdrawals = await raw.withdrawals();
  expect(withdrawals.map(({ id, status }) => [Number(id), status])).toEqual([
    [ids.held, 2],
    [ids.approved, 4],
    [ids.cancelled, 1],
    [ids.refused, 3],
    [ids.returned, 5],
    [ids.settled, 6],
  ]);
  const { requestedAtMs, steps } = scene.services.views.transfers.find(ids.settled)!;
  const settledAtMs = steps.at(-1)?.atMs ?? 0;
  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 19).replace("T", " ");
  expect(withdrawals[5]).toEqual({
    id: String(ids.settled),
    amount: "10",
    transactionFee: "0.5",
    coin: "EUR",
    network: "SEPA",
    status: 6,
    address: IBAN,
    addressTag: "",
    txId: `P-${ids.settled}`,
    applyTime: dateOf(requestedAtMs),
    completeTime: dateOf(settledAtMs),
    updateTime: settledAtMs,
    transferType: 0,
    info: "",
    confirmNo: 1,
    walletType: 0,
    txKey: "",
  });
  expect(withdrawals[3]).toMatchObject({ info: reason, confirmNo: 0 });
  expect(withdrawals[0]).not.toHaveProperty("completeTime");
  expect(await raw.withdrawals({}, bert)).toEqual([]);
});

test("withdrawals are chosen by coin, status, number, time and page", async () => {
  expect(idsOf(await raw.withdrawals({ status: 2 }))).toEqual([ids.held]);
  expect(await raw.withdrawals({ status: 0 })).toEqual([]);
  expect(await raw.withdrawals({ coin: "MEET" })).toEqual([]);
  const idList = `${ids.settled},${ids.held},999`;
  expect(idsOf(await raw.withdrawals({ idList }))).toEqual([ids.held, ids.settled]);
  const tooMany = Array.from({ length: 46 }, (_, id) => id).join(",");
  await expect(raw.withdrawals({ idList: tooMany })).rejects.toThrow("-1130");
  expect(await raw.withdrawals({ withdrawOrderId: "mine" })).toEqual([]);
  expect(idsOf(await raw.withdrawals({ offset: 4, limit: 1 }))).toEqual([ids.returned]);
  expect(await raw.withdrawals({ endTime: Date.now() - DAY_MS })).toEqual([]);
  await expect(raw.withdrawals({ startTime: Date.now() - 91 * DAY_MS })).rejects.toThrow("-1127");
});

test("the client reads both, and money orders of both kinds", async () => {
  // The client has no names for Binance's statuses 2 and 8.
  const deposits = byAmount(await anna.fetchDeposits());
  expect(deposits.map(({ amount, status }) => [amount, status])).toEqual([
    [11, "8"],
    [20, "2"],
    [120, "ok"],
    [500, "pending"],
  ]);
  const withdrawals = byAmount(await anna.fetchWithdrawals());
  expect(withdrawals.map(({ amount, fee, status }) => [amount, fee?.cost, status])).toEqual([
    [10, 0.5, "ok"],
    [11, 0.5, "failed"],
    [12, 0.5, "failed"],
    [13, 0.5, "canceled"],
    [14, 0.5, "pending"],
    [15, 0.5, "pending"],
  ]);
  const came = await raw.money({ transactionType: 0 });
  expect(came.data.map(({ status }) => status)).toEqual([
    "Processing",
    "Processing",
    "Failed",
    "Successful",
  ]);
  const went = await raw.money({ transactionType: 1, rows: 2, page: 3 });
  expect(went).toMatchObject({
    total: 6,
    data: [
      { orderNo: String(ids.returned), status: "Refunded" },
      {
        orderNo: String(ids.settled),
        indicatedAmount: "10.5",
        amount: "10",
        totalFee: "0.5",
        method: "SEPA",
        status: "Successful",
      },
    ],
  });
});

test("a coin has its networks, and what withdrawals hold is told apart from what orders hold", async () => {
  await scene.as("anna").done("orders:place", {
    market: "MEET-EUR",
    type: "limit",
    side: "buy",
    price: "20.00",
    quantity: "1",
  });
  const coins = await raw.coins();
  const [euros, tokens] = ["EUR", "MEET"].map((name) => coins.find(({ coin }) => coin === name));
  expect(euros).toMatchObject({
    // 120 were deposited, 10.5 withdrawn, and 30 are being withdrawn.
    free: "59.50",
    locked: "20.00",
    withdrawing: "30.00",
    isLegalMoney: true,
    depositAllEnable: true,
    withdrawAllEnable: true,
    networkList: [
      {
        network: "SEPA",
        coin: "EUR",
        name: "Bank transfer",
        isDefault: true,
        depositEnable: true,
        depositDust: "10",
        withdrawEnable: true,
        withdrawFee: "0.5",
        withdrawMin: "10",
        withdrawMax: "5000",
        withdrawIntegerMultiple: "0.01",
        addressRegex: "^(?:[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30})$",
      },
    ],
  });
  expect(tokens).toMatchObject({ withdrawing: "0", networkList: [{ network: "DESK" }] });
  await scene.as("anna").done("orders:cancelAll", {});
  anna.options["fetchCurrencies"] = true;
  const { limits } = (await anna.fetchCurrencies())["MEET"];
  expect(limits.withdraw?.max).toBeGreaterThan(limits.withdraw?.min ?? Infinity);
});

test("an announced deposit says how it is paid, and without one none is", async () => {
  const deposits = await raw.deposits();
  expect(await raw.address({ coin: "EUR", network: "SEPA" })).toEqual({
    coin: "EUR",
    address: expect.stringContaining("Pay to DE02") as string,
    tag: deposits[0].addressTag,
    url: "",
  });
  expect(await raw.address({ coin: "EUR" })).toMatchObject({ tag: deposits[0].addressTag });
  for (const params of [{ coin: "EUR", network: "DESK" }, { coin: "MEET" }, { coin: "NONE" }]) {
    await expect(raw.address(params)).rejects.toThrow("-4001");
  }
});
