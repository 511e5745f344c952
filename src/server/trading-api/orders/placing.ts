/** Places one order of the caller and answers in the requested format. */
import type { Services } from "../../functions/services.ts";
import type { Caller } from "../endpoint.ts";
import { marketOf } from "../symbols.ts";
import { clientOrderIdFor } from "./client-order-id.ts";
import { type ProgramOrderArgs, termsOf } from "./order-parameters.ts";
import { submitCommand } from "./own-orders.ts";
import {
  describePlaced,
  ordersPlacedBy,
  type ResponseType,
  responseTypeOf,
} from "./placed-order.ts";

interface OfEveryOrder {
  readonly symbol: string;
  readonly type: string;
  readonly newClientOrderId?: string | undefined;
  readonly newOrderRespType?: ResponseType | undefined;
}

/**
 * @param args the order's terms, without its client order id. @throws ApiError, FunctionError with
 * the engine's reason
 */
export async function placeOrder(
  services: Services,
  caller: Caller,
  parameters: OfEveryOrder,
  args: ProgramOrderArgs,
): Promise<object> {
  const market = marketOf(services.views, parameters.symbol);
  const clientOrderId = parameters.newClientOrderId ?? clientOrderIdFor(caller);
  const terms = termsOf({ ...args, clientOrderId }, market);
  const { marketId } = market;
  const { account } = caller;
  const asked = { type: "placeOrder", account, marketId, ...terms } as const;
  const { events } = await submitCommand(services, caller, asked);
  const [placed] = ordersPlacedBy(events, market);
  return describePlaced(placed, market, responseTypeOf(parameters));
}
