/** Adjustments that one administrator has proposed and none has decided. */
import type { SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import type { StateHash } from "../formats/state-hash.ts";

const PENDING_MAX = 10_000;

export interface Adjustment {
  readonly adjustmentId: number;
  readonly account: number;
  readonly assetId: number;
  /** Signed. */
  readonly amount: number;
  readonly reason: string;
  readonly proposedBy: string;
}

/** What was proposed and is neither approved nor rejected, in order of proposal. */
export class PendingAdjustments {
  nextId = 1;
  readonly #byId = new Map<number, Adjustment>();

  get isFull(): boolean {
    return this.#byId.size >= PENDING_MAX;
  }

  find(adjustmentId: number): Adjustment | undefined {
    return this.#byId.get(adjustmentId);
  }

  all(): Adjustment[] {
    return [...this.#byId.values()];
  }

  add(terms: Omit<Adjustment, "adjustmentId">): Adjustment {
    const adjustment = { adjustmentId: this.nextId++, ...terms };
    this.#byId.set(adjustment.adjustmentId, adjustment);
    return adjustment;
  }

  remove(adjustmentId: number): void {
    this.#byId.delete(adjustmentId);
  }

  addTo(hash: StateHash): void {
    hash.number(this.nextId);
    hash.number(this.#byId.size);
    for (const adjustment of this.#byId.values()) {
      hash.number(adjustment.adjustmentId);
      hash.number(adjustment.account);
      hash.number(adjustment.assetId);
      hash.number(adjustment.amount);
      hash.text(adjustment.reason);
      hash.text(adjustment.proposedBy);
    }
  }

  writeTo(snapshot: SnapshotWriter): void {
    snapshot.part("adjustments");
    snapshot.number(this.nextId);
    snapshot.int(this.#byId.size);
    for (const adjustment of this.#byId.values()) {
      snapshot.number(adjustment.adjustmentId);
      snapshot.int(adjustment.account);
      snapshot.int(adjustment.assetId);
      snapshot.number(adjustment.amount);
      snapshot.text(adjustment.reason);
      snapshot.text(adjustment.proposedBy);
    }
  }

  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("adjustments");
    const nextId = snapshot.number();
    const count = snapshot.count(32);
    for (let index = 0; index < count; index++) {
      this.nextId = snapshot.number();
      const account = snapshot.int();
      const assetId = snapshot.int();
      const amount = snapshot.number();
      this.add({ account, assetId, amount, reason: snapshot.text(), proposedBy: snapshot.text() });
    }
    this.nextId = nextId;
  }
}
