/** Every change of the caller's balances, newest first. */
import { z } from "zod";
import { requireUser } from "../functions/caller.ts";
import { presentLedgerEntry } from "../functions/present-account.ts";
import { csvFile, isoTime, PAGE_SIZE } from "./export-file.ts";

const COLUMNS = ["time", "posting", "reason", "balance", "coin", "amount", "order id"];

export const ledgerFile = csvFile(COLUMNS, z.strictObject({}), async (context, _args, cursor) => {
  const { views, history } = context.services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  if (account === undefined) return { items: [], cursor: null };
  await history.whenFresh();
  const page = await history.read.ledger({ account, cursor, limit: PAGE_SIZE });
  const items = page.items
    .map((entry) => presentLedgerEntry(views, entry))
    .map(({ time, id, reason, balance, coin, amount, orderId }) => [
      isoTime(time),
      id,
      reason,
      balance,
      coin,
      amount,
      orderId ?? "",
    ]);
  return { items, cursor: page.cursor };
});
