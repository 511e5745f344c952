/**
 * Transfers that have not ended; part of the engine's state. Never: which status may follow which
 * (transfers.ts).
 */
import { assert } from "../assert.ts";
import { RecordFormat } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";
import { DepositReceipts } from "./deposit-receipts.ts";
import { TRANSFER_STATUSES, type Transfer } from "./transfer-terms.ts";
import { WithdrawnValues } from "./withdrawn-values.ts";

const OPEN_MAX = 100_000;
const OPEN_PER_ACCOUNT_MAX = 20;

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
  value: "number",
  firstBy: "text",
  sentBy: "text",
});

export class OpenTransfers {
  nextId = 1;
  /** In order of request. */
  readonly #byId = new Map<number, Transfer>();
  readonly #countOf = new Map<number, number>();
  readonly receipts = new DepositReceipts();
  readonly withdrawn = new WithdrawnValues();

  find(transferId: number): Transfer | undefined {
    return this.#byId.get(transferId);
  }

  all(): Transfer[] {
    return [...this.#byId.values()];
  }

  /** Whether the account or the exchange has reached its limit of open transfers. */
  isFullFor(account: number): boolean {
    const count = this.#countOf.get(account) ?? 0;
    return count >= OPEN_PER_ACCOUNT_MAX || this.#byId.size >= OPEN_MAX;
  }

  add(terms: Omit<Transfer, "transferId">): Transfer {
    const transfer = { transferId: this.nextId++, ...terms };
    this.#insert(transfer);
    return transfer;
  }

  replace(transfer: Transfer): void {
    assert(this.#byId.has(transfer.transferId), "a transfer that changes is open");
    this.#byId.set(transfer.transferId, transfer);
    if (transfer.status === "recorded") this.receipts.addRecorded(transfer);
  }

  /** Removes a transfer that has the status in which it ended. */
  remove(transfer: Transfer): void {
    const { account, status, transferId } = transfer;
    const before = this.#byId.get(transferId);
    assert(this.#byId.delete(transferId), "a transfer ends once");
    const left = (this.#countOf.get(account) ?? 0) - 1;
    if (left === 0) this.#countOf.delete(account);
    else this.#countOf.set(account, left);
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
  }

  #insert(transfer: Transfer): void {
    const { account, status, transferId } = transfer;
    this.#byId.set(transferId, transfer);
    if (status === "recorded") this.receipts.addRecorded(transfer);
    this.#countOf.set(account, (this.#countOf.get(account) ?? 0) + 1);
  }
}
