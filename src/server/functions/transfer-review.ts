/** The review of deposits and withdrawals. For administrators. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Amount } from "#engine/amount.ts";
import type { Command, CommandOf, Decision, Transfer } from "#engine/commands.ts";
import { formatDecimal } from "#contract/decimal.ts";
import { IMPORTED_ROWS_MAX, type ImportedRow } from "#contract/transfers.ts";
import { ExchangeStoppedError } from "../exchange/exchange-errors.ts";
import { MANUAL_TRANSFERS } from "../transfers/manual-transfers.ts";
import {
  type Arrival,
  isAmbiguousAmount,
  parseStatement,
  StatementError,
} from "../transfers/statement-file.ts";
import { isSameReceipt, type TransferView } from "../views/transfers.ts";
import type { Views } from "../views/views.ts";
import { requireInTime, submitCommand } from "./caller.ts";
import { FunctionError } from "./function-error.ts";
import type { Handlers, MutationContext } from "./handlers.ts";
import { presentReviewed } from "./present-transfer.ts";
import { invalidArgument, refused } from "./refusals.ts";
import type { Services } from "./services.ts";
import { REVIEW_COMMANDS, isSecondStep } from "./review-steps.ts";
import { inTurn } from "./review-turns.ts";
import { mailStep, requireFunded, requireOtherReceipt, unitsOf } from "./transfer-rules.ts";
import { requireApprover, requireProposer, requireStillProposer } from "./dual-control.ts";

/**
 * Rows of a statement that are processed in one turn of the event loop: each is compared with those
 * before it.
 */
const ROWS_PER_TURN = 20;
/** Limit of open transfers in the review queue. */
const REVIEWED_MAX = 300;

export const queue: Handlers["transfers"]["queue"] = (context) => {
  const { views } = context.services;
  context.dependsOn("transfers");
  context.dependsOn("catalogue");
  const show = (transfer: TransferView) => presentReviewed(views, transfer);
  const { transfers } = views;
  const { left, shown } = transfers.toReview(REVIEWED_MAX);
  return { open: shown.map(show), left, ended: transfers.ended().map(show) };
};

export const record: Handlers["transfers"]["record"] = async (context, args) => {
  const byAdmin = await requireProposer(context);
  requireFunded(context.services, args.validUntil);
  const { views } = context.services;
  const { reason, receipt, transferId, validUntil: validUntilMs } = args;
  const transfer = requireTransfer(views, transferId);
  const amount = unitsOf(args.amount, views.catalogue.coin(transfer.assetId));
  requireOtherReceipt(views, transfer, receipt);
  const decision = { byAdmin, reason };
  const command = { type: "recordDeposit", transferId, amount, receipt, decision } as const;
  return (await take(context, { ...command, validUntilMs }, transferId)).reviewed;
};

export const send: Handlers["transfers"]["send"] = async (context, args) => {
  const byAdmin = await requireProposer(context);
  requireFunded(context.services, args.validUntil);
  const { reason, receipt, transferId, validUntil: validUntilMs } = args;
  const decision = { byAdmin, reason };
  const command = { type: "sendWithdrawal", transferId, receipt, decision } as const;
  return (await take(context, { ...command, validUntilMs }, transferId)).reviewed;
};

export const decide: Handlers["transfers"]["decide"] = async (
  context,
  { reason, seenPayer, step, transferId, validUntil: validUntilMs },
) => {
  const byAdmin = await requireProposer(context);
  const { views } = context.services;
  return inTurn(views, async () => {
    await requireStillProposer(context);
    const transfer = views.transfers.find(transferId);
    // The first administrator who records that a payment came back does not consent to the one who sent
    // it, so may be newer than the payment: if all others have left, no one else could.
    if (isSecondStep(step, transfer?.status)) {
      // A transfer missing from the view has just changed, or the engine refuses it.
      await requireApprover(context, transfer?.steps.at(-1)?.atMs ?? views.nowMs());
    }
    if (step === "pay" && seenPayer !== undefined) requireSeenPayer(transfer, seenPayer, byAdmin);
    const decision: Decision = { byAdmin, reason };
    const command = { type: REVIEW_COMMANDS[step], transferId, decision, validUntilMs };
    const { changed, reviewed } = await take(context, command, transferId);
    const isPayer = transfer?.payers.at(-1) === byAdmin;
    if (step === "pay" && seenPayer !== undefined && !isPayer) requireWasSeen(changed, seenPayer);
    return reviewed;
  });
};

