/**
 * Finds the caller's orders, by the id that the request names, and submits commands for the caller.
 */
import type { Command, TimeLimited } from "#engine/commands.ts";
import { cancelAllOrders } from "../../exchange/cancel-all.ts";
import type { CommandOutcome, Exchange } from "../../exchange/exchange.ts";
import { FunctionError } from "../../functions/function-error.ts";
import { findOrder, findOrderByClientId } from "../../functions/orders.ts";
import { refused } from "../../functions/refusals.ts";
import type { Services } from "../../functions/services.ts";
import type { OrderRecord } from "../../records/orders.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { type ApiError, keyRefused, missingOrderId } from "../api-error.ts";
import type { Caller } from "../endpoint.ts";

/** The ids by which a request may name an order. */
export interface OrderName {
  readonly orderId?: number | undefined;
  readonly origClientOrderId?: string | undefined;
}

/**
 * An order of the caller in a market, open or ended; it must match every given id. For calls that
 * only read: it may wait for the history.
 * @param absent the error if there is none
 * @throws ApiError
 */
export async function findOwnOrder(
  services: Services,
  { account }: Caller,
  { marketId }: MarketView,
  { orderId, origClientOrderId }: OrderName,
  absent: () => ApiError,
): Promise<OrderRecord> {
  const found = await (orderId === undefined
    ? orderOfClientId(services, account, origClientOrderId)
    : orAbsent(findOrder(services, account, orderId)));
  if (!matches(found, marketId, origClientOrderId)) throw absent();
  return found;
}

/**
 * An order of the caller in a market that is open or ended recently; it must match every given id.
 * For calls that trade, which must not wait for reads: every open order is in memory. The record is
 * updated with each of the order's events.
 * @param absent the error if there is none
 * @throws ApiError
 */
export function findKnownOrder(
  { views }: Services,
  { account }: Caller,
  { marketId }: MarketView,
  { orderId, origClientOrderId }: OrderName,
  absent: () => ApiError,
): OrderRecord {
  if (orderId === undefined && origClientOrderId === undefined) throw missingOrderId();
  const found =
    orderId === undefined
      ? views.people.orderByClientId(account, origClientOrderId ?? "")
      : views.people.order(account, orderId);
  if (!matches(found, marketId, origClientOrderId)) throw absent();
  return found;
}

function matches(
  found: OrderRecord | undefined,
  marketId: number,
  clientOrderId: string | undefined,
): found is OrderRecord {
  if (found?.marketId !== marketId) return false;
  return clientOrderId === undefined || found.clientOrderId === clientOrderId;
}

function orderOfClientId(services: Services, account: number, clientOrderId: string | undefined) {
  if (clientOrderId === undefined) throw missingOrderId();
  return orAbsent(findOrderByClientId(services, account, clientOrderId));
}

async function orAbsent(search: Promise<OrderRecord>): Promise<OrderRecord | undefined> {
  try {
    return await search;
  } catch (error) {
    if (error instanceof FunctionError && error.data.code === "unknownOrder") return undefined;
    throw error;
  }
}

/**
 * Submits a command of the caller, with the request's time limit, unless the key has been revoked
 * or a limit of the plan is reached.
 * @throws FunctionError with the engine's reason
 */
export async function submitCommand(
  services: Services,
  caller: Caller,
  asked: Extract<Command, TimeLimited>,
): Promise<CommandOutcome> {
  const command = { ...asked, validUntilMs: caller.validUntilMs };
  admit(services, caller, command);
  const outcome = await services.exchange.submit(command);
  if (outcome.rejected !== undefined) throw refused(outcome.rejected);
  return outcome;
}

/** Cancels all open orders of the caller in a market. @throws FunctionError */
export async function cancelAllOwn(
  services: Services,
  caller: Caller,
  { marketId }: MarketView,
): Promise<void> {
  const { account, validUntilMs } = caller;
  const scope = { account, marketId, validUntilMs };
  const { rejected } = await cancelAllOrders(exchangeOf(services, caller), scope);
  if (rejected !== undefined) throw refused(rejected);
}

/**
 * The exchange, restricted to commands that the caller may submit now. A request of several
 * commands that has begun is completed.
 */
function exchangeOf(services: Services, caller: Caller): Pick<Exchange, "submit"> {
  let hasBegun = false;
  return {
    submit(asked) {
      if (!hasBegun) admit(services, caller, asked);
      hasBegun = true;
      return services.exchange.submit(asked);
    },
  };
}

/** @throws ApiError, FunctionError if the key has been revoked or a limit of the plan is reached */
function admit({ apiKeys, commandRates }: Services, caller: Caller, asked: Command): void {
  if (!apiKeys.isLive(caller.keyId)) throw keyRefused();
  commandRates.admit(caller.userId, asked);
}
