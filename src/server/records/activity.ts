/** The activity feed of a person: orders, fills, transfers and changes of plan. */
import type { EventOf } from "#engine/events.ts";
import type { TransferStatus } from "#engine/commands.ts";
import { hasFailed, isAmongAdministrators } from "#engine/transfers/transfer-ends.ts";
import type { OrderRecord } from "./orders.ts";
import { fixed, RecordKind, type RecordOf } from "./record-kind.ts";
import type { FillRecord } from "./trades.ts";

export const TRANSFER_REASONS = [
  "practiceFunds",
  "adjustment",
  "deposit",
  "withdrawal",
  "dust",
] as const;
export type TransferReason = (typeof TRANSFER_REASONS)[number];

export const TRANSFERS = new RecordKind({
  account: fixed("account").integer(),
  reason: fixed("reason").text<TransferReason>(),
  assetId: fixed("asset_id").integer(),
  /** Signed. A withdrawal's amount includes its fee, whether it has left or was released. */
  amount: fixed("amount").integer(),
  /**
   * An adjustment's reason, as the administrator wrote it; the status that a deposit or withdrawal has
   * entered; else "".
   */
  note: fixed("note").text<string>(),
  timestampMs: fixed("time").integer(),
  sequence: fixed("sequence").integer(),
});
/** Practice funds, an adjustment, a balance given up, or a status change of a deposit or withdrawal. */
export type TransferRecord = RecordOf<typeof TRANSFERS.fields>;

export const PLAN_CHANGES = new RecordKind({
  account: fixed("account").integer(),
  planId: fixed("plan_id").integer(),
  /** The price paid for a period of the plan; 0 if the account only changed to it. */
  amount: fixed("amount").integer(),
  /** The asset of the amount; 0 if nothing was paid. */
  assetId: fixed("asset_id").integer(),
  timestampMs: fixed("time").integer(),
  sequence: fixed("sequence").integer(),
});
export type PlanChangeRecord = RecordOf<typeof PLAN_CHANGES.fields>;

/** One row of the feed, with its position within its journal sequence. */
export type ActivityRecord = Activity & {
  readonly sequence: number;
  /** Counts the account's rows of this sequence, from 0. */
  readonly position: number;
  readonly timestampMs: number;
};
export type Activity =
  | { readonly kind: "order"; readonly order: OrderRecord }
  | { readonly kind: "fill"; readonly fill: FillRecord }
  | AccountActivity;
/** Activity of an account rather than of one of its orders. */
export type AccountActivity =
  | { readonly kind: "transfer"; readonly transfer: TransferRecord }
  | { readonly kind: "plan"; readonly planChange: PlanChangeRecord };

export type AccountActivityEvent = EventOf<
  | "planAssigned"
  | "planChosen"
  | "planLapsed"
  | "planPeriodBegan"
  | "practiceFundsTaken"
  | "adjustmentApproved"
  | "dustForfeited"
  | "transferChanged"
>;

/** Whether money came in or left. Of a record, or its row. */
export function hasMoved({ note, reason }: Record<"note" | "reason", string>): boolean {
  return (
    (reason !== "deposit" && reason !== "withdrawal") || note === "credited" || note === "settled"
  );
}

/** Whether there are postings: a withdrawal also has those of holds and releases. */
export function hasPostings(transfer: TransferRecord): boolean {
  const { note, reason } = transfer;
  return (
    hasMoved(transfer) ||
    (reason === "withdrawal" && (note === "held" || hasFailed(note as TransferStatus)))
  );
}

/** Undefined for events that the feed does not show: a plan chosen for later, a free period. */
export function accountActivityOf(event: AccountActivityEvent): AccountActivity | undefined {
  switch (event.type) {
    case "planChosen":
      return event.effectiveAtMs > event.timestampMs ? undefined : planChange(event, 0, 0);
    case "planAssigned":
    case "planLapsed":
      return planChange(event, 0, 0);
    case "planPeriodBegan":
      return event.amount === 0 ? undefined : planChange(event, event.amount, event.assetId);
    case "practiceFundsTaken":
      return transfer(event, "practiceFunds", "");
    case "dustForfeited":
      return transfer({ ...event, amount: 0 - event.amount }, "dust", "");
    case "adjustmentApproved":
      return transfer(event, "adjustment", event.reason);
    case "transferChanged": {
      if (isAmongAdministrators(event.status)) return undefined;
      const amount = event.kind === "deposit" ? event.amount : 0 - event.amount - event.fee;
      return transfer({ ...event, amount }, event.kind, event.status);
    }
    default:
      throw new TypeError(`no activity of an account: ${String(event satisfies never)}`);
  }
}

function planChange(
  {
    account,
    planId,
    timestampMs,
    sequence,
  }: EventOf<"planAssigned" | "planChosen" | "planLapsed" | "planPeriodBegan">,
  amount: number,
  assetId: number,
): AccountActivity {
  return { kind: "plan", planChange: { account, planId, amount, assetId, timestampMs, sequence } };
}

function transfer(
  {
    account,
    assetId,
    amount,
    timestampMs,
    sequence,
  }: Pick<TransferRecord, "account" | "assetId" | "amount" | "timestampMs" | "sequence">,
  reason: TransferRecord["reason"],
  note: string,
): AccountActivity {
  const record = { account, reason, assetId, amount, note, timestampMs, sequence };
  return { kind: "transfer", transfer: record };
}
