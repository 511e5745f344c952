/** The feed of a person's activity: orders, fills, transfers and changes of plan. */
import type { EventOf } from "#engine/events.ts";
import type { OrderRecord } from "./orders.ts";
import { fixed, RecordKind, type RecordOf } from "./record-kind.ts";
import type { FillRecord } from "./trades.ts";

export const TRANSFERS = new RecordKind({
  account: fixed("account").integer(),
  reason: fixed("reason").text<"practiceFunds" | "adjustment">(),
  assetId: fixed("asset_id").integer(),
  /** Signed. */
  amount: fixed("amount").integer(),
  /** Why an adjustment was made, in an administrator's words; else "". */
  note: fixed("note").text<string>(),
  timestampMs: fixed("time").integer(),
  sequence: fixed("sequence").integer(),
});
/** A deposit from outside, or an adjustment. */
export type TransferRecord = RecordOf<typeof TRANSFERS.fields>;

export const PLAN_CHANGES = new RecordKind({
  account: fixed("account").integer(),
  planId: fixed("plan_id").integer(),
  /** The price paid for a period of it; 0 if the account only changed to the plan. */
  amount: fixed("amount").integer(),
  /** Of the amount; 0 if nothing was paid. */
  assetId: fixed("asset_id").integer(),
  timestampMs: fixed("time").integer(),
  sequence: fixed("sequence").integer(),
});
export type PlanChangeRecord = RecordOf<typeof PLAN_CHANGES.fields>;

/** One row of the feed, with its number among the rows of its journal sequence. */
export type ActivityRecord = Activity & {
  readonly sequence: number;
  /** Counts the rows of this account in this sequence, from 0. */
  readonly position: number;
  readonly timestampMs: number;
};
export type Activity =
  | { readonly kind: "order"; readonly order: OrderRecord }
  | { readonly kind: "fill"; readonly fill: FillRecord }
  | AccountActivity;
/** Events of an account rather than of one of its orders. */
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
>;

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
    case "adjustmentApproved":
      return transfer(event, "adjustment", event.reason);
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
  }: EventOf<"practiceFundsTaken" | "adjustmentApproved">,
  reason: TransferRecord["reason"],
  note: string,
): AccountActivity {
  const record = { account, reason, assetId, amount, note, timestampMs, sequence };
  return { kind: "transfer", transfer: record };
}
