/** Adjustments of balances with two pairs of eyes. For administrators. */
import { DecimalError, formatDecimal, parseDecimal } from "#contract/decimal.ts";
import type { Adjustment } from "#contract/types.ts";
import type { AdjustmentRecord } from "../views/adjustments.ts";
import type { Views } from "../views/views.ts";
import { requireAdmin } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { invalidArgument, refused } from "./refusals.ts";

export const list: Handlers["adjustments"]["list"] = (context) => {
  requireAdmin(context);
  const { views } = context.services;
  context.dependsOn("adjustments");
  context.dependsOn("catalogue");
  const show = (record: AdjustmentRecord) => presentAdjustment(views, record);
  const { adjustments } = views;
  return { pending: adjustments.pending().map(show), decided: adjustments.decided().map(show) };
};

export const propose: Handlers["adjustments"]["propose"] = async (context, args) => {
  const proposedBy = requireAdmin(context);
  const { services, idempotencyKey } = context;
  const { views, exchange } = services;
  const coin = views.catalogue.coinBySymbol(args.coin);
  if (coin === undefined) throw refused("unknownAsset");
  const account = views.accounts.ofUser(args.userId)?.account;
  if (account === undefined) throw refused("unknownAccount");
  const amount = unitsOf(args.amount, coin.definition.scale);
  const { assetId } = coin;
  const outcome = await exchange.submit(
    {
      type: "proposeAdjustment",
      account,
      assetId,
      amount,
      reason: args.reason,
      proposedBy,
      validUntilMs: args.validUntil,
    },
    idempotencyKey,
  );
  if (outcome.rejected !== undefined) throw refused(outcome.rejected, { sizeField: "amount" });
  const repeated = outcome.events.find((event) => event.type === "requestRepeated");
  const proposed = outcome.events.find((event) => event.type === "adjustmentProposed");
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
  const { services, idempotencyKey } = context;
  const command = { type: "approveAdjustment", adjustmentId, approvedBy, validUntilMs } as const;
  const { rejected } = await services.exchange.submit(command, idempotencyKey);
  if (rejected !== undefined) throw refused(rejected, { sizeField: "amount", isOfAnother: true });
  return decided(services.views, adjustmentId);
};

export const reject: Handlers["adjustments"]["reject"] = async (
  context,
  { adjustmentId, validUntil: validUntilMs },
) => {
  const rejectedBy = requireAdmin(context);
  const { services, idempotencyKey } = context;
  const command = { type: "rejectAdjustment", adjustmentId, rejectedBy, validUntilMs } as const;
  const { rejected } = await services.exchange.submit(command, idempotencyKey);
  if (rejected !== undefined) throw refused(rejected);
  return decided(services.views, adjustmentId);
};

function decided(views: Views, adjustmentId: number): Adjustment {
  const found = views.adjustments.find(adjustmentId);
  if (found === undefined) throw refused("unknownAdjustment");
  return presentAdjustment(views, found);
}

/** @throws FunctionError naming the amount where it does not fit the coin */
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
