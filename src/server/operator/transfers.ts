/**
 * Requests to list deposits and withdrawals and to take steps of their review, for the operator. Each is
 * taken in the name of an administrator, whom dual control counts. The second of two steps is taken only
 * on the administrators' page: all who may use this command line count as one person.
 */
import { z } from "zod";
import type { Command } from "#engine/commands.ts";
import { formatDecimal } from "#contract/decimal.ts";
import { isSecondStep, REVIEW_COMMANDS, type ReviewStepName } from "../functions/review-steps.ts";
import { refused } from "../functions/refusals.ts";
import { inTurn } from "../functions/review-turns.ts";
import {
  mailStep,
  requireFunded,
  requireOtherReceipt,
  unitsOf,
} from "../functions/transfer-rules.ts";
import type { TransferView } from "../views/transfers.ts";
import {
  administrator,
  alignColumns,
  done,
  OPERATOR_LIMIT,
  type OperatorServices,
  reason,
  request,
  RequestError,
  requireAdministrator,
  submitCommand,
} from "./request.ts";

const transferId = z.number("must be the number of a transfer").int().min(1);
const receipt = z.string().trim().min(1, "say which receipt: --receipt TEXT").max(128);
const HOUR_MS = 3_600_000;
const STEPS = Object.keys(REVIEW_COMMANDS) as [ReviewStepName, ...ReviewStepName[]];

export function transferRequests(services: OperatorServices) {
  const { accounts, views } = services;
  const find = (id: number): TransferView => {
    const found = views.transfers.find(id);
    if (found === undefined) throw refused("unknownTransfer");
    return found;
  };
  const take = async (command: Command, id: number) => {
    await submitCommand(services, command);
    const changed = find(id);
    mailStep(services, changed);
    return done(`The ${changed.kind} ${id} is ${changed.status}.`);
  };
  return {
    "/transfers/list": request({}, async () => {
      const { left, shown } = views.transfers.toReview(OPERATOR_LIMIT);
      if (shown.length === 0) return done("No deposit or withdrawal is under way.");
      const ownerOf = (account: number) => views.accounts.account(account)?.userId ?? "";
      const emails = await accounts.emailsOf(
        shown.flatMap(({ account, payers }) => [ownerOf(account), ...payers.slice(-1)]),
      );
      const rows = shown.map((transfer) => {
        const { account, amount, assetId, kind, payers, status, steps } = transfer;
        const { scale, symbol } = views.catalogue.coin(assetId).definition;
        const [owner, payer = ""] = [ownerOf(account), payers.at(-1)];
        const waitedMs = views.nowMs() - (steps.at(-1)?.atMs ?? views.nowMs());
        return [
          String(transfer.transferId),
          kind,
          status,
          `${formatDecimal(amount, scale)} ${symbol}`,
          emails.get(owner) ?? owner,
          `${Math.floor(waitedMs / HOUR_MS)} h`,
          emails.get(payer) ?? payer,
        ];
      });
      const header = ["number", "kind", "status", "amount", "user", "for", "payer"];
      const more = left > 0 ? [`and ${left} more`] : [];
      return done(...alignColumns(header, rows, [0, 3, 5]), ...more);
    }),
    "/transfers/record": request(
      { transferId, amount: z.string().min(1).max(40), receipt, as: administrator, reason },
      ({ transferId: id, amount: text, receipt: from, as, reason: why }) =>
        inTurn(views, async () => {
          requireFunded(services);
          const transfer = find(id);
          const amount = unitsOf(text, views.catalogue.coin(transfer.assetId));
          requireOtherReceipt(views, transfer, from);
          const decision = { byAdmin: await requireAdministrator(services, as), reason: why };
          const terms = { transferId: id, amount, receipt: from, decision };
          return take({ type: "recordDeposit", ...terms }, id);
        }),
    ),
    "/transfers/send": request(
      { transferId, receipt, as: administrator, reason },
      async ({ transferId: id, receipt: from, as, reason: why }) => {
        const decision = { byAdmin: await requireAdministrator(services, as), reason: why };
        return take({ type: "sendWithdrawal", transferId: id, receipt: from, decision }, id);
      },
    ),
    "/transfers/decide": request(
      { transferId, step: z.enum(STEPS), as: administrator, reason },
      ({ transferId: id, step, as, reason: why }) =>
        inTurn(views, async () => {
          const byAdmin = await requireAdministrator(services, as);
          const { status } = find(id);
          if (isSecondStep(step, status)) {
            const page = "on the page, by an administrator who has signed in";
            throw new RequestError(`It is ${status}: the second step is taken ${page}.`);
          }
          const decision = { byAdmin, reason: why };
          return take({ type: REVIEW_COMMANDS[step], transferId: id, decision }, id);
        }),
    ),
  };
}
