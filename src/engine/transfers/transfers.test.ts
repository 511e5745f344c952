/** Deposits and withdrawals step by step: who may take each step, and where the money is after it. */
import { describe, expect, test } from "vitest";
import {
  ANN,
  approve,
  BOB,
  BTC,
  BY_ANN,
  cancel,
  claim,
  comeBack,
  deposit,
  FIRST,
  funded,
  FUNDS,
  OLGA,
  OPENING,
  order,
  PAUL,
  PLAY,
  QUIN,
  record,
  reject,
  send,
  settle,
  START_MS,
  TERMS,
  TransferScene,
  USD,
  withdrawal,
} from "#test/engine/transfer-scene.ts";
import { coin, market } from "#test/engine/commands.ts";
import { EXTERNAL_ACCOUNT, FEES_ACCOUNT } from "../accounts/postings.ts";
import type { Amount } from "../amount.ts";
import type { Command } from "../commands.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const freeze = (isFrozen: boolean): Command => ({
  type: "setAccountFreeze",
  account: ANN,
  isFrozen,
  cancelsOrders: false,
  byAdmin: "olga",
  reason: "a test",
});

describe("a deposit", () => {
  test("moves nothing until it has arrived, then credits what arrived", () => {
    const scene = new TransferScene();
    expect(scene.apply(deposit(700))).toMatchObject({
      type: "transferChanged",
      transferId: FIRST,
      kind: "deposit",
      status: "requested",
      amount: 700,
      requestedAtMs: START_MS,
    });
    expect(scene.money()).toEqual([FUNDS, 0]);
    expect(scene.apply(record(650))).toMatchObject({
      status: "credited",
      amount: 650,
      receipt: "statement 7",
      firstBy: "olga",
      decision: OLGA,
    });
    expect(scene.money()).toEqual([FUNDS + 650, 0]);
    expect(scene.open()).toEqual([]);
  });

  test("above the limit of one administrator waits for a second one, who is another person", () => {
    const scene = new TransferScene();
    scene.apply(deposit(1_001));
    expect(scene.step(record(1_001))).toBe("recorded");
    expect(scene.money()).toEqual([FUNDS, 0]);
    expect(scene.step(approve(OLGA))).toBe("sameAdministrator");
    expect(scene.step(approve(PAUL))).toBe("credited");
    expect(scene.money()).toEqual([FUNDS + 1_001, 0]);
  });

  test("of exactly the limit needs one administrator; without a limit every one needs two", () => {
    const scene = new TransferScene();
    scene.apply(deposit(1_000));
    expect(scene.step(record(1_000))).toBe("credited");
    const { oneApprovalMax: _, ...transfers } = TERMS;
    const usd = { ...funded("USD"), transfers };
    scene.apply({ type: "updateCoin", assetId: USD, coin: usd });
    scene.apply(deposit(10));
    expect(scene.step(record(10, OLGA, FIRST + 1))).toBe("recorded");
  });

  test("is credited once", () => {
    const scene = new TransferScene();
    scene.apply(deposit(700));
    scene.apply(record(700));
    expect(scene.step(record(700))).toBe("transferNotOpen");
    expect(scene.step(approve(PAUL))).toBe("transferNotOpen");
    expect(scene.step(record(700, OLGA, FIRST + 1))).toBe("unknownTransfer");
    expect(scene.money()).toEqual([FUNDS + 700, 0]);
  });

  test("is not recorded a second time while it waits for the second administrator", () => {
    const scene = new TransferScene();
    scene.apply(deposit(1_001));
    scene.apply(record(1_001));
    expect(scene.step(record(900, PAUL))).toBe("transferNotOpen");
    expect(scene.open()).toMatchObject([{ amount: 1_001, firstBy: "olga" }]);
  });

  test("is recorded from a receipt that no other deposit of the coin and network has", () => {
    const scene = new TransferScene();
    for (let each = 0; each < 4; each++) scene.apply(deposit(300));
    const again = (transferId: number, amount = 300) => record(amount, PAUL, transferId, "TX 77");
    scene.apply(record(300, OLGA, FIRST, "TX 77"));
    expect(scene.step(again(FIRST + 1))).toBe("receiptKnown");
    scene.apply(record(1_001, OLGA, FIRST + 1, "TX 78"));
    expect(scene.step(record(300, PAUL, FIRST + 2, "TX 78"))).toBe("receiptKnown");
    scene.apply(approve(PAUL, FIRST + 1));
    expect(scene.step(record(300, PAUL, FIRST + 2, "TX 78"))).toBe("receiptKnown");
    expect(scene.money()).toEqual([FUNDS + 1_301, 0]);
    scene.apply(deposit(300, { network: "CASH" }));
    expect(scene.step(again(FIRST + 4))).toBe("credited");
    scene.apply(deposit(300, { assetId: BTC }));
    expect(scene.step(again(FIRST + 5))).toBe("credited");
    for (const each of [scene, scene.restored()]) {
      expect(each.step(again(FIRST + 2))).toBe("receiptKnown");
      expect(each.step(again(FIRST + 3, 2_000))).toBe("receiptKnown");
    }
  });

  test("that was recorded in the wrong place gives its receipt free when it is rejected", () => {
    const scene = new TransferScene();
    scene.apply(deposit(1_001));
    scene.apply(deposit(1_001, { account: BOB }));
    scene.apply(record(1_001, OLGA, FIRST, "TX 77"));
    const restored = scene.restored();
    for (const each of [scene, restored]) {
      expect(each.step(record(1_001, OLGA, FIRST + 1, "TX 77"))).toBe("receiptKnown");
      each.apply(reject());
      expect(each.step(record(1_001, OLGA, FIRST + 1, "TX 77"))).toBe("recorded");
    }
  });

  test("is neither recorded nor approved by the administrator whose own it is", () => {
    const scene = new TransferScene();
    scene.apply(deposit(1_001));
    expect(scene.step(record(1_001, BY_ANN))).toBe("ownTransfer");
    scene.apply(record(1_001));
    expect(scene.step(approve(BY_ANN))).toBe("ownTransfer");
    scene.apply(deposit(1_001, { account: BOB }));
    expect(scene.step(record(500, BY_ANN, FIRST + 1))).toBe("credited");
  });

  test("is cancelled by its owner before it is recorded, rejected by an administrator before it is credited", () => {
    const scene = new TransferScene();
    for (let each = 0; each < 4; each++) scene.apply(deposit(2_000));
    expect(scene.step(cancel(BOB))).toBe("unknownTransfer");
    expect(scene.step(cancel())).toBe("cancelled");
    scene.apply(record(2_000, OLGA, FIRST + 1));
    expect(scene.step(cancel(ANN, FIRST + 1))).toBe("transferNotOpen");
    expect(scene.step(reject(OLGA, FIRST + 1))).toBe("rejected");
    expect(scene.step(reject(OLGA, FIRST + 2))).toBe("rejected");
    expect(scene.money()).toEqual([FUNDS, 0]);
    expect(scene.open()).toMatchObject([{ transferId: FIRST + 3 }]);
  });

  test("that an account could not own stays as it is", () => {
    const scene = new TransferScene();
    scene.apply({ type: "limitBalances", unitsMax: (FUNDS + 500) as Amount });
    scene.apply(deposit(501));
    expect(scene.step(record(501))).toBe("balanceTooLarge");
    expect(scene.open()).toMatchObject([{ status: "requested", amount: 501 }]);
  });

  test("is refused of what is not funded or not open, too small, or not an amount", () => {
    const scene = new TransferScene();
    expect(scene.step(deposit(100, { assetId: PLAY }))).toBe("notFunded");
    expect(scene.step(deposit(100, { assetId: 9 }))).toBe("unknownAsset");
    expect(scene.step(deposit(100, { account: 99 }))).toBe("unknownAccount");
    expect(scene.step(deposit(100, { network: "SHUT" }))).toBe("depositsClosed");
    expect(scene.step(deposit(100, { network: "NONE" }))).toBe("depositsClosed");
    expect(scene.step(deposit(9))).toBe("amountTooSmall");
    for (const amount of [0, -1, 0.5, 2 ** 53, Number.NaN]) {
      expect(scene.step(deposit(amount))).toBe("invalidAmount");
    }
    const usd = { ...funded("USD"), status: "withdrawOnly" } as const;
    scene.apply({ type: "updateCoin", assetId: USD, coin: usd });
    expect(scene.step(deposit(100))).toBe("depositsClosed");
  });

  test("is one of at most five that an account may have open", () => {
    const scene = new TransferScene();
    for (let each = 0; each < 5; each++) expect(scene.step(deposit(100))).toBe("requested");
    for (const each of [scene, scene.restored()]) {
      expect(each.step(deposit(100))).toBe("tooManyDeposits");
      expect(each.step(withdrawal(100))).toBe("held");
      expect(each.step(deposit(100, { account: BOB }))).toBe("requested");
      each.apply(cancel());
      expect(each.step(deposit(100))).toBe("requested");
    }
  });

  test("expires unless it has arrived by then, in the order of their times", () => {
    const scene = new TransferScene();
    scene.apply(deposit(100));
    scene.apply(deposit(2_000));
    scene.apply(record(2_000, OLGA, FIRST + 1));
    const dueMs = START_MS + 120 * HOUR_MS;
    expect(scene.open()).toMatchObject([{ expiresAtMs: dueMs }, { expiresAtMs: 0 }]);
    for (const each of [scene, scene.restored()]) {
      each.nowMs = dueMs - 1;
      expect(each.step({ type: "advanceTime" })).toBe("timeAdvanced");
      each.nowMs = dueMs;
      expect(each.step({ type: "advanceTime" })).toBe("expired");
      expect(each.open()).toMatchObject([{ transferId: FIRST + 1, status: "recorded" }]);
      expect(each.step(record(100))).toBe("transferNotOpen");
      expect(each.money()).toEqual([FUNDS, 0]);
    }
  });

  test("expires two weeks after it was announced if the coin says nothing", () => {
    const scene = new TransferScene();
    const { depositHours: _, ...transfers } = TERMS;
    scene.apply({ type: "updateCoin", assetId: USD, coin: { ...funded("USD"), transfers } });
    expect(scene.apply(deposit(100))).toMatchObject({ expiresAtMs: START_MS + 14 * DAY_MS });
  });
});

