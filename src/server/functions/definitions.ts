/**
 * Every public function by its path, `noun:name`: the contract's declaration and the handler. Does not
 * compile unless the contract and the handlers have the same functions.
 */
import type { z } from "zod";
import type { FunctionKind, FunctionLimits } from "#contract/declaration.ts";
import { publicFunctions } from "#contract/public-functions.ts";
import * as accounts from "./accounts.ts";
import * as adjustments from "./adjustments.ts";
import * as activity from "./activity.ts";
import * as alerts from "./alerts.ts";
import * as apiKeys from "./api-keys.ts";
import * as audit from "./audit.ts";
import * as catalogue from "./catalogue.ts";
import * as adminChanges from "./admin-changes.ts";
import * as coins from "./coins.ts";
import * as fills from "./fills.ts";
import type { Contexts, Handlers } from "./handlers.ts";
import * as mails from "./mails.ts";
import * as markets from "./markets.ts";
import * as nodes from "./nodes.ts";
import * as notices from "./notices.ts";
import * as orderChanges from "./order-changes.ts";
import * as orderLife from "./order-life.ts";
import * as orders from "./orders.ts";
import * as plans from "./plans.ts";
import * as portfolio from "./portfolio.ts";
import * as practiceFunds from "./practice-funds.ts";
import * as profits from "./profits.ts";
import * as solvency from "./solvency.ts";
import * as statements from "./statements.ts";
import * as transferReview from "./transfer-review.ts";
import * as transfers from "./transfers.ts";
import * as users from "./users.ts";
import * as venue from "./exchange-info.ts";
import * as watchlist from "./watchlist.ts";
import * as withdrawalAddresses from "./withdrawal-addresses.ts";

// Listed by name rather than by module, so that a function missing from the contract does not compile.
const handlers: Handlers = {
  accounts: {
    balances: accounts.balances,
    freeze: accounts.freeze,
    ledgerEntries: accounts.ledgerEntries,
    statement: statements.statement,
    statementMonths: statements.statementMonths,
    takePracticeFunds: practiceFunds.takePracticeFunds,
  },
  adjustments: {
    list: adjustments.list,
    propose: adjustments.propose,
    approve: adjustments.approve,
    reject: adjustments.reject,
  },
  activity: { recent: activity.recent, page: activity.page },
  alerts: {
    list: alerts.list,
    create: alerts.create,
    setPaused: alerts.setPaused,
    remove: alerts.remove,
  },
  apiKeys: {
    list: apiKeys.list,
    create: apiKeys.create,
    rename: apiKeys.rename,
    restrict: apiKeys.restrict,
    setFaults: apiKeys.setFaults,
    revoke: apiKeys.revoke,
  },
  audit: { page: audit.page, changes: adminChanges.changes },
  catalogue: {
    entries: catalogue.entries,
    preview: catalogue.preview,
    change: catalogue.change,
  },
  mails: { queue: mails.queue, retry: mails.retry },
  coins: { list: coins.list },
  fills: {
    recent: fills.recent,
    history: fills.history,
    ofOrder: fills.ofOrder,
    record: fills.record,
  },
  markets: {
    list: markets.list,
    tickers: markets.tickers,
    state: markets.state,
    setStatus: markets.setStatus,
    schedule: markets.schedule,
    book: markets.book,
    trades: markets.trades,
    latestCandles: markets.latestCandles,
    candles: markets.candles,
  },
  nodes: { list: nodes.list, stepDown: nodes.stepDown },
  notices: {
    recent: notices.recent,
    page: notices.page,
    markRead: notices.markRead,
    markAllRead: notices.markAllRead,
    settings: notices.settings,
    setSwitches: notices.setSwitches,
  },
  orders: {
    open: orders.open,
    recent: orders.recent,
    list: orders.list,
    history: orders.history,
    life: orderLife.life,
    place: orders.place,
    cancel: orders.cancel,
    cancelAll: orders.cancelAll,
    cancelAfter: orderChanges.cancelAfter,
    amend: orderChanges.amend,
    replace: orderChanges.replace,
    placeList: orderChanges.placeList,
  },
  plans: { list: plans.list, mine: plans.mine, choose: plans.choose, assign: plans.assign },
  portfolio: { summary: portfolio.summary, profits: profits.profits },
  solvency: { report: solvency.report, proof: solvency.proof },
  transfers: {
    options: transfers.options,
    mine: transfers.mine,
    requestDeposit: transfers.requestDeposit,
    forfeitDust: transfers.forfeitDust,
    cancel: transfers.cancel,
    requestWithdrawal: transfers.requestWithdrawal,
    addresses: withdrawalAddresses.addresses,
    addAddress: withdrawalAddresses.addAddress,
    removeAddress: withdrawalAddresses.removeAddress,
    queue: transferReview.queue,
    record: transferReview.record,
    send: transferReview.send,
    decide: transferReview.decide,
    importDeposits: transferReview.importDeposits,
  },
  users: { current: users.current, list: users.list, summary: users.summary },
  venue: { info: venue.info, time: venue.time },
  watchlist: {
    list: watchlist.list,
    add: watchlist.add,
    remove: watchlist.remove,
    move: watchlist.move,
  },
};

export interface FunctionDefinition<Kind extends FunctionKind = FunctionKind> {
  readonly kind: Kind;
  readonly args: z.ZodType;
  readonly limits: FunctionLimits;
  readonly isForAdmins: boolean;
  /** @param args validated by `args` */
  handler(context: Contexts[Kind], args: unknown): unknown;
}

export const definitions: ReadonlyMap<string, FunctionDefinition> = new Map(
  Object.entries(publicFunctions).flatMap(([noun, declarations]) => {
    const ofNoun: Record<string, unknown> = handlers[noun as keyof Handlers];
    return Object.entries(declarations).map(([name, declaration]) => {
      const handler = ofNoun[name] as FunctionDefinition["handler"];
      return [`${noun}:${name}`, { ...declaration, handler }] as const;
    });
  }),
);
