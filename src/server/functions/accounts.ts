import type { Services } from "./services.ts";
import type { LedgerEntryRecord } from "../records/ledger-entries.ts";
import {
  followAccount,
  requireAccount,
  requireAdmin,
  requireUser,
  submitCommand,
} from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { findOrder } from "./orders.ts";
import { presentBalance, presentLedgerEntry } from "./present-account.ts";
import { noSuchOrder } from "./refusals.ts";

/** The id of no account. Stands for the account of a user who has none, so that it reads as empty. */
const NO_ACCOUNT = 0;

export const balances: Handlers["accounts"]["balances"] = (context) => {
  const { views } = context.services;
  const account = followAccount(context);
  context.dependsOn("prices");
  return views.catalogue
    .coins()
    .map((coin) => presentBalance(views, account?.account ?? NO_ACCOUNT, coin));
};

export const ledgerEntries: Handlers["accounts"]["ledgerEntries"] = async (
  context,
  { coin, ...selection },
) => {
  const { services } = context;
  const account = services.views.accounts.ofUser(requireUser(context));
  if (account === undefined) return [];
  const entries = await selectedEntries(services, account.account, selection);
  const presented = entries.map((entry) => presentLedgerEntry(services.views, entry));
  return coin === undefined ? presented : presented.filter((entry) => entry.coin === coin);
};

interface Selection {
  readonly sequence?: number | undefined;
  readonly orderId?: string | undefined;
  readonly tradeId?: number | undefined;
}

/**
 * The postings of one transfer, order or fill of the account. @throws FunctionError unknownOrder
 */
export async function selectedEntries(
  services: Services,
  account: number,
  { sequence, orderId: orderText, tradeId }: Selection,
): Promise<readonly LedgerEntryRecord[]> {
  if (orderText === undefined) {
    return sequence === undefined ? [] : await entriesOf(services, account, sequence);
  }
  const orderId = Number(orderText);
  if (!Number.isSafeInteger(orderId)) throw noSuchOrder();
  const order = await findOrder(services, account, orderId);
  await services.history.whenFresh();
  const { read } = services.history;
  if (sequence === undefined) return await read.holdEntries(order);
  return tradeId === undefined
    ? []
    : await read.fillEntries({ account, orderId, tradeId, sequence });
}

/** Reads from memory if it certainly has all of the account's entries, otherwise from the history. */
async function entriesOf(
  { views, history }: Services,
  account: number,
  sequence: number,
): Promise<readonly LedgerEntryRecord[]> {
  const recent = views.people.ledgerEntriesOf(account, sequence);
  if (recent !== undefined) return recent;
  await history.whenFresh();
  return await history.read.ledgerEntries(account, sequence);
}

export const freeze: Handlers["accounts"]["freeze"] = async (context, args) => {
  const byAdmin = requireAdmin(context);
  await submitCommand(context, {
    type: "setAccountFreeze",
    account: requireAccount(context.services.views, args.userId),
    isFrozen: args.frozen,
    cancelsOrders: args.cancelOrders,
    byAdmin,
    reason: args.reason,
    validUntilMs: args.validUntil,
  });
  return null;
};