describe("a withdrawal", () => {
  test("is held, approved, sent and settled: its amount leaves, its fee goes to the fees", () => {
    const scene = new TransferScene();
    expect(scene.apply(withdrawal(900))).toMatchObject({
      kind: "withdrawal",
      status: "held",
      amount: 900,
      fee: 5,
      value: 900,
    });
    expect(scene.money()).toEqual([FUNDS - 905, 905]);
    expect(scene.step(approve())).toBe("approved");
    expect(scene.step(claim())).toBe("paying");
    expect(scene.step(send())).toBe("sent");
    expect(scene.money()).toEqual([FUNDS - 905, 905]);
    expect(scene.step(settle())).toBe("settled");
    expect(scene.money()).toEqual([FUNDS - 905, 0]);
    expect(scene.money(FEES_ACCOUNT)).toEqual([5, 0]);
    expect(scene.money(EXTERNAL_ACCOUNT)).toEqual([900 - 3 * FUNDS, 0]);
    expect(scene.open()).toEqual([]);
  });

  test("above the limit of one administrator needs two, who are two people", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(1_001));
    expect(scene.step(approve(OLGA))).toBe("approvedOnce");
    expect(scene.step(claim())).toBe("transferNotOpen");
    expect(scene.step(send())).toBe("transferNotOpen");
    expect(scene.step(approve(OLGA))).toBe("sameAdministrator");
    expect(scene.step(approve(PAUL))).toBe("approved");
    expect(scene.step(approve(PAUL))).toBe("transferNotOpen");
  });

  test("is decided by no administrator whose own it is", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(900));
    for (const step of [approve, reject, claim, send, settle, comeBack]) {
      expect(scene.step(step(BY_ANN))).toBe("ownTransfer");
    }
    expect(scene.open()).toMatchObject([{ status: "held" }]);
  });

  test("cannot be traded while it is held", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(30_000));
    const available = FUNDS - 30_005;
    expect(scene.step(order(ANN, "buy", 1, available + 1))).toBe("insufficientAvailable");
    expect(scene.step(order(ANN, "buy", 1, available))).toBe("orderPlaced");
    expect(scene.step(withdrawal(20))).toBe("insufficientAvailable");
  });

  test("takes what is available with its fee, and not a unit more", () => {
    const scene = new TransferScene([...OPENING, order(ANN, "buy", 1, FUNDS - 1_000)]);
    expect(scene.step(withdrawal(996))).toBe("insufficientAvailable");
    expect(scene.step(withdrawal(995))).toBe("held");
    expect(scene.money()).toEqual([0, FUNDS]);
  });

  test("that is rejected, cancelled or returned releases exactly what was held, its fee included", () => {
    const paths: Command[][] = [
      [reject()],
      [approve(), reject(OLGA), reject(PAUL)],
      [cancel()],
      [approve(), claim(), send(), comeBack(PAUL), comeBack(QUIN)],
    ];
    for (const path of paths) {
      const scene = new TransferScene();
      scene.apply(withdrawal(900));
      // A fee set on another day does not apply to this withdrawal.
      const usd = funded("USD", { withdrawalFee: 77 as Amount });
      scene.apply({ type: "updateCoin", assetId: USD, coin: usd });
      for (const step of path) expect(typeof scene.apply(step)).toBe("object");
      expect(scene.money()).toEqual([FUNDS, 0]);
      expect(scene.money(FEES_ACCOUNT)).toEqual([0, 0]);
      expect(scene.open()).toEqual([]);
    }
  });

  test("is cancelled by its owner until it is approved, and by no one else", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(1_500));
    expect(scene.step(cancel(BOB))).toBe("unknownTransfer");
    scene.apply(approve(OLGA));
    scene.apply(withdrawal(1_500));
    expect(scene.step(cancel())).toBe("cancelled");
    scene.apply(approve(OLGA, FIRST + 1));
    scene.apply(approve(PAUL, FIRST + 1));
    expect(scene.step(cancel(ANN, FIRST + 1))).toBe("transferNotOpen");
  });

  test("of a frozen account is neither requested, approved nor claimed; one that was paid is marked", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(900));
    scene.apply(freeze(true));
    expect(scene.step(withdrawal(900))).toBe("accountFrozen");
    expect(scene.step(approve())).toBe("accountFrozen");
    scene.apply(freeze(false));
    scene.apply(approve());
    scene.apply(freeze(true));
    expect(scene.step(claim())).toBe("accountFrozen");
    scene.apply(freeze(false));
    scene.apply(claim());
    scene.apply(freeze(true));
    expect(scene.step(send())).toBe("sent");
    expect(scene.step(settle())).toBe("settled");
  });

  test("is one of at most twenty open transfers of an account", () => {
    const scene = new TransferScene();
    for (let each = 0; each < 20; each++) expect(scene.step(withdrawal(100))).toBe("held");
    expect(scene.step(withdrawal(100))).toBe("limitReached");
    expect(scene.step(deposit(100))).toBe("limitReached");
    expect(scene.step(withdrawal(100, { account: BOB }))).toBe("held");
    scene.apply(cancel());
    expect(scene.step(withdrawal(100))).toBe("held");
  });

  test("is refused below the minimum, above the maximum, and where it is not open", () => {
    const scene = new TransferScene();
    expect(scene.step(withdrawal(19))).toBe("amountTooSmall");
    expect(scene.step(withdrawal(50_001))).toBe("amountTooLarge");
    expect(scene.step(withdrawal(900, { network: "SHUT" }))).toBe("withdrawalsClosed");
    expect(scene.step(withdrawal(900, { assetId: PLAY }))).toBe("notFunded");
    expect(scene.step(withdrawal(900, { address: " " }))).toBe("invalidCommand");
    expect(scene.step(withdrawal(900, { address: "x".repeat(257) }))).toBe("invalidCommand");
    expect(scene.step(withdrawal(900, { memo: "7", network: "CASH" }))).toBe("invalidCommand");
    expect(scene.step(withdrawal(900, { memo: "7" }))).toBe("held");
    for (const amount of [0, -1, 0.5, 2 ** 53, Number.NaN]) {
      expect(scene.step(withdrawal(amount))).toBe("invalidAmount");
    }
    const usd = { ...funded("USD"), status: "depositOnly" } as const;
    scene.apply({ type: "updateCoin", assetId: USD, coin: usd });
    expect(scene.step(withdrawal(900))).toBe("withdrawalsClosed");
  });

  test("takes its steps with an administrator and a reason", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(900));
    for (const decision of [
      { byAdmin: "", reason: "a test" },
      { byAdmin: "olga", reason: " " },
      undefined as never,
    ]) {
      for (const step of [approve, reject, claim, send, settle, comeBack]) {
        const command = { ...step(), decision } as Command;
        expect(scene.step(command)).toBe("invalidCommand");
      }
    }
  });

  test("that is sent again under its key happens once", () => {
    const scene = new TransferScene();
    scene.apply(withdrawal(900), "k");
    for (const each of [scene, scene.restored()]) {
      const again = { ...withdrawal(900), validUntilMs: START_MS + 1_000 } as Command;
      expect(each.apply(again, "k")).toMatchObject({ type: "requestRepeated" });
      expect(each.apply(withdrawal(901), "k")).toBe("requestReused");
      expect(each.apply(withdrawal(900, { address: "DE03" }), "k")).toBe("requestReused");
      expect(each.apply(deposit(900), "k")).toBe("requestReused");
      expect(each.money()).toEqual([FUNDS - 905, 905]);
    }
  });
});

