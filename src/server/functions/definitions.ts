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

// A handler is declared by its name in the contract, and one that is missing here does not compile.
const handlers: Handlers = {
  accounts: Object.assign({}, accounts, statements, practiceFunds),
  adjustments,
  activity,
  alerts,
  apiKeys,
  audit: Object.assign({}, audit, adminChanges),
  catalogue,
  mails,
  coins,
  fills,
  markets,
  nodes,
  notices,
  orders: Object.assign({}, orders, orderLife, orderChanges),
  plans,
  portfolio: Object.assign({}, portfolio, profits),
  solvency,
  transfers: Object.assign({}, transfers, withdrawalAddresses, transferReview),
  users,
  venue,
  watchlist,
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
