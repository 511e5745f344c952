/** Balance adjustments that wait for a second administrator, and recently decided ones. */
import type { Adjustment } from "#engine/accounts/pending-adjustments.ts";
import type { EventOf } from "#engine/events.ts";

export interface AdjustmentRecord extends Adjustment {
  readonly proposedAtMs: number;
  readonly proposedSequence: number;
  readonly status: "pending" | "approved" | "rejected";
  /** The administrator who decided; "" while the adjustment is pending. */
  readonly decidedBy: string;
  /** When the adjustment was decided; 0 while it is pending. */
  readonly decidedAtMs: number;
}

const DECIDED_KEPT = 200;

export class Adjustments {
  #pending = new Map<number, AdjustmentRecord>();
  #decided: AdjustmentRecord[] = [];

  /** Pending adjustments, oldest first. */
  pending(): AdjustmentRecord[] {
    return [...this.#pending.values()];
  }
  /** The last 200 decided adjustments, newest first. */
  decided(): AdjustmentRecord[] {
    return this.#decided.slice(-DECIDED_KEPT).toReversed();
  }
  /** A pending or recently decided adjustment. */
  find(adjustmentId: number): AdjustmentRecord | undefined {
    return (
      this.#pending.get(adjustmentId) ??
      this.#decided.findLast((record) => record.adjustmentId === adjustmentId)
    );
  }

  /** The adjustment that the command with this sequence proposed. */
  ofSequence(sequence: number): AdjustmentRecord | undefined {
    const isIt = (record: AdjustmentRecord) => record.proposedSequence === sequence;
    return this.pending().find(isIt) ?? this.#decided.findLast(isIt);
  }

  state() {
    return { pending: this.#pending, decided: this.#decided };
  }

  restore({ pending, decided }: ReturnType<Adjustments["state"]>): void {
    this.#pending = pending;
    this.#decided = decided;
  }

  foldProposed(event: EventOf<"adjustmentProposed">): void {
    const { adjustmentId, account, assetId, amount, reason, proposedBy } = event;
    this.#pending.set(adjustmentId, {
      adjustmentId,
      account,
      assetId,
      amount,
      reason,
      proposedBy,
      proposedAtMs: event.timestampMs,
      proposedSequence: event.sequence,
      status: "pending",
      decidedBy: "",
      decidedAtMs: 0,
    });
  }

  foldDecided(event: EventOf<"adjustmentApproved" | "adjustmentRejected">): void {
    const proposed = this.#pending.get(event.adjustmentId);
    if (proposed === undefined) {
      throw new Error(`no event proposed the adjustment ${event.adjustmentId}`);
    }
    this.#pending.delete(event.adjustmentId);
    this.#decided.push({
      ...proposed,
      status: event.type === "adjustmentApproved" ? "approved" : "rejected",
      decidedBy: event.type === "adjustmentApproved" ? event.approvedBy : event.rejectedBy,
      decidedAtMs: event.timestampMs,
    });
    if (this.#decided.length >= 2 * DECIDED_KEPT) {
      this.#decided = this.#decided.slice(-DECIDED_KEPT);
    }
  }
}
