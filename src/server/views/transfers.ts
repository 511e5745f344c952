/** Deposits and withdrawals, open and recently ended: of all accounts and of each. */
import type { Decision, Transfer, TransferStatus } from "#engine/commands.ts";
import type { EventOf } from "#engine/events.ts";
import { hasEnded, hasFailed } from "#engine/transfers/transfer-ends.ts";
import { WithdrawnValues } from "#engine/transfers/withdrawn-values.ts";

export interface TransferStep {
  readonly status: TransferStatus;
  readonly atMs: number;
  /** The administrator's decision with its reason; undefined if the owner took the step. */
  readonly decision: Decision | undefined;
}

export interface TransferView extends Transfer {
  /** The sequence of the command that requested the transfer. */
  readonly requestedSequence: number;
  /** Oldest first, at least one; the last step led to the present status. */
  readonly steps: readonly TransferStep[];
}

/**
 * Whether two receipts name one payment. People retype them, so case, spaces and invisible characters
 * are ignored.
 */
export function isSameReceipt(one: string, other: string): boolean {
  return one === other || comparable(one) === comparable(other);
}

function comparable(receipt: string): string {
  return receipt
    .normalize("NFKC")
    .replaceAll(/[\s\p{Cc}\p{Cf}]/gu, "")
    .toUpperCase();
}

const ENDED_KEPT = 200;
const PER_ACCOUNT_KEPT = 100;

export class Transfers {
  #open = new Map<number, TransferView>();
  /** The open ones that wait for an administrator: of deposits that were only announced there may be very many. */
  readonly #waiting = new Map<number, TransferView>();
  /** Oldest first. */
  #ended: TransferView[] = [];
  /** By account, oldest first. */
  #ofAccount = new Map<number, TransferView[]>();
  readonly withdrawn = new WithdrawnValues();

  /**
   * The open transfers to review, oldest first and at most `max`: those that wait for an administrator
   * before deposits that were only announced, of which there may be many; and how many are left out.
   */
  toReview(max: number): { readonly shown: TransferView[]; readonly left: number } {
    const shown = [...this.#waiting.values()].toSorted(byId).slice(0, max);
    for (const transfer of this.#open.values()) {
      if (shown.length >= max) break;
      if (isAnnounced(transfer)) shown.push(transfer);
    }
    return { shown, left: this.#open.size - shown.length };
  }

  /**
   * The open transfers that wait for an administrator by kind, and the time since which the oldest of
   * them waits; undefined if none waits. An announced deposit waits for its payer instead.
   */
  waiting(): {
    readonly deposits: number;
    readonly withdrawals: number;
    readonly announced: number;
    readonly sinceMs: number | undefined;
  } {
    let [deposits, withdrawals] = [0, 0];
    let sinceMs = Infinity;
    for (const { kind, steps } of this.#waiting.values()) {
      if (kind === "deposit") deposits++;
      else withdrawals++;
      sinceMs = Math.min(sinceMs, steps.at(-1)?.atMs ?? Infinity);
    }
    const oldest = sinceMs === Infinity ? undefined : sinceMs;
    const announced = this.#open.size - this.#waiting.size;
    return { deposits, withdrawals, announced, sinceMs: oldest };
  }

  /** The newest 200, newest first. */
  ended(): TransferView[] {
    return this.#ended.slice(-ENDED_KEPT).toReversed();
  }

  /** The account's open transfers and the newest that ended, 100 together; newest first. */
  ofAccount(account: number): TransferView[] {
    return (this.#ofAccount.get(account) ?? []).toReversed();
  }

  /** A transfer that is open or has recently ended. */
  find(transferId: number): TransferView | undefined {
    return (
      this.#open.get(transferId) ?? this.#ended.findLast((each) => each.transferId === transferId)
    );
  }

  /**
   * A deposit of the same coin and network that was recorded from the receipt, however it is written,
   * and not rejected; open or ended recently.
   */
  depositOf(
    { assetId, network }: Pick<Transfer, "assetId" | "network">,
    receipt: string,
  ): TransferView | undefined {
    const wanted = comparable(receipt);
    const isIt = (each: TransferView) =>
      each.kind === "deposit" &&
      each.assetId === assetId &&
      each.network === network &&
      !hasFailed(each.status) &&
      comparable(each.receipt) === wanted;
    return this.#ended.findLast(isIt) ?? this.#waiting.values().find(isIt);
  }

  state() {
    return {
      open: this.#open,
      ended: this.#ended,
      ofAccount: this.#ofAccount,
      withdrawn: this.withdrawn.all(),
    };
  }

  restore({ open, ended, ofAccount, withdrawn }: ReturnType<Transfers["state"]>): void {
    this.#open = open;
    this.#waiting.clear();
    for (const transfer of open.values()) this.#keepWaiting(transfer);
    this.#ended = ended;
    this.#ofAccount = ofAccount;
    this.withdrawn.restore(withdrawn);
  }

  fold(event: EventOf<"transferChanged">): void {
    const { type: _, sequence, timestampMs, decision, ...transfer } = event;
    const { kind, status, transferId } = transfer;
    const before = this.#open.get(transferId);
    const step: TransferStep = { status, atMs: timestampMs, decision };
    const next: TransferView = {
      ...transfer,
      requestedSequence: before?.requestedSequence ?? sequence,
      steps: [...(before?.steps ?? []), step],
    };
    if (hasEnded(status)) {
      this.#open.delete(transferId);
      this.#waiting.delete(transferId);
      this.#ended.push(next);
      if (this.#ended.length >= 2 * ENDED_KEPT) this.#ended = this.#ended.slice(-ENDED_KEPT);
    } else {
      this.#open.set(transferId, next);
      this.#keepWaiting(next);
    }
    this.#keepOfAccount(next);
    if (kind === "deposit") return;
    if (status === "held") this.withdrawn.count(transfer);
    else if (hasFailed(status)) this.withdrawn.uncount(transfer);
  }

  #keepWaiting(transfer: TransferView): void {
    if (!isAnnounced(transfer)) this.#waiting.set(transfer.transferId, transfer);
  }

  #keepOfAccount(next: TransferView): void {
    const { account, transferId } = next;
    const kept = this.#ofAccount.get(account) ?? [];
    const at = kept.findLastIndex((each) => each.transferId === transferId);
    const all = at === -1 ? [...kept, next] : kept.with(at, next);
    // Open transfers are kept, however old.
    const dropped =
      all.length > PER_ACCOUNT_KEPT ? all.findIndex((each) => hasEnded(each.status)) : -1;
    this.#ofAccount.set(account, dropped === -1 ? all : all.toSpliced(dropped, 1));
  }
}

/** Whether a deposit waits for its payer, not for an administrator. */
function isAnnounced({ status }: TransferView): boolean {
  return status === "requested";
}

function byId(one: TransferView, other: TransferView): number {
  return one.transferId - other.transferId;
}
