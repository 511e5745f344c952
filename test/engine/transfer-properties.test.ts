/**
 * What must hold for every sequence of transfers with orders between: each does what an independent
 * model says, nothing is created or lost, what a withdrawal holds cannot be traded, a refusal changes
 * nothing, and a replay through the codec from a snapshot anywhere ends in the same state.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  EXTERNAL_ACCOUNT,
  FEES_ACCOUNT,
  HOUSE_ACCOUNT,
  postingsOf,
} from "#engine/accounts/postings.ts";
import type { Amount } from "#engine/amount.ts";
import type { Command } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { decodeCommand, encodeCommand } from "#engine/formats/command-codec.ts";
import { allRuns, fixedSeed } from "../support/run-counts.ts";
import { TransferModel, type Predicted } from "./transfer-model.ts";
import {
  ANN,
  BOB,
  BTC,
  CAT,
  FIRST,
  NAMES,
  OLGA,
  OPENING,
  PLAY,
  TERMS,
  TransferScene,
  USD,
  deposit,
  order,
  record,
} from "./transfer-scene.ts";

const DAY_MS = 86_400_000;

interface Step {
  readonly command: Command;
  /** Whether a step of the review becomes the one that comes next for its transfer. */
  readonly isNext: boolean;
  readonly afterMs: number;
}

const seen = new Set<string>();

/** Dan has a little that he cannot withdraw. */
const DAN = 19;
const ALL_OPENING: readonly Command[] = [
  ...OPENING,
  { type: "openAccount", userId: "dan", kind: "person" },
  deposit(24, { account: DAN }),
  record(24, OLGA, FIRST),
];
/** In the place of an amount: all that is available. */
const EVERYTHING = -1;
const DAYS_OF_PRICE = 7;

const account = fc.constantFrom(ANN, ANN, BOB, BOB, CAT, CAT, 99);
const assetId = fc.constantFrom(USD, USD, USD, BTC, BTC, PLAY, 9);
const network = fc.constantFrom("BANK", "BANK", "BANK", "CASH", "SHUT");
const AMOUNTS = [20, 900, 1_000, 1_001, 5_000, 14_000, 30_000, 19, 50_001, 0, 0.5];
const amount = fc.constantFrom(...AMOUNTS) as fc.Arbitrary<Amount>;
/** Counts back from the newest transfer: see `aimed`. */
const back = fc.constantFrom(1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 5, 0);
const decision = fc
  .constantFrom("olga", "olga", "olga", "paul", "paul", "paul", "quin", "ann")
  .map((byAdmin) => ({
    byAdmin,
    reason: "because",
  }));
const receipt = fc.oneof(
  { weight: 2, arbitrary: fc.nat({ max: 1e9 }).map((number) => `statement ${number}`) },
  { weight: 1, arbitrary: fc.constantFrom("statement 7", "statement 8") },
);

const request: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ type: fc.constant("requestDeposit"), account, assetId, amount, network }),
  fc.record({
    type: fc.constant("requestWithdrawal"),
    account,
    assetId,
    amount,
    network,
    address: fc.constantFrom("DE02", "DE02", "DE02", " "),
    memo: fc.constantFrom("", "", "7"),
  }),
  fc.record({
    type: fc.constant("forfeitDust"),
    account: fc.constantFrom(DAN, DAN, ANN, 99),
    assetId: fc.constantFrom(USD, USD, BTC, PLAY),
    amount: fc.constantFrom(EVERYTHING, EVERYTHING, 5) as fc.Arbitrary<Amount>,
  }),
);
const decided: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ type: fc.constant("recordDeposit"), transferId: back, amount, receipt, decision }),
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom(
        "approveTransfer",
        "approveTransfer",
        "approveTransfer",
        "claimPayment",
        "claimPayment",
        "rejectTransfer",
      ),
      transferId: back,
      decision,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("sendWithdrawal"),
      transferId: back,
      receipt,
      decision,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constantFrom("settleWithdrawal", "returnWithdrawal"),
      transferId: back,
      decision,
    }),
  },
  fc.record({ type: fc.constant("cancelTransfer"), account, transferId: back }),
);
const traded: fc.Arbitrary<Command> = fc
  .tuple(
    fc.constantFrom(ANN, BOB, CAT),
    fc.constantFrom<"buy" | "sell">("buy", "sell"),
    fc.constantFrom(1, 2, 3),
    fc.constantFrom(10, 5_000, 30_000, 90_000, 150_000),
  )
  .map((terms) => order(...terms));
