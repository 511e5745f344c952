/** The review of deposits and withdrawals. For administrators. */
import type { Amount } from "#engine/amount.ts";
import type { Command, Decision } from "#engine/commands.ts";
import { formatDecimal } from "#contract/decimal.ts";
import { IMPORTED_ROWS_MAX, type ImportedRow } from "#contract/transfers.ts";
import { MANUAL_TRANSFERS } from "../transfers/manual-transfers.ts";
import { type Arrival, readStatement, StatementError } from "../transfers/statement-file.ts";
import type { TransferView } from "../views/transfers.ts";
import type { Views } from "../views/views.ts";
import { requireAdmin, requireInTime, submit } from "./caller.ts";
import { FunctionError } from "./function-error.ts";
import type { Handlers, MutationContext } from "./handlers.ts";
import { presentReviewed } from "./present-transfer.ts";
import { invalidArgument, refused } from "./refusals.ts";
import type { Services } from "./services.ts";
import { mailStep, requireFunded, unitsOf } from "./transfers.ts";
import { requireApprover, requireProposer } from "./dual-control.ts";

export const queue: Handlers["transfers"]["queue"] = (context) => {
  requireAdmin(context);
  const { views } = context.services;
  context.dependsOn("transfers");
  context.dependsOn("catalogue");
  const show = (transfer: TransferView) => presentReviewed(views, transfer);
  const { transfers } = views;
  return { open: transfers.open().map(show), ended: transfers.ended().map(show) };
};

export const record: Handlers["transfers"]["record"] = async (context, args) => {
  const byAdmin = await requireProposer(context);
  requireFunded(context.services, args.validUntil);
  const { views } = context.services;
  const { reason, receipt, transferId, validUntil: validUntilMs } = args;
  const transfer = requireTransfer(views, transferId);
  const amount = unitsOf(args.amount, views.catalogue.coin(transfer.assetId));
  const decision = { byAdmin, reason };
  const command = { type: "recordDeposit", transferId, amount, receipt, decision } as const;
  return take(context, { ...command, validUntilMs }, transferId);
};

export const send: Handlers["transfers"]["send"] = async (context, args) => {
  const byAdmin = await requireProposer(context);
  requireFunded(context.services, args.validUntil);
  const { reason, receipt, transferId, validUntil: validUntilMs } = args;
  const decision = { byAdmin, reason };
  const command = { type: "sendWithdrawal", transferId, receipt, decision } as const;
  return take(context, { ...command, validUntilMs }, transferId);
};

const STEPS = {
  approve: "approveTransfer",
  reject: "rejectTransfer",
  settle: "settleWithdrawal",
  return: "returnWithdrawal",
} as const;

export const decide: Handlers["transfers"]["decide"] = async (
  context,
  { reason, step, transferId, validUntil: validUntilMs },
) => {
  const byAdmin = await requireProposer(context);
  const { views } = context.services;
  const transfer = views.transfers.find(transferId);
  const status = transfer?.status;
  const isSecond =
    (step === "approve" && (status === "recorded" || status === "approvedOnce")) ||
    (step === "reject" && status === "rejectedOnce");
  if (step === "return" || isSecond) {
    // A transfer missing from the view has just changed, or the engine refuses it.
    await requireApprover(context, transfer?.steps.at(-1)?.atMs ?? views.nowMs());
  }
  const decision: Decision = { byAdmin, reason };
  return take(context, { type: STEPS[step], transferId, decision, validUntilMs }, transferId);
};

export const importDeposits: Handlers["transfers"]["importDeposits"] = async (
  context,
  { apply, csv, reason, validUntil: validUntilMs },
) => {
  const byAdmin = await requireProposer(context);
  requireInTime(context.services, validUntilMs);
  requireFunded(context.services);
  const { exchange, views } = context.services;
  const rows: ImportedRow[] = [];
  // One by one, so that a reference listed twice is recorded once.
  for (const arrival of readRows(csv)) {
    const matched = match(views, arrival);
    if ("outcome" in matched || !apply) {
      rows.push("outcome" in matched ? matched : describeNew(arrival));
      continue;
    }
    const { amount, transferId } = matched;
    const { receipt } = arrival;
    const decision = { byAdmin, reason };
    const command = { type: "recordDeposit", transferId, amount, receipt, decision } as const;
    const { rejected } = await exchange.submit({ ...command, validUntilMs });
    if (rejected !== undefined) {
      rows.push(described(arrival, "refused", refused(rejected).data.message));
      continue;
    }
    const recorded = requireTransfer(views, transferId);
    mailStep(context.services, recorded);
    rows.push(
      recorded.status === "recorded"
        ? described(arrival, "recorded", "It waits for a second administrator.")
        : described(arrival, "credited", "It is credited."),
    );
  }
  return rows;
};

function readRows(csv: string): Arrival[] {
  try {
    return readStatement(csv, IMPORTED_ROWS_MAX);
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    throw invalidArgument("csv", error.message);
  }
}

/**
 * Finds the deposit that a row's reference names, with the amount that arrived; otherwise returns the
 * row's outcome.
 */
function match(
  views: Views,
  arrival: Arrival,
): { readonly transferId: number; readonly amount: Amount } | ImportedRow {
  const transferId = MANUAL_TRANSFERS.transferOf(arrival.reference);
  if (transferId === undefined) {
    return described(arrival, "unmatched", "This is no reference of a deposit.");
  }
  const transfer = views.transfers.find(transferId);
  if (transfer?.kind !== "deposit") {
    // Ended deposits are removed from memory after a time.
    return described(arrival, "unmatched", "No open deposit has this reference.");
  }
  if (arrival.receipt === "" || arrival.receipt.length > 128) {
    return described(arrival, "refused", "The receipt must have 1 to 128 characters.");
  }
  const coin = views.catalogue.coin(transfer.assetId);
  const { scale, symbol } = coin.definition;
  if (arrival.coin.toUpperCase() !== symbol) {
    return described(arrival, "refused", `The deposit is one of ${symbol}.`);
  }
  if (transfer.receipt === arrival.receipt) {
    return described(arrival, "known", "It was recorded before from the same receipt.");
  }
  if (transfer.status !== "requested") {
    const amount = `${formatDecimal(transfer.amount, scale)} ${symbol}`;
    const detail = `The deposit is ${transfer.status} with ${amount}; look at it by hand.`;
    return described(arrival, "ended", detail);
  }
  try {
    return { transferId, amount: unitsOf(arrival.amount, coin) };
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return described(arrival, "refused", error.data.message);
  }
}

function describeNew(arrival: Arrival): ImportedRow {
  return described(arrival, "new", "It would be recorded.");
}

function described(arrival: Arrival, outcome: ImportedRow["outcome"], detail: string): ImportedRow {
  const { amount, coin, line, receipt, reference } = arrival;
  return { line, reference, coin, amount, receipt, outcome, detail };
}

/** Submits the command, notifies the owner, and returns the transfer. */
async function take(context: MutationContext, command: Command, transferId: number) {
  const { services } = context;
  const { events } = await submit(context, command, { sizeField: "amount", isOfAnother: true });
  const transfer = requireTransfer(services.views, transferId);
  // For a repeated request the mail was already sent.
  if (events.some(({ type }) => type === "transferChanged")) mailStep(services, transfer);
  return presentReviewed(services.views, transfer);
}

function requireTransfer(views: Services["views"], transferId: number): TransferView {
  const found = views.transfers.find(transferId);
  if (found === undefined) throw refused("unknownTransfer");
  return found;
}
