/**
 * Dual control: moving money by hand takes two administrators, who are two people. Small amounts
 * may be decided by one alone, but only up to the coin's `oneApprovalMax` per UTC day in all: for each
 * owner, by all administrators together, and for each administrator, for all owners together. Otherwise
 * a large amount could be let through in parts.
 *
 * The server decides who is an administrator: to the engine their ids are opaque.
 */
import { RecordFormat } from "./formats/record-format.ts";
import type { SnapshotReader } from "./formats/snapshot.ts";
import type { StateWriter } from "./formats/state-writer.ts";
import type { RejectReason } from "./reject-reasons.ts";
import { DAY_MS } from "./time/calendar.ts";

/** Refuses the second of two steps to the administrator who took the first. */
export function validateSecondAdmin(firstBy: string, byAdmin: string): RejectReason | null {
  return firstBy === byAdmin ? "sameAdministrator" : null;
}

/** An amount that one administrator decides alone. */
export interface LoneDecision {
  readonly assetId: number;
  readonly amount: number;
  /** The account of the owner. */
  readonly account: number;
  readonly byAdmin: string;
}

/** The amount of one coin that was decided alone today, for one owner or by one administrator. */
interface LoneSum {
  readonly assetId: number;
  /** 0 in the sum of an administrator. */
  readonly account: number;
  /** "" in the sum of an owner. */
  readonly byAdmin: string;
  readonly amount: number;
}

const SUM = new RecordFormat<LoneSum>({
  assetId: "int",
  account: "int",
  byAdmin: "text",
  amount: "number",
});

/** The sums of the last UTC day on which an administrator decided alone. */
export class LoneDecisions {
  /** Days since 1970. */
  #day = 0;
  /** In the order in which they began. */
  readonly #sums = new Map<string, LoneSum>();

  /** Whether the amount may be decided by this administrator alone, up to `max` per day. */
  allows(decision: LoneDecision, max: number, nowMs: number): boolean {
    const isToday = Math.floor(nowMs / DAY_MS) === this.#day;
    // Sums never exceed a limit, and rounding is monotone: a larger total never rounds back below it.
    return sumsOf(decision).every((sum) => {
      const before = isToday ? (this.#sums.get(keyOf(sum))?.amount ?? 0) : 0;
      return before + decision.amount <= max;
    });
  }

  /** Counts a decision that was allowed. */
  count(decision: LoneDecision, nowMs: number): void {
    const today = Math.floor(nowMs / DAY_MS);
    if (today !== this.#day) this.#sums.clear();
    this.#day = today;
    for (const sum of sumsOf(decision)) {
      const key = keyOf(sum);
      const before = this.#sums.get(key)?.amount ?? 0;
      this.#sums.set(key, { ...sum, amount: before + decision.amount });
    }
  }

  writeTo(to: StateWriter): void {
    const sums = [...this.#sums.values()];
    SUM.writeAllTo(to, sums);
    if (sums.length > 0) to.int(this.#day);
  }

  readFrom(snapshot: SnapshotReader): void {
    const sums = SUM.readAllFrom(snapshot);
    for (const sum of sums) this.#sums.set(keyOf(sum), sum);
    if (sums.length > 0) this.#day = snapshot.int();
  }
}

function sumsOf({ account, amount, assetId, byAdmin }: LoneDecision): LoneSum[] {
  return [
    { assetId, account, byAdmin: "", amount },
    { assetId, account: 0, byAdmin, amount },
  ];
}

function keyOf({ account, assetId, byAdmin }: LoneSum): string {
  return `${assetId} ${account} ${byAdmin}`;
}
