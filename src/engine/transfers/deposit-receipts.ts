/**
 * The receipts from which deposits were recorded, so that one payment is not credited as two deposits:
 * of every recorded deposit, and of the 10 000 that were credited last. A rejected deposit gives its
 * receipt free, because rejecting is how a record in the wrong place is corrected.
 */
import { RecordFormat } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";
import type { Transfer } from "./transfer-terms.ts";

/** Identifies a payment: receipts are unique within a coin's network. */
type DepositReceipt = Pick<Transfer, "assetId" | "network" | "receipt">;

const CREDITED_MAX = 10_000;
const RECEIPT = new RecordFormat<DepositReceipt>({
  assetId: "int",
  network: "text",
  receipt: "text",
});

export class DepositReceipts {
  readonly #recorded = new Set<string>();
  /** Oldest first. */
  readonly #credited = new Map<string, DepositReceipt>();
  readonly #creditedMax: number;

  constructor(creditedMax = CREDITED_MAX) {
    this.#creditedMax = creditedMax;
  }

  has(receipt: DepositReceipt): boolean {
    const key = keyOf(receipt);
    return this.#recorded.has(key) || this.#credited.has(key);
  }

  /** Adds the receipt of a deposit that waits for its second administrator. */
  addRecorded(receipt: DepositReceipt): void {
    this.#recorded.add(keyOf(receipt));
  }

  dropRecorded(receipt: DepositReceipt): void {
    this.#recorded.delete(keyOf(receipt));
  }

  addCredited({ assetId, network, receipt }: DepositReceipt): void {
    const credited = { assetId, network, receipt };
    this.#credited.set(keyOf(credited), credited);
    if (this.#credited.size <= this.#creditedMax) return;
    const [oldest] = this.#credited.keys();
    this.#credited.delete(oldest);
  }

  /** Writes the credited ones: the others stand in the open transfers. */
  writeTo(to: StateWriter): void {
    RECEIPT.writeAllTo(to, [...this.#credited.values()]);
  }

  readFrom(snapshot: SnapshotReader): void {
    for (const receipt of RECEIPT.readAllFrom(snapshot)) this.addCredited(receipt);
  }
}

/** A network's code has no spaces. */
function keyOf({ assetId, network, receipt }: DepositReceipt): string {
  return `${assetId} ${network} ${receipt}`;
}