describe("funded and practice coins", () => {
  test("never meet in one market, and the simulation trades practice coins alone", () => {
    const scene = new TransferScene();
    const terms = { lotUnits: 1, tickLotUnits: 1, simulated: false };
    const list = (definition: ReturnType<typeof market>): string =>
      scene.step({ type: "listMarket", market: definition });
    expect(list(market("PLAY", terms))).toBe("mixedFunds");
    const other = { ...market("BTC", terms), quote: "PLAY", symbol: "BTC-PLAY" };
    expect(list(other)).toBe("mixedFunds");
    scene.apply({ type: "listCoin", coin: funded("ODD") });
    expect(list(market("ODD", { ...terms, simulated: true }))).toBe("mixedFunds");
    expect(list(market("ODD", terms))).toBe("marketListed");
  });

  test("stay what they are", () => {
    const scene = new TransferScene();
    const { transfers: _, ...practice } = funded("USD");
    const update = (assetId: number, definition: ReturnType<typeof coin>): string =>
      scene.step({ type: "updateCoin", assetId, coin: definition });
    expect(update(USD, practice)).toBe("mixedFunds");
    expect(update(PLAY, funded("PLAY"))).toBe("mixedFunds");
    expect(update(USD, funded("USD", { withdrawalFee: 9 as Amount }))).toBe("coinUpdated");
  });

  test("a funded coin is no practice fund, and is not reclaimed from an account", () => {
    const scene = new TransferScene();
    const amount = 100 as Amount;
    const take = { type: "takePracticeFunds", account: ANN, assetId: PLAY, amount } as const;
    expect(scene.step({ ...take, assetId: USD })).toBe("fundedCoin");
    expect(scene.step({ ...take, otherCoins: [{ assetId: USD, amount }] })).toBe("fundedCoin");
    scene.apply({ type: "openAccount", userId: "robot", kind: "participant" });
    const fund = { type: "fundParticipant", account: 19, assetId: USD, amount } as const;
    expect(scene.step(fund)).toBe("fundedCoin");
    expect(scene.step(withdrawal(100, { account: 19 }))).toBe("invalidCommand");
    scene.apply(take);
    scene.apply({ type: "reclaimPracticeFunds", account: ANN });
    expect(scene.money(ANN, PLAY)).toEqual([0, 0]);
    expect(scene.money(ANN, USD)).toEqual([FUNDS, 0]);
  });

  test("a coin's terms for transfers name each network once and fit each other", () => {
    const scene = new TransferScene();
    const [bank] = TERMS.networks;
    const wrong = [
      { networks: [bank, bank] },
      { networks: [{ ...bank, code: "sepa" }] },
      { withdrawalMax: 19 as Amount },
      { withdrawalFee: -1 as Amount },
      { oneApprovalMax: 0.5 as Amount },
    ];
    for (const terms of wrong) {
      const list: Command = { type: "listCoin", coin: funded("ODD", terms) };
      expect(scene.step(list)).toBe("invalidCommand");
    }
    const simulated = { ...funded("ODD"), kind: "simulated" } as const;
    expect(scene.step({ type: "listCoin", coin: simulated })).toBe("invalidCommand");
  });
});

test("a snapshot keeps open transfers, what counts against limits, and the next number", () => {
  const scene = new TransferScene();
  scene.apply(withdrawal(30_000));
  scene.apply(approve(OLGA));
  scene.apply(deposit(100));
  const restored = scene.restored();
  expect(restored.open()).toEqual(scene.open());
  expect(restored.engine.stateHash()).toBe(scene.engine.stateHash());
  for (const each of [scene, restored]) {
    expect(each.step(withdrawal(20))).toBe("withdrawalLimitReached");
    expect(each.step(approve(OLGA))).toBe("sameAdministrator");
    expect(each.apply(deposit(100))).toMatchObject({ transferId: FIRST + 2 });
  }
  expect(restored.engine.stateHash()).toBe(scene.engine.stateHash());
});
