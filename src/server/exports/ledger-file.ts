/** Exports every change of the caller's balances, newest first. */
import { z } from "zod";
import type { LedgerEntry } from "#contract/types.ts";
import { requireUser } from "../functions/caller.ts";
import { presentLedgerEntry } from "../functions/present-account.ts";
import { type ColumnsOf, csvFile, isoTime, PAGE_SIZE } from "./export-file.ts";

const COLUMNS: ColumnsOf<LedgerEntry> = {
  time: (entry) => isoTime(entry.time),
  posting: (entry) => entry.id,
  reason: (entry) => entry.reason,
  balance: (entry) => entry.balance,
  coin: (entry) => entry.coin,
  amount: (entry) => entry.amount,
  "order id": (entry) => entry.orderId,
};

export const ledgerFile = csvFile(COLUMNS, z.strictObject({}), async (context, _args, cursor) => {
  const { views, history } = context.services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  if (account === undefined) return { items: [], cursor: null };
  await history.whenFresh();
  const page = await history.read.ledger({ account, cursor, limit: PAGE_SIZE });
  const items = page.items.map((entry) => presentLedgerEntry(views, entry));
  return { items, cursor: page.cursor };
});
