/**
 * An independent model of deposits and withdrawals, so simple that it can be verified against
 * docs/transfers.md by reading: one array, BigInt, nothing removed. For each command it predicts the
 * reasons that apply or the state that the transfer enters, and the balances of the external account and
 * the fees. It shares only types with the engine, and does not model trading: the available balance is
 * passed in.
 */
import type { RejectReason } from "#engine/reject-reasons.ts";
import type { Command, Transfer, TransferStatus, TransferTerms } from "#engine/commands.ts";

export interface ModelCoin {
  /** Undefined for a practice coin. */
  readonly terms: TransferTerms | undefined;
  /** Price in the settlement coin per unit towards the limits of withdrawals. */
  readonly price: () => bigint;
}

interface ModelTransfer {
  readonly kind: Transfer["kind"];
  readonly account: number;
  readonly assetId: number;
  readonly network: string;
  status: TransferStatus;
  amount: bigint;
  readonly fee: bigint;
  readonly value: bigint;
  readonly atMs: number;
  /** Approvers so far, in order; for a deposit, the administrator who recorded it comes first. */
  readonly approvers: string[];
  /** Who has said so far that an approved withdrawal is rejected, or that a sent one came back. */
  readonly enders: string[];
  /** Who has claimed to pay it, in order, each as often as they did. */
  readonly claims: string[];
  receipt: string;
}

export interface ModelWorld {
  readonly coins: readonly ModelCoin[];
  /** User ids by account, from account 16 on. */
  readonly users: readonly string[];
  readonly dailyMax: bigint;
  readonly monthlyMax: bigint;
  available(account: number, assetId: number): bigint;
  /** Available and held. */
  owned(account: number, assetId: number): bigint;
}

/** What one administrator decided alone. */
interface LoneDecision {
  readonly day: string;
  readonly assetId: number;
  readonly account: number;
  readonly byAdmin: string;
  readonly amount: bigint;
}

/**
 * The reasons that only transfers and funded coins bring, and that of requests whose repeats are compared;
 * transfer-properties.test.ts and transfers.test.ts try them.
 */
export const TRANSFER_REASONS: ReadonlySet<RejectReason> = new Set<RejectReason>([
  "unknownTransfer",
  "transferNotOpen",
  "ownTransfer",
  "notFunded",
  "fundedCoin",
  "mixedFunds",
  "depositsClosed",
  "withdrawalsClosed",
  "amountTooSmall",
  "amountTooLarge",
  "withdrawalLimitReached",
  "receiptKnown",
  "notThePayer",
  "tooManyDeposits",
  "notDust",
  "requestReused",
]);

/**
 * The expected outcome: the state that the transfer enters, the event of a balance that is given up, or
 * the reasons of which the engine returns one.
 */
export type Predicted = TransferStatus | "dustForfeited" | ReadonlySet<string>;

const FIRST_ACCOUNT = 16;
const CAN_FAIL: readonly TransferStatus[] = [
  "requested",
  "recorded",
  "held",
  "approvedOnce",
  "approved",
  "paying",
  "rejectedOnce",
];
const FAILED: readonly TransferStatus[] = ["rejected", "cancelled", "returned", "expired"];
const ENDED = new Set<TransferStatus>(["credited", "settled", ...FAILED]);
const HOUR_MS = 3_600_000;

export class TransferModel {
  readonly transfers: ModelTransfer[] = [];
  readonly frozen = new Set<number>();
  readonly #alone: LoneDecision[] = [];
  readonly #forfeited: { readonly assetId: number; readonly amount: bigint }[] = [];
  readonly #world: ModelWorld;

  constructor(world: ModelWorld) {
    this.#world = world;
  }

  /** Lets announced deposits expire; returns the numbers of those that do, the first due first. */
  expire(nowMs: number): number[] {
    const due = this.transfers.flatMap((transfer, index) => {
      if (transfer.status !== "requested") return [];
      const hours = this.#world.coins[transfer.assetId - 1].terms?.depositHours ?? 336;
      const dueMs = transfer.atMs + hours * HOUR_MS;
      return dueMs <= nowMs ? [{ dueMs, transfer, transferId: index + 1 }] : [];
    });
    for (const { transfer } of due) enter(transfer, "expired");
    return due
      .toSorted((a, b) => a.dueMs - b.dueMs || a.transferId - b.transferId)
      .map(({ transferId }) => transferId);
  }

