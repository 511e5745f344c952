/** A small funded exchange: two funded coins and a practice coin, three users, three other administrators. */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type {
  CoinDefinition,
  Command,
  CommandOf,
  PlaceOrder,
  Side,
  Transfer,
  TransferTerms,
} from "#engine/commands.ts";
import { createEngine, restoreEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { coin, market, plan } from "./commands.ts";

export const START_MS = Date.parse("2026-01-31T10:00:00Z");
export const USD = 1;
export const BTC = 2;
export const PLAY = 3;
/** Ann is also an administrator. */
export const ANN = 16;
export const BOB = 17;
export const CAT = 18;
export const NAMES = ["ann", "bob", "cat"] as const;
export const OLGA = { byAdmin: "olga", reason: "a test" };
export const QUIN = { byAdmin: "quin", reason: "a test" };
export const PAUL = { byAdmin: "paul", reason: "a test" };
export const BY_ANN = { byAdmin: "ann", reason: "a test" };
export const FUNDS = 100_000 as Amount;

const BANK = {
  code: "BANK",
  name: "Bank transfer",
  instructions: "Pay to the account of the exchange.",
  hasMemo: true,
  confirmations: 0,
  depositsOpen: true,
  withdrawalsOpen: true,
};
export const TERMS: TransferTerms = {
  depositMin: 10 as Amount,
  depositHours: 120,
  withdrawalMin: 20 as Amount,
  withdrawalFee: 5 as Amount,
  withdrawalMax: 50_000 as Amount,
  oneApprovalMax: 1_000 as Amount,
  networks: [
    BANK,
    { ...BANK, code: "CASH", hasMemo: false },
    { ...BANK, code: "SHUT", depositsOpen: false, withdrawalsOpen: false },
  ],
};
export const funded = (symbol: string, terms: Partial<TransferTerms> = {}): CoinDefinition => ({
  ...coin(symbol, 2),
  kind: "fiat",
  transfers: { ...TERMS, ...terms },
});
const TICKS = { lotUnits: 1, tickLotUnits: 1, notionalMin: 0 as Amount, simulated: false };

/** The plan's withdrawal limits are 300.00 USD a day and 500.00 a month. */
export const OPENING: readonly Command[] = [
  { type: "listCoin", coin: funded("USD") },
  { type: "listCoin", coin: funded("BTC") },
  { type: "listCoin", coin: coin("PLAY", 2) },
  { type: "listMarket", market: market("BTC", { ...TICKS, referenceTicks: 2 as Ticks }) },
  {
    type: "definePlan",
    plan: plan("free", {
      currency: "USD",
      withdrawalDailyMax: "300",
      withdrawalMonthlyMax: "500.00",
    }),
  },
  ...NAMES.map((userId): Command => ({ type: "openAccount", userId, kind: "person" })),
  ...[ANN, BOB, CAT].flatMap((account, index) =>
    [USD, BTC].flatMap((assetId, ofPerson): Command[] => {
      const transferId = index * 2 + ofPerson + 1;
      return [
        { type: "requestDeposit", account, assetId, amount: FUNDS, network: "BANK" },
        {
          type: "recordDeposit",
          transferId,
          amount: FUNDS,
          receipt: `opening ${transferId}`,
          decision: OLGA,
        },
        { type: "approveTransfer", transferId, decision: PAUL },
      ];
    }),
  ),
];
/** Number of the first transfer after the opening. */
export const FIRST = 7;

export class TransferScene {
  engine: Engine = createEngine();
  nowMs = START_MS;

  constructor(opening: readonly Command[] = OPENING) {
    for (const command of opening) this.apply(command);
  }

  /**
   * Applies a command; returns its event, or the reason of its refusal, which must not have changed the
   * state.
   */
  apply(command: Command, key = ""): ExchangeEvent | string {
    const before = this.engine.stateHash();
    const [event] = this.applyAll(command, key);
    if (event.type !== "commandRejected") return event;
    if (this.engine.stateHash() !== before) throw new Error("a refused command changed something");
    return event.reason;
  }

  applyAll(command: Command, key = ""): ExchangeEvent[] {
    const events = new EventBuffer();
    this.engine.apply(this.engine.sequence + 1, this.nowMs, key, command, events);
    this.engine.read.checkInvariants();
    return events.decode();
  }

  /** The transfer's status after a step, or the reason of its refusal. */
  step(command: Command): string {
    const event = this.apply(command);
    if (typeof event === "string") return event;
    return event.type === "transferChanged" ? event.status : event.type;
  }

  /** An account's balance of a coin; Ann's USD by default. */
  money(account = ANN, assetId = USD): [available: number, held: number] {
    const { available, held } = this.engine.read.balance(account, assetId);
    return [available, held];
  }

  open(): Transfer[] {
    return this.engine.read.openTransfers();
  }

  restored(): TransferScene {
    const scene = new TransferScene([]);
    scene.engine = restoreEngine(this.engine.snapshot());
    scene.nowMs = this.nowMs;
    return scene;
  }
}

export const deposit = (
  amount: number,
  terms: Partial<CommandOf<"requestDeposit">> = {},
): Command => ({
  type: "requestDeposit",
  account: ANN,
  assetId: USD,
  amount: amount as Amount,
  network: "BANK",
  ...terms,
});
export const withdrawal = (
  amount: number,
  terms: Partial<CommandOf<"requestWithdrawal">> = {},
): Command => ({
  type: "requestWithdrawal",
  account: ANN,
  assetId: USD,
  amount: amount as Amount,
  network: "BANK",
  address: "DE02 1203 0000 0000 2020 51",
  memo: "",
  ...terms,
});
export const record = (
  amount: number,
  decision = OLGA,
  transferId = FIRST,
  receipt = `statement ${transferId}`,
): Command => ({
  type: "recordDeposit",
  transferId,
  amount: amount as Amount,
  receipt,
  decision,
});
export const approve = (decision = OLGA, transferId = FIRST): Command => ({
  type: "approveTransfer",
  transferId,
  decision,
});
export const reject = (decision = OLGA, transferId = FIRST): Command => ({
  type: "rejectTransfer",
  transferId,
  decision,
});
export const cancel = (account = ANN, transferId = FIRST): Command => ({
  type: "cancelTransfer",
  account,
  transferId,
});
export const claim = (decision = OLGA, transferId = FIRST): Command => ({
  type: "claimPayment",
  transferId,
  decision,
});
export const forfeit = (
  amount: number,
  terms: Partial<CommandOf<"forfeitDust">> = {},
): Command => ({
  type: "forfeitDust",
  account: ANN,
  assetId: USD,
  amount: amount as Amount,
  ...terms,
});
export const send = (decision = OLGA, transferId = FIRST): Command => ({
  type: "sendWithdrawal",
  transferId,
  receipt: "payment 7",
  decision,
});
export const settle = (decision = OLGA, transferId = FIRST): Command => ({
  type: "settleWithdrawal",
  transferId,
  decision,
});
export const comeBack = (decision = PAUL, transferId = FIRST): Command => ({
  type: "returnWithdrawal",
  transferId,
  decision,
});
export const order = (account: number, side: Side, price: number, lots: number): PlaceOrder => ({
  type: "placeOrder",
  account,
  marketId: 1,
  side,
  orderType: "limit",
  timeInForce: "gtc",
  postOnly: false,
  priceTicks: price as Ticks,
  quantityLots: lots as Lots,
  quoteAmount: 0 as Amount,
  clientOrderId: "",
});