/**
 * Refuses a claim by an administrator who has not seen that another one pays: the payment would be
 * made twice. A repeated request finds its sender as the payer.
 */
function requireSeenPayer(
  transfer: TransferView | undefined,
  seen: string | null,
  byAdmin: string,
): void {
  const payer = transfer?.payers.at(-1) ?? null;
  if (payer === seen || payer === byAdmin) return;
  const message =
    "Another administrator has claimed this payment meanwhile: nothing was changed. Look who pays it, and " +
    "do not pay it too.";
  throw invalidArgument("seenPayer", message);
}

/**
 * Checks a claim that was already made, in case this node had not yet seen an earlier claim: the
 * later claim has taken over the payment, which must not be paid by both administrators.
 */
function requireWasSeen(changed: Pick<Transfer, "payers"> | undefined, seen: string | null): void {
  if (changed === undefined || (changed.payers.at(-2) ?? null) === seen) return;
  const message =
    "Another administrator claimed this payment just before, and now you have taken it over. Do not pay it " +
    "before you know that they did not.";
  throw invalidArgument("seenPayer", message);
}

export const importDeposits: Handlers["transfers"]["importDeposits"] = async (
  context,
  { apply, csv, reason, validUntil: validUntilMs },
) => {
  const byAdmin = await requireProposer(context);
  requireInTime(context.services, validUntilMs);
  requireFunded(context.services);
  const { views } = context.services;
  const rows: ImportedRow[] = [];
  const decision = { byAdmin, reason };
  // One by one, so that a reference or a receipt listed twice is recorded once.
  for (const [at, arrival] of readRows(csv).entries()) {
    if (at % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    const matched = matchInFile(rows, arrival) ?? match(views, arrival, byAdmin);
    if ("outcome" in matched) {
      rows.push(matched);
    } else if (apply) {
      await requireStillProposer(context);
      const { receipt } = arrival;
      const command = { type: "recordDeposit", ...matched, receipt, decision } as const;
      rows.push(await recordRow(context, arrival, { ...command, validUntilMs }));
    } else {
      const { amount, transferId } = matched;
      const text = amountText(views, { ...requireTransfer(views, transferId), amount });
      rows.push(described(arrival, "new", `It would be recorded as ${text}.`));
    }
  }
  return rows;
};

/** Records one row; a failure becomes the row's outcome, so that the rows before it are shown. */
async function recordRow(
  { services }: MutationContext,
  arrival: Arrival,
  command: CommandOf<"recordDeposit">,
): Promise<ImportedRow> {
  const { exchange, log, views } = services;
  try {
    const { rejected } = await exchange.submit(command);
    if (rejected !== undefined) throw refused(rejected);
  } catch (error) {
    // The client then sends the whole import again; rows that are already recorded are recognised.
    if (error instanceof ExchangeStoppedError) throw error;
    if (error instanceof FunctionError) return described(arrival, "refused", error.data.message);
    log.warn({ err: error, line: arrival.line }, "a row of a statement was not recorded");
    const detail = "The exchange could not record it. Import the file again.";
    return described(arrival, "refused", detail);
  }
  const recorded = views.transfers.find(command.transferId);
  if (recorded === undefined) return described(arrival, "credited", "It is credited.");
  mailStep(services, recorded);
  const text = amountText(views, recorded);
  return recorded.status === "recorded"
    ? described(arrival, "recorded", `${text} wait for a second administrator.`)
    : described(arrival, "credited", `${text} are credited.`);
}

/** The outcome of a row that repeats the receipt of an earlier row; undefined if it does not. */
function matchInFile(rows: readonly ImportedRow[], arrival: Arrival): ImportedRow | undefined {
  const { amount, receipt } = arrival;
  if (receipt === "") return undefined;
  const isSameCoin = ({ coin }: ImportedRow) => coin.toUpperCase() === arrival.coin.toUpperCase();
  const earlier = rows.find((row) => isSameReceipt(row.receipt, receipt) && isSameCoin(row));
  if (earlier === undefined) return undefined;
  const isSame =
    earlier.amount === amount &&
    earlier.reference.toUpperCase() === arrival.reference.toUpperCase() &&
    ["new", "recorded", "credited", "known"].includes(earlier.outcome);
  return isSame
    ? described(arrival, "known", `Line ${earlier.line} is the same payment.`)
    : described(arrival, "refused", `Line ${earlier.line} has this receipt too; look at both.`);
}

function amountText(views: Views, { amount, assetId }: TransferView): string {
  const { scale, symbol } = views.catalogue.coin(assetId).definition;
  return `${formatDecimal(amount, scale)} ${symbol}`;
}

function readRows(csv: string): Arrival[] {
  try {
    return parseStatement(csv, IMPORTED_ROWS_MAX);
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
  byAdmin: string,
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
  const { symbol } = coin.definition;
  if (arrival.coin.toUpperCase() !== symbol) {
    return described(arrival, "refused", `The deposit is one of ${symbol}.`);
  }
  if (isSameReceipt(transfer.receipt, arrival.receipt)) {
    return described(arrival, "known", "It was recorded before from the same receipt.");
  }
  if (transfer.status !== "requested") {
    const recorded = amountText(views, transfer);
    const detail = `The deposit is ${transfer.status} with ${recorded}; look at it by hand.`;
    return described(arrival, "ended", detail);
  }
  if (views.accounts.account(transfer.account)?.userId === byAdmin) {
    return described(arrival, "refused", refused("ownTransfer").data.message);
  }
  const other = views.transfers.depositOf(transfer, arrival.receipt);
  if (other !== undefined) {
    const detail = `Deposit ${other.transferId} was recorded from this receipt: a payment is credited once.`;
    return described(arrival, "refused", detail);
  }
  if (isAmbiguousAmount(arrival.amount)) {
    const detail =
      "The amount's separators can be confused. Write it with a point before the decimals and " +
      "nothing between thousands, such as 1000.00.";
    return described(arrival, "refused", detail);
  }
  try {
    return { transferId, amount: unitsOf(arrival.amount, coin) };
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return described(arrival, "refused", error.data.message);
  }
}

function described(arrival: Arrival, outcome: ImportedRow["outcome"], detail: string): ImportedRow {
  const { amount, coin, line, receipt, reference } = arrival;
  return { line, reference, coin, amount, receipt, outcome, detail };
}

/** Submits the command, notifies the owner, and returns the transfer and, unless it repeats, its change. */
async function take(context: MutationContext, command: Command, transferId: number) {
  const { services } = context;
  const { events } = await submitCommand(context, command, {
    sizeField: "amount",
    isOfAnother: true,
  });
  const transfer = requireTransfer(services.views, transferId);
  const changed = events.find((event) => event.type === "transferChanged");
  // The mail of a repeated request was already sent.
  if (changed !== undefined) mailStep(services, transfer);
  return { changed, reviewed: presentReviewed(services.views, transfer) };
}

function requireTransfer(views: Services["views"], transferId: number): TransferView {
  const found = views.transfers.find(transferId);
  if (found === undefined) throw refused("unknownTransfer");
  return found;
}