const beside: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    type: fc.constant("cancelAllOrders"),
    account: fc.constantFrom(ANN, BOB, CAT),
    marketId: fc.constant(0),
  }),
  fc.record({
    type: fc.constant("setAccountFreeze"),
    account: fc.constantFrom(ANN, BOB),
    isFrozen: fc.constantFrom(true, false, false),
    cancelsOrders: fc.constant(false),
    byAdmin: fc.constant("olga"),
    reason: fc.constant("because"),
  }),
  fc.record({ type: fc.constant("reclaimPracticeFunds"), account: fc.constant(CAT) }),
);
const step: fc.Arbitrary<Step> = fc.record({
  command: fc.oneof(
    { weight: 4, arbitrary: request },
    { weight: 16, arbitrary: decided },
    { weight: 4, arbitrary: traded },
    { weight: 1, arbitrary: beside },
  ),
  isNext: fc.boolean(),
  afterMs: fc.constantFrom(0, 0, 0, 0, 1000, 3_600_000, 86_400_000, 9 * 86_400_000),
});
/** More deposits than one account may have open. */
const burst: fc.Arbitrary<Step[]> = fc.constantFrom(BOB, CAT).map((owner) =>
  Array.from({ length: 6 }, () => ({
    command: deposit(20, { account: owner }),
    isNext: false,
    afterMs: 0,
  })),
);
const steps: fc.Arbitrary<Step[]> = fc
  .array(
    fc.oneof(
      { weight: 40, arbitrary: step.map((each) => [each]) },
      { weight: 1, arbitrary: burst },
    ),
    { minLength: 1, maxLength: 70, size: "max" },
  )
  .map((all) => all.flat());

describe("every sequence of transfers and orders", () => {
  test("does what the model says, conserves money, holds and replays", { timeout: 600_000 }, () => {
    const cut = fc.nat({ max: 1000 }).map((share) => share / 1000);
    fc.assert(
      fc.property(steps, cut, (sequence, share) => {
        check(sequence, share);
      }),
      { numRuns: allRuns(300), ...fixedSeed(1) },
    );
  });

  test("is a test of everything that can happen to a transfer", () => {
    const all = [
      "requested",
      "recorded",
      "credited",
      "held",
      "approvedOnce",
      "approved",
      "paying",
      "rejectedOnce",
      "sent",
      "returnedOnce",
      "settled",
      "rejected",
      "cancelled",
      "returned",
      "expired",
      "dustForfeited",
      "traded",
      "unknownTransfer",
      "transferNotOpen",
      "ownTransfer",
      "sameAdministrator",
      "receiptKnown",
      "notThePayer",
      "tooManyDeposits",
      "notDust",
      "notFunded",
      "depositsClosed",
      "withdrawalsClosed",
      "amountTooSmall",
      "amountTooLarge",
      "withdrawalLimitReached",
      "insufficientAvailable",
      "accountFrozen",
      "unknownAccount",
    ];
    expect(all.filter((what) => !seen.has(what))).toEqual([]);
  });
});

