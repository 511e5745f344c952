import type { Services } from "./services.ts";
import { entriesOfFill, entriesOfOrder } from "../views/entry-selection.ts";
import type { LedgerEntryRecord } from "../records/ledger-entries.ts";
import type { OrderRecord } from "../records/orders.ts";
import { followAccount, requireAccount, requireAdmin, requireUser, submit } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { findOrder } from "./orders.ts";
import { presentBalance, presentLedgerEntry } from "./present-account.ts";
import { noSuchOrder } from "./refusals.ts";

/** No account has this number: a user without an account owns nothing. */
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

/** The postings of one transfer, order or fill of the account. @throws FunctionError unknownOrder */
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
  if (sequence === undefined) {
    // An order holds funds when it is placed; changes, trades and its end hold more or release.
    await services.history.whenFresh();
    const changed = await services.history.read.holdSequences(account, orderId);
    const sequences = new Set([order.placedSequence, ...changed, order.updatedSequence]);
    const entries: LedgerEntryRecord[] = [];
    for (const each of [...sequences].toSorted((left, right) => left - right)) {
      entries.push(...(await entriesOf(services, account, each)));
    }
    return entriesOfOrder(entries, orderId);
  }
  const entries = await entriesOf(services, account, sequence);
  const tradeIds = await tradeIdsOf(services, order, sequence);
  const number = tradeIds.findIndex((candidate) => candidate === tradeId);
  return number === -1 ? [] : entriesOfFill(entries, orderId, number);
}

/** From memory if surely all there, else from history. */
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

/** The order's trades in a sequence, oldest first. */
async function tradeIdsOf(
  { views, history }: Services,
  { account, orderId }: OrderRecord,
  sequence: number,
): Promise<number[]> {
  // As many fills as kept ledger entries; each fill makes several entries.
  if (views.people.ledgerEntriesOf(account, sequence) !== undefined) {
    return views.people
      .fills(account)
      .filter((fill) => fill.orderId === orderId && fill.sequence === sequence)
      .map((fill) => fill.tradeId)
      .toReversed();
  }
  await history.whenFresh();
  return await history.read.tradeIds(account, orderId, sequence);
}

export const freeze: Handlers["accounts"]["freeze"] = async (context, args) => {
  const byAdmin = requireAdmin(context);
  await submit(context, {
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
