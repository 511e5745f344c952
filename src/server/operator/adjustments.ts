/**
 * Requests to list, propose and reject balance adjustments, for the operator. Adjustments are approved
 * only on the administrators' page: all who may use this command line count as one person, and dual
 * control requires a second one who has signed in.
 */
import { z } from "zod";
import { DecimalError, formatDecimal, parseDecimal } from "#contract/decimal.ts";
import { OPERATOR_ID } from "#contract/users.ts";
import {
  administrator,
  alignColumns,
  done,
  type OperatorServices,
  reason,
  request,
  RequestError,
  requireAdministrator,
  requireUser,
  submitCommand,
} from "./request.ts";

const name = (what: string) => z.string().min(1, `say which ${what}`).max(254);

export function adjustmentRequests(services: OperatorServices) {
  const { accounts, views } = services;
  return {
    "/adjustments/list": request({}, async () => {
      const pending = views.adjustments.pending();
      if (pending.length === 0) return done("No adjustment waits for approval.");
      const ownerOf = (account: number) => views.accounts.account(account)?.userId ?? "";
      const emails = await accounts.emailsOf(
        pending.flatMap(({ account, proposedBy }) => [ownerOf(account), proposedBy]),
      );
      const rows = pending.map(
        ({ account, adjustmentId, amount, assetId, proposedBy, reason: why }) => {
          const { scale, symbol } = views.catalogue.coin(assetId).definition;
          const owner = ownerOf(account);
          return [
            String(adjustmentId),
            emails.get(owner) ?? owner,
            `${formatDecimal(amount, scale)} ${symbol}`,
            emails.get(proposedBy) ?? proposedBy,
            why,
          ];
        },
      );
      const header = ["number", "user", "amount", "proposed by", "reason"];
      return done(...alignColumns(header, rows, [0, 2]));
    }),
    "/adjustments/propose": request(
      {
        user: name("user"),
        coin: name("coin"),
        amount: name("amount"),
        as: administrator,
        reason,
      },
      async ({ user, coin: symbol, amount: text, as, reason: why }) => {
        const userId = await requireUser(services, user);
        const account = views.accounts.ofUser(userId)?.account ?? 0;
        const coin = views.catalogue.coinBySymbol(symbol);
        if (coin === undefined) throw new RequestError(`There is no coin ${symbol}.`);
        const proposedBy = await requireAdministrator(services, as);
        const { assetId, definition } = coin;
        const amount = unitsOf(text, definition.scale);
        const terms = { account, assetId, amount, reason: why, proposedBy };
        await submitCommand(services, { type: "proposeAdjustment", ...terms });
        return done(`It waits for an administrator other than ${as}.`);
      },
    ),
    "/adjustments/reject": request(
      { adjustmentId: z.number("must be the number of an adjustment").int().min(1) },
      async ({ adjustmentId }) => {
        const rejectedBy = OPERATOR_ID;
        await submitCommand(services, { type: "rejectAdjustment", adjustmentId, rejectedBy });
        return done(`The adjustment ${adjustmentId} is rejected.`);
      },
    ),
  };
}

function unitsOf(text: string, scale: number): number {
  try {
    const units = Number(parseDecimal(text, scale));
    if (Number.isSafeInteger(units)) return units;
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw new RequestError(`amount ${error.message}.`);
  }
  throw new RequestError("amount is too large.");
}
