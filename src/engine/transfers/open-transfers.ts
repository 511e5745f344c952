/**
 * Transfers that have not ended; part of the engine's state. Which status may follow which is in
 * transfers.ts.
 */
import { assert } from "../assert.ts";
import { LoneDecisions } from "../dual-control.ts";
import { RecordFormat } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";
import { TIMER_DEPOSIT_EXPIRY, type Timer, type Timers } from "../time/timers.ts";
import { DepositReceipts } from "./deposit-receipts.ts";
import { TRANSFER_STATUSES, type Transfer } from "./transfer-terms.ts";
import { WithdrawnValues } from "./withdrawn-values.ts";

const OPEN_MAX = 100_000;
const OPEN_PER_ACCOUNT_MAX = 20;
/** Announcing costs nothing, so deposits leave half of the room to withdrawals. */
const DEPOSITS_MAX = 50_000;
const DEPOSITS_PER_ACCOUNT_MAX = 5;

const TRANSFER = new RecordFormat<Transfer>({
  transferId: "number",
  kind: "text",
  account: "int",
  assetId: "int",
  status: "text",
  amount: "number",
  fee: "number",
  network: "text",
  address: "text",
  memo: "text",
  receipt: "text",
  requestedAtMs: "number",
  expiresAtMs: "number",
  value: "number",
  firstBy: "text",
  payers: "texts",
});

/** How many of something there are of each account. */
class Counts {
  total = 0;
  readonly #ofAccount = new Map<number, number>();

  of(account: number): number {
    return this.#ofAccount.get(account) ?? 0;
  }

  /** @param change 1 or -1 */
  change(account: number, change: number): void {
    const count = this.of(account) + change;
    if (count === 0) this.#ofAccount.delete(account);
    else this.#ofAccount.set(account, count);
    this.total += change;
  }
}

export class OpenTransfers {
  nextId = 1;
  /** In order of request. */
  readonly #byId = new Map<number, Transfer>();
  readonly #open = new Counts();
  readonly #deposits = new Counts();
  /** The expiries of announced deposits, by transfer. */
  readonly #expiries = new Map<number, Timer>();
  readonly #timers: Timers;
  readonly receipts = new DepositReceipts();
  readonly withdrawn = new WithdrawnValues();
  readonly decidedAlone = new LoneDecisions();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  find(transferId: number): Transfer | undefined {
    return this.#byId.get(transferId);
  }

  all(): Transfer[] {
    return [...this.#byId.values()];
  }

  /** Whether the account or the exchange has reached its limit of open transfers. */
  isFullFor(account: number): boolean {
    return this.#open.of(account) >= OPEN_PER_ACCOUNT_MAX || this.#open.total >= OPEN_MAX;
  }

  /** Whether the account has as many open deposits as it may have. */
  hasManyDeposits(account: number): boolean {
    return this.#deposits.of(account) >= DEPOSITS_PER_ACCOUNT_MAX;
  }

  /** Whether the exchange can keep no further announced deposit. */
  get isFullOfDeposits(): boolean {
    return this.#deposits.total >= DEPOSITS_MAX || this.#timers.isFull;
  }

  add(terms: Omit<Transfer, "transferId">): Transfer {
    const transfer = { transferId: this.nextId++, ...terms };
    this.#insert(transfer);
    return transfer;
  }

  replace(transfer: Transfer): void {
    const { expiresAtMs, status, transferId } = transfer;
    assert(this.#byId.has(transferId), "a transfer that changes is open");
    assert(expiresAtMs === 0, "only an announced deposit expires");
    this.#byId.set(transferId, transfer);
    this.#stopExpiry(transferId);
    if (status === "recorded") this.receipts.addRecorded(transfer);
  }

  /** Forgets the timer of a deposit whose expiry has just fired. */
  expiryFired(transferId: number): void {
    this.#expiries.delete(transferId);
  }

  /** Removes a transfer that has the status in which it ended. */
  remove(transfer: Transfer): void {
    const { account, kind, status, transferId } = transfer;
    const before = this.#byId.get(transferId);
    assert(this.#byId.delete(transferId), "a transfer ends once");
    this.#open.change(account, -1);
    if (kind === "deposit") this.#deposits.change(account, -1);
    this.#stopExpiry(transferId);
    if (before?.status === "recorded") this.receipts.dropRecorded(before);
    if (status === "credited") this.receipts.addCredited(transfer);
  }

  /** A hash omits this before the first transfer, so that earlier hashes stay valid. */
  writeTo(to: StateWriter): void {
    if (to.isHash && this.nextId === 1) return;
    to.part("transfers");
    to.number(this.nextId);
    TRANSFER.writeAllTo(to, this.all());
    this.withdrawn.writeTo(to);
    this.receipts.writeTo(to);
    this.decidedAlone.writeTo(to);
  }

  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("transfers");
    this.nextId = snapshot.number();
    for (const transfer of TRANSFER.readAllFrom(snapshot)) {
      if (!TRANSFER_STATUSES.includes(transfer.status)) snapshot.refuse("a transfer in no state");
      this.#insert(transfer);
    }
    this.withdrawn.readFrom(snapshot);
    this.receipts.readFrom(snapshot);
    this.decidedAlone.readFrom(snapshot);
  }

  #insert(transfer: Transfer): void {
    const { account, expiresAtMs, kind, status, transferId } = transfer;
    this.#byId.set(transferId, transfer);
    this.#open.change(account, 1);
    if (kind === "deposit") this.#deposits.change(account, 1);
    if (status === "recorded") this.receipts.addRecorded(transfer);
    if (expiresAtMs === 0) return;
    const timer = this.#timers.add(expiresAtMs, TIMER_DEPOSIT_EXPIRY, transferId);
    this.#expiries.set(transferId, timer);
  }

  #stopExpiry(transferId: number): void {
    const timer = this.#expiries.get(transferId);
    if (timer === undefined) return;
    this.#timers.remove(timer);
    this.#expiries.delete(transferId);
  }
}
