/** The orders of a request's caller: found as the request names them, changed by commands of theirs. */
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

/** How a request names one order. */
export interface OrderName {
  readonly orderId?: number | undefined;
  readonly origClientOrderId?: string | undefined;
}

/**
 * An order of the caller in a market, open or ended; if both names are given, both must fit.
 * @param absent the refusal if there is none
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
  const fits =
    found !== undefined &&
    found.marketId === marketId &&
    (origClientOrderId === undefined || found.clientOrderId === origClientOrderId);
  if (!fits) throw absent();
  return found;
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
 * Has the exchange carry out a command of the caller, unless their key has stopped or their plan
 * allows no more, and only while their request is valid.
 * @throws FunctionError with the engine's reason
 */
export async function command(
  services: Services,
  caller: Caller,
  asked: Extract<Command, TimeLimited>,
): Promise<CommandOutcome> {
  const { validUntilMs } = caller;
  const outcome = await exchangeOf(services, caller).submit({ ...asked, validUntilMs });
  if (outcome.rejected !== undefined) throw refused(outcome.rejected);
  return outcome;
}

/** Cancels the caller's open orders of a market. @throws FunctionError */
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

/** The exchange as the caller may use it. A request that has begun with several commands is carried out in full. */
function exchangeOf(services: Services, caller: Caller): Pick<Exchange, "submit"> {
  const { apiKeys, commandRates, exchange } = services;
  let hasBegun = false;
  return {
    submit(asked) {
      if (!hasBegun) {
        if (!apiKeys.isLive(caller.keyId)) throw keyRefused();
        commandRates.admit(caller.userId, asked);
      }
      hasBegun = true;
      return exchange.submit(asked);
    },
  };
}
