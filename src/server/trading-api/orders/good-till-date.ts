/** Orders that expire, an extension of Binance's interface: `GTD` with `goodTillDate`. */
import { z } from "zod";
import { missingParameter, unwantedParameter } from "../api-error.ts";
import { time } from "../parameters.ts";
import {
  newOrder,
  orderArgsOf,
  type ProgramOrderArgs,
  TIMES_IN_FORCE,
} from "./order-parameters.ts";

export const newDatedOrder = z.object({
  ...newOrder.shape,
  timeInForce: z.enum([...TIMES_IN_FORCE, "GTD"], "timeInForce").optional(),
  goodTillDate: time
    .meta({
      type: "integer",
      minimum: 0,
      description: "When an order that is `GTD`, or a `LIMIT_MAKER`, ends by itself.",
    })
    .optional(),
});

/**
 * @throws ApiError for terms that are missing, not allowed for the order's type, or not supported
 * together
 */
export function datedArgsOf({
  goodTillDate: expiresAt,
  timeInForce,
  ...order
}: z.output<typeof newDatedOrder>): ProgramOrderArgs {
  const isDated = timeInForce === "GTD";
  if (isDated && expiresAt === undefined) throw missingParameter("goodTillDate");
  // A post-only order has no time in force.
  const mayEnd = isDated || (order.type === "LIMIT_MAKER" && timeInForce === undefined);
  if (expiresAt !== undefined && !mayEnd) throw unwantedParameter("goodTillDate");
  const args = orderArgsOf({ ...order, timeInForce: isDated ? "GTC" : timeInForce });
  return expiresAt === undefined ? args : { ...args, timeInForce: "gtd", expiresAt };
}
