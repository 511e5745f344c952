/** Adjustments that one administrator has proposed and no other has decided yet. */
import { RecordFormat } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";

const PENDING_MAX = 10_000;

export interface Adjustment {
  readonly adjustmentId: number;
  readonly account: number;
  readonly assetId: number;
  /** In units of the asset; negative to take from the account. */
  readonly amount: number;
  readonly reason: string;
  readonly proposedBy: string;
}

const ADJUSTMENT = new RecordFormat<Adjustment>({
  adjustmentId: "number",
  account: "int",
  assetId: "int",
  amount: "number",
  reason: "text",
  proposedBy: "text",
});

/** Adjustments that are neither approved nor rejected, in order of proposal. */
export class PendingAdjustments {
  nextId = 1;
  readonly #byId = new Map<number, Adjustment>();

  get isFull(): boolean {
    return this.#byId.size >= PENDING_MAX;
  }

  find(adjustmentId: number): Adjustment | undefined {
    return this.#byId.get(adjustmentId);
  }

  add(terms: Omit<Adjustment, "adjustmentId">): Adjustment {
    const adjustment = { adjustmentId: this.nextId++, ...terms };
    this.#byId.set(adjustment.adjustmentId, adjustment);
    return adjustment;
  }

  remove(adjustmentId: number): void {
    this.#byId.delete(adjustmentId);
  }

  writeTo(to: StateWriter): void {
    to.part("adjustments");
    to.number(this.nextId);
    ADJUSTMENT.writeAllTo(to, [...this.#byId.values()]);
  }

  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("adjustments");
    this.nextId = snapshot.number();
    for (const each of ADJUSTMENT.readAllFrom(snapshot)) this.#byId.set(each.adjustmentId, each);
  }
}