  /** Undefined for a command that does not concern transfers. */
  apply(command: Command, nowMs: number): Predicted | undefined {
    switch (command.type) {
      case "requestDeposit":
        return this.#deposit(command, nowMs);
      case "requestWithdrawal":
        return this.#withdraw(command, nowMs);
      case "cancelTransfer": {
        const found = this.transfers[command.transferId - 1];
        if (found === undefined) return new Set(["unknownTransfer"]);
        const reasons = new Set<string>();
        if (ENDED.has(found.status)) return reasons.add("transferNotOpen");
        if (found.account !== command.account) return reasons.add("unknownTransfer");
        const isEarly = ["requested", "held", "approvedOnce"].includes(found.status);
        return isEarly ? enter(found, "cancelled") : reasons.add("transferNotOpen");
      }
      case "recordDeposit": {
        const { amount, decision, receipt } = command;
        const found = this.#find(command.transferId, decision.byAdmin, ["requested"]);
        if (found instanceof Set) return found;
        const reasons = new Set<string>();
        if (!(Number.isInteger(amount) && amount > 0)) reasons.add("invalidAmount");
        const isKnown = this.transfers.some(
          (each) =>
            (each.status === "recorded" || each.status === "credited") &&
            each.assetId === found.assetId &&
            each.network === found.network &&
            each.receipt === receipt,
        );
        if (isKnown) reasons.add("receiptKnown");
        if (reasons.size > 0) return reasons;
        found.receipt = receipt;
        found.amount = BigInt(amount);
        found.approvers.push(decision.byAdmin);
        return enter(
          found,
          this.#isAlone(found, decision.byAdmin, nowMs) ? "credited" : "recorded",
        );
      }
      case "approveTransfer": {
        const { byAdmin } = command.decision;
        const states = ["recorded", "held", "approvedOnce"] as const;
        const found = this.#find(command.transferId, byAdmin, states);
        if (found instanceof Set) return found;
        const reasons = new Set<string>();
        if (found.approvers.includes(byAdmin)) reasons.add("sameAdministrator");
        const isDeposit = found.kind === "deposit";
        if (!isDeposit && this.frozen.has(found.account)) reasons.add("accountFrozen");
        if (reasons.size > 0) return reasons;
        found.approvers.push(byAdmin);
        if (isDeposit) return enter(found, "credited");
        const isEnough = found.approvers.length === 2 || this.#isAlone(found, byAdmin, nowMs);
        return enter(found, isEnough ? "approved" : "approvedOnce");
      }
      case "rejectTransfer": {
        const { byAdmin } = command.decision;
        const found = this.#find(command.transferId, byAdmin, CAN_FAIL);
        if (found instanceof Set) return found;
        if (found.status === "paying" && found.claims.at(-1) !== byAdmin) {
          return new Set(["notThePayer"]);
        }
        if (!["approved", "paying", "rejectedOnce"].includes(found.status)) {
          return enter(found, "rejected");
        }
        if (found.enders.includes(byAdmin)) return new Set(["sameAdministrator"]);
        found.enders.push(byAdmin);
        return enter(found, found.enders.length === 2 ? "rejected" : "rejectedOnce");
      }
      case "claimPayment": {
        const { byAdmin } = command.decision;
        const states = ["approved", "paying", "rejectedOnce"] as const;
        const found = this.#find(command.transferId, byAdmin, states);
        if (found instanceof Set) return found;
        const reasons = new Set<string>();
        if (found.status === "paying" && found.claims.at(-1) === byAdmin) {
          reasons.add("nothingToChange");
        }
        if (this.frozen.has(found.account)) reasons.add("accountFrozen");
        if (reasons.size > 0) return reasons;
        found.claims.push(byAdmin);
        found.enders.length = 0;
        return enter(found, "paying");
      }
      case "sendWithdrawal": {
        const { byAdmin } = command.decision;
        const found = this.#find(command.transferId, byAdmin, ["paying", "rejectedOnce"]);
        if (found instanceof Set) return found;
        if (found.claims.at(-1) !== byAdmin) return new Set(["notThePayer"]);
        found.enders.length = 0;
        return enter(found, "sent");
      }
      case "settleWithdrawal": {
        const states = ["sent", "returnedOnce"] as const;
        const found = this.#find(command.transferId, command.decision.byAdmin, states);
        return found instanceof Set ? found : enter(found, "settled");
      }
      case "returnWithdrawal": {
        const { byAdmin } = command.decision;
        const found = this.#find(command.transferId, byAdmin, ["sent", "returnedOnce"]);
        if (found instanceof Set) return found;
        if (found.claims.includes(byAdmin) || found.enders.includes(byAdmin)) {
          return new Set(["sameAdministrator"]);
        }
        found.enders.push(byAdmin);
        const isEnough = found.enders.length === 2 || this.#isAlone(found, byAdmin, nowMs);
        return enter(found, isEnough ? "returned" : "returnedOnce");
      }
      case "forfeitDust":
        return this.#forfeit(command);
      default:
        return undefined;
    }
  }