function check(sequence: readonly Step[], share: number): void {
  const scene = new TransferScene([]);
  const folded = new Map<string, bigint>();
  const { read } = scene.engine;
  const available = (owner: number, asset: number) => BigInt(read.balance(owner, asset).available);
  /** The last price after each command. */
  const prices: Price[] = [];
  const model = new TransferModel({
    coins: [
      { terms: TERMS, price: () => 1n },
      { terms: TERMS, price: () => priceAt(prices, scene.nowMs) },
      { terms: undefined, price: () => 1n },
    ],
    users: [...NAMES, "dan"],
    dailyMax: 30_000n,
    monthlyMax: 50_000n,
    available,
    owned: (owner, asset) => available(owner, asset) + BigInt(read.balance(owner, asset).held),
  });
  const begin = ALL_OPENING.length;
  const cutAt = begin + Math.round(sequence.length * share);
  let restored: TransferScene | undefined;
  let tradeFees = 0n;
  const applyToBoth = (command: Command): ExchangeEvent[] => {
    const events = scene.applyAll(command);
    note(events);
    for (const event of events) tradeFees += foldPostings(folded, event, scene);
    if (restored !== undefined) {
      const { command: decoded } = decodeCommand(encodeCommand(command, ""));
      restored.nowMs = scene.nowMs;
      deepStrictEqual(restored.applyAll(decoded), events);
    }
    return events;
  };
  const opening = ALL_OPENING.map((command) => ({ command, isNext: false, afterMs: 0 }));
  [...opening, ...sequence].forEach(({ command: drawn, isNext, afterMs }, index) => {
    scene.nowMs += afterMs;
    const due = model.expire(scene.nowMs);
    // The next command of any kind lets them expire; this one does nothing else.
    if (due.length > 0) {
      const expired = applyToBoth({ type: "advanceTime" }).flatMap((event) =>
        event.type === "transferChanged" && event.status === "expired" ? [event.transferId] : [],
      );
      deepStrictEqual(expired, due);
    }
    const at = index < begin ? drawn : aimed(drawn, model.transfers.length, available);
    const command = isNext ? nextStep(at, model) : at;
    const expected = model.apply(command, scene.nowMs);
    const hash = index < begin ? "" : scene.engine.stateHash();
    const events = applyToBoth(command);
    const [first] = events;
    if (index >= begin) prices.push({ atMs: scene.nowMs, ticks: read.marketState(1).lastTicks });
    compare(command, expected, first);
    if (first.type === "commandRejected") strictEqual(scene.engine.stateHash(), hash);
    if (first.type === "accountFreezeChanged") {
      if (first.isFrozen) model.frozen.add(first.account);
      else model.frozen.delete(first.account);
    }
    if (index < begin) return;
    for (const asset of [USD, BTC]) {
      // Whatever was traded: what is outside is what came in, and fees are what was charged.
      strictEqual(read.exactBalance(EXTERNAL_ACCOUNT, asset).available, -model.cameIn(asset));
      strictEqual(read.exactBalance(HOUSE_ACCOUNT, asset).available, model.forfeited(asset));
      strictEqual(read.assetSum(asset), 0n);
      for (const owner of [ANN, BOB, CAT]) {
        ok(
          BigInt(read.balance(owner, asset).held) >= model.held(owner, asset),
          "withdrawals are held",
        );
      }
    }
    if (index === cutAt) restored = scene.restored();
  });
  if (restored !== undefined) strictEqual(restored.engine.stateHash(), scene.engine.stateHash());
  const fees = [USD, BTC].map((asset) => read.exactBalance(FEES_ACCOUNT, asset).available);
  const charged = model.fees(USD) + model.fees(BTC) + tradeFees;
  strictEqual(fees[0] + fees[1], charged, "fees are those of withdrawals and of trades");
  for (const [key, expected] of folded) {
    const [owner, asset, kind] = key.split("/");
    const balance = read.exactBalance(Number(owner), Number(asset));
    strictEqual(balance[kind as "available" | "held"], expected, `postings of ${key}`);
  }
}

