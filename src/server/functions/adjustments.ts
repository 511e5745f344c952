/** Balance adjustments under dual control. For administrators. */
import { DecimalError, formatDecimal, parseDecimal } from "#contract/decimal.ts";
import type { Adjustment } from "#contract/types.ts";
import type { AdjustmentRecord } from "../views/adjustments.ts";
import type { Views } from "../views/views.ts";
import { requireAccount, requireAdmin, submitCommand } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { invalidArgument, refused } from "./refusals.ts";
import { requireApprover, requireProposer } from "./dual-control.ts";

export const list: Handlers["adjustments"]["list"] = (context) => {
  const { views } = context.services;
  context.dependsOn("adjustments");
  context.dependsOn("catalogue");
  const show = (record: AdjustmentRecord) => presentAdjustment(views, record);
  const { adjustments } = views;
  return { pending: adjustments.pending().map(show), decided: adjustments.decided().map(show) };
};

export const propose: Handlers["adjustments"]["propose"] = async (context, args) => {
  const proposedBy = await requireProposer(context);
  const { views } = context.services;
  const coin = views.catalogue.coinBySymbol(args.coin);
  if (coin === undefined) throw refused("unknownAsset");
  const account = requireAccount(views, args.userId);
  const amount = unitsOf(args.amount, coin.definition.scale);
  const { assetId } = coin;
  const { reason, validUntil: validUntilMs } = args;
  const { events } = await submitCommand(
    context,
    { type: "proposeAdjustment", account, assetId, amount, reason, proposedBy, validUntilMs },
    { sizeField: "amount" },
  );
  const repeated = events.find((event) => event.type === "requestRepeated");
  const proposed = events.find((event) => event.type === "adjustmentProposed");
  const found =
    proposed === undefined
      ? views.adjustments.ofSequence(repeated?.originalSequence ?? 0)
      : views.adjustments.find(proposed.adjustmentId);
  if (found === undefined) throw refused("unknownAdjustment");
  return presentAdjustment(views, found);
};

export const approve: Handlers["adjustments"]["approve"] = async (
  context,
  { adjustmentId, validUntil: validUntilMs },
) => {
  const approvedBy = requireAdmin(context);
  const { views } = context.services;
  // An adjustment that the view does not have yet was proposed just now, or the engine will refuse
  // the approval.
  const proposedAtMs = views.adjustments.find(adjustmentId)?.proposedAtMs ?? views.nowMs();
  await requireApprover(context, proposedAtMs);
  const command = { type: "approveAdjustment", adjustmentId, approvedBy, validUntilMs } as const;
  await submitCommand(context, command, { sizeField: "amount", isOfAnother: true });
  return requireAdjustment(views, adjustmentId);
};

export const reject: Handlers["adjustments"]["reject"] = async (
  context,
  { adjustmentId, validUntil: validUntilMs },
) => {
  const rejectedBy = requireAdmin(context);
  await submitCommand(context, {
    type: "rejectAdjustment",
    adjustmentId,
    rejectedBy,
    validUntilMs,
  });
  return requireAdjustment(context.services.views, adjustmentId);
};

function requireAdjustment(views: Views, adjustmentId: number): Adjustment {
  const found = views.adjustments.find(adjustmentId);
  if (found === undefined) throw refused("unknownAdjustment");
  return presentAdjustment(views, found);
}

/** @throws FunctionError that names the amount if it is invalid for the coin */
function unitsOf(amount: string, scale: number): number {
  try {
    const units = Number(parseDecimal(amount, scale));
    if (Number.isSafeInteger(units)) return units;
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw invalidArgument("amount", `amount ${error.message}.`);
  }
  throw invalidArgument("amount", "amount is too large.");
}

function presentAdjustment(views: Views, record: AdjustmentRecord): Adjustment {
  const { definition } = views.catalogue.coin(record.assetId);
  const isPending = record.status === "pending";
  return {
    adjustmentId: record.adjustmentId,
    userId: views.accounts.account(record.account)?.userId ?? "",
    coin: definition.symbol,
    amount: formatDecimal(record.amount, definition.scale),
    reason: record.reason,
    status: record.status,
    proposedBy: record.proposedBy,
    proposedAt: record.proposedAtMs,
    decidedBy: isPending ? null : record.decidedBy,
    decidedAt: isPending ? null : record.decidedAtMs,
  };
}