  /** Amount held for the account's withdrawals that have not ended. */
  held(account: number, assetId: number): bigint {
    return this.#sum((each) =>
      each.kind === "withdrawal" && each.account === account && each.assetId === assetId
        ? ENDED.has(each.status)
          ? 0n
          : each.amount + each.fee
        : 0n,
    );
  }

  /** Deposits credited less withdrawals settled, without fees. */
  cameIn(assetId: number): bigint {
    return this.#sum((each) => {
      if (each.assetId !== assetId) return 0n;
      if (each.status === "credited") return each.amount;
      return each.status === "settled" ? -each.amount : 0n;
    });
  }

  /** What owners gave up. */
  forfeited(assetId: number): bigint {
    return this.#forfeited.reduce(
      (sum, each) => sum + (each.assetId === assetId ? each.amount : 0n),
      0n,
    );
  }

  /** Fees of the settled withdrawals. */
  fees(assetId: number): bigint {
    return this.#sum((each) =>
      each.assetId === assetId && each.status === "settled" ? each.fee : 0n,
    );
  }

  #deposit(
    { account, amount, assetId, network }: Extract<Command, { type: "requestDeposit" }>,
    atMs: number,
  ): Predicted {
    const reasons = this.#check(account, assetId, amount);
    const terms = this.#world.coins[assetId - 1]?.terms;
    if (terms === undefined) return reasons;
    const way = terms.networks.find(({ code }) => code === network);
    if (way?.depositsOpen !== true) reasons.add("depositsClosed");
    if (amount < terms.depositMin) reasons.add("amountTooSmall");
    const announced = this.transfers.filter(
      (each) => each.account === account && each.kind === "deposit" && !ENDED.has(each.status),
    );
    if (announced.length >= 5) reasons.add("tooManyDeposits");
    if (reasons.size > 0) return reasons;
    const common = { account, assetId, network, amount: BigInt(amount), fee: 0n, value: 0n, atMs };
    return this.#add({ ...common, kind: "deposit", status: "requested" });
  }

  #withdraw(command: Extract<Command, { type: "requestWithdrawal" }>, atMs: number): Predicted {
    const { account, address, amount, assetId, memo, network } = command;
    const reasons = this.#check(account, assetId, amount);
    if (address.trim() === "" || address.length > 256) reasons.add("invalidCommand");
    if (this.frozen.has(account)) reasons.add("accountFrozen");
    const coin = this.#world.coins[assetId - 1];
    const terms = coin?.terms;
    if (terms === undefined) return reasons;
    const way = terms.networks.find(({ code }) => code === network);
    if (way?.withdrawalsOpen !== true) reasons.add("withdrawalsClosed");
    if (memo !== "" && way?.hasMemo !== true) reasons.add("invalidCommand");
    if (amount < terms.withdrawalMin) reasons.add("amountTooSmall");
    if (amount > (terms.withdrawalMax ?? Infinity)) reasons.add("amountTooLarge");
    if (reasons.size > 0) return reasons;
    const fee = BigInt(terms.withdrawalFee);
    if (BigInt(amount) + fee > this.#world.available(account, assetId)) {
      reasons.add("insufficientAvailable");
    }
    const value = BigInt(amount) * coin.price();
    const [today, month] = [dayOf(atMs), dayOf(atMs).slice(0, 7)];
    const spent = (isCounted: (day: string) => boolean) =>
      this.#sum((each) => {
        const failed = FAILED.includes(each.status);
        const counts = each.account === account && !failed && isCounted(dayOf(each.atMs));
        return counts ? each.value : 0n;
      });
    if (spent((day) => day === today) + value > this.#world.dailyMax) {
      reasons.add("withdrawalLimitReached");
    }
    if (spent((day) => day.startsWith(month)) + value > this.#world.monthlyMax) {
      reasons.add("withdrawalLimitReached");
    }
    if (reasons.size > 0) return reasons;
    const common = { account, assetId, network, amount: BigInt(amount), fee, value, atMs };
    return this.#add({ ...common, kind: "withdrawal", status: "held" });
  }

  #check(account: number, assetId: number, amount: number): Set<string> {
    const reasons = new Set<string>();
    const open = this.transfers.filter(
      (each) => each.account === account && !ENDED.has(each.status),
    );
    if (this.#world.users[account - FIRST_ACCOUNT] === undefined) reasons.add("unknownAccount");
    const coin = this.#world.coins[assetId - 1];
    if (coin === undefined) reasons.add("unknownAsset");
    else if (coin.terms === undefined) reasons.add("notFunded");
    if (!(Number.isInteger(amount) && amount > 0)) reasons.add("invalidAmount");
    if (open.length >= 20) reasons.add("limitReached");
    return reasons;
  }

  #add(
    transfer: Omit<ModelTransfer, "approvers" | "enders" | "claims" | "receipt">,
  ): TransferStatus {
    this.transfers.push({ ...transfer, approvers: [], enders: [], claims: [], receipt: "" });
    return transfer.status;
  }

  #find(
    transferId: number,
    byAdmin: string,
    states: readonly TransferStatus[],
  ): ModelTransfer | Set<string> {
    const found = this.transfers[transferId - 1];
    if (found === undefined) return new Set(["unknownTransfer"]);
    const reasons = new Set<string>();
    if (!states.includes(found.status)) reasons.add("transferNotOpen");
    const isOwn = this.#world.users[found.account - FIRST_ACCOUNT] === byAdmin;
    if (isOwn && !ENDED.has(found.status)) reasons.add("ownTransfer");
    return reasons.size > 0 ? reasons : found;
  }

  #forfeit({ account, amount, assetId }: Extract<Command, { type: "forfeitDust" }>): Predicted {
    const reasons = new Set<string>();
    const isUser = this.#world.users[account - FIRST_ACCOUNT] !== undefined;
    if (!isUser) reasons.add("unknownAccount");
    if (this.frozen.has(account)) reasons.add("accountFrozen");
    const coin = this.#world.coins[assetId - 1];
    if (coin === undefined) return reasons.add("unknownAsset");
    if (coin.terms === undefined) return reasons.add("notFunded");
    if (!isUser) return reasons;
    const units = Number.isInteger(amount) ? BigInt(amount) : 0n;
    if (units <= 0n || units !== this.#world.available(account, assetId)) {
      reasons.add("invalidAmount");
    }
    const { withdrawalFee, withdrawalMin } = coin.terms;
    const smallest = BigInt(withdrawalMin === 0 ? 1 : withdrawalMin) + BigInt(withdrawalFee);
    if (this.#world.owned(account, assetId) >= smallest) reasons.add("notDust");
    if (reasons.size > 0) return reasons;
    this.#forfeited.push({ assetId, amount: units });
    return "dustForfeited";
  }

  /** Whether the administrator may decide it alone; the decision is remembered then. */
  #isAlone({ account, amount, assetId }: ModelTransfer, byAdmin: string, nowMs: number): boolean {
    const day = dayOf(nowMs);
    const max = BigInt(this.#world.coins[assetId - 1].terms?.oneApprovalMax ?? 0);
    const today = this.#alone.filter((each) => each.day === day && each.assetId === assetId);
    const sumOf = (decisions: readonly LoneDecision[]) =>
      decisions.reduce((sum, each) => sum + each.amount, amount);
    const isWithin =
      sumOf(today.filter((each) => each.account === account)) <= max &&
      sumOf(today.filter((each) => each.byAdmin === byAdmin)) <= max;
    if (isWithin) this.#alone.push({ day, assetId, account, byAdmin, amount });
    return isWithin;
  }

  #sum(of: (transfer: ModelTransfer) => bigint): bigint {
    return this.transfers.reduce((sum, each) => sum + of(each), 0n);
  }
}

function enter(transfer: ModelTransfer, status: TransferStatus): TransferStatus {
  transfer.status = status;
  return status;
}

/** The day in UTC, such as "2026-01-31", by the platform's calendar. */
function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