function compare(command: Command, expected: Predicted | undefined, first: ExchangeEvent): void {
  if (expected === undefined) return;
  const what = `${JSON.stringify(command)}: ${JSON.stringify(first)}`;
  if (expected === "dustForfeited") {
    strictEqual(first.type, expected, what);
  } else if (typeof expected === "string") {
    ok(first.type === "transferChanged", what);
    strictEqual(first.status, expected, what);
  } else {
    ok(first.type === "commandRejected", what);
    ok(expected.has(first.reason), `${first.reason} of ${[...expected].join(", ")}`);
  }
}

interface Price {
  readonly atMs: number;
  readonly ticks: number;
}

/**
 * What BTC is worth towards the limits: the last price, or the one in the middle of the last seven days'
 * ends if that is higher. The reference price, which is 2, stands for prices before the first trade.
 */
function priceAt(prices: readonly Price[], nowMs: number): bigint {
  const today = Math.floor(nowMs / DAY_MS);
  const ends = Array.from({ length: DAYS_OF_PRICE }, (_, index) => {
    const endMs = (today - index) * DAY_MS;
    return prices.findLast(({ atMs }) => atMs < endMs)?.ticks || 2;
  });
  const [, , , median] = ends.toSorted((a, b) => a - b);
  return BigInt(Math.max(median, prices.at(-1)?.ticks || 2));
}

/** Decisions count back from the newest transfer: 0 is one that does not exist yet. */
function aimed(
  command: Command,
  count: number,
  available: (account: number, assetId: number) => bigint,
): Command {
  if (command.type === "forfeitDust" && command.amount === EVERYTHING && command.account <= DAN) {
    const { account: owner, assetId: asset } = command;
    return { ...command, amount: Number(available(owner, asset)) as Amount };
  }
  return "transferId" in command
    ? { ...command, transferId: count + 1 - command.transferId }
    : command;
}

/** The step of the review that comes next for the transfer, by its payer if only they may take it. */
function nextStep(command: Command, model: TransferModel): Command {
  if (!("transferId" in command && "decision" in command)) return command;
  const { decision, transferId } = command;
  const transfer = model.transfers[transferId - 1];
  const common = { transferId, decision };
  switch (transfer?.status) {
    case "requested":
      return {
        ...common,
        type: "recordDeposit",
        amount: Number(transfer.amount) as Amount,
        receipt: `payment ${transferId}`,
      };
    case "recorded":
    case "held":
    case "approvedOnce":
      return { ...common, type: "approveTransfer" };
    case "approved":
      return { ...common, type: "claimPayment" };
    case "paying": {
      const byAdmin = transfer.claims.at(-1) ?? "";
      const byPayer = { ...common, decision: { ...decision, byAdmin } };
      return { ...byPayer, type: "sendWithdrawal", receipt: `payment ${transferId}` };
    }
    case "sent":
    case "returnedOnce":
      return { ...common, type: "returnWithdrawal" };
    default:
      return command;
  }
}

function note(events: readonly ExchangeEvent[]): void {
  for (const event of events) {
    if (event.type === "transferChanged") seen.add(event.status);
    else seen.add(event.type === "commandRejected" ? event.reason : event.type);
  }
}

/** Returns what trades paid in fees. */
function foldPostings(
  balances: Map<string, bigint>,
  event: ExchangeEvent,
  { engine }: TransferScene,
): bigint {
  let fees = 0n;
  for (const posting of postingsOf(event, (marketId) => engine.read.marketAssets(marketId))) {
    const { assetId: asset, reason } = posting;
    const moved = BigInt(posting.amount);
    if (reason === "makerFee" || reason === "takerFee") fees += moved;
    const debit = `${posting.debitAccount}/${asset}/${posting.debitBalance}`;
    const credit = `${posting.creditAccount}/${asset}/${posting.creditBalance}`;
    balances.set(debit, (balances.get(debit) ?? 0n) - moved);
    balances.set(credit, (balances.get(credit) ?? 0n) + moved);
  }
  return fees;
}
