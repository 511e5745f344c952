/** Orders with an end, which the interface of Binance does not have: `GTD` and its `goodTillDate`. */
import { z } from "zod";
import type { OrderArgs } from "#contract/arguments.ts";
import { missingParameter, unwantedParameter } from "../api-error.ts";
import { time } from "../parameters.ts";
import { newOrder, orderArgsOf, TIMES_IN_FORCE } from "./order-parameters.ts";

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

/** @throws ApiError for terms that are missing, not for this type, or not offered together */
export function datedArgsOf({
  goodTillDate: expiresAt,
  timeInForce,
  ...order
}: z.output<typeof newDatedOrder>): OrderArgs {
  const isDated = timeInForce === "GTD";
  if (isDated && expiresAt === undefined) throw missingParameter("goodTillDate");
  // An order that only rests names no time in force.
  const mayEnd = isDated || (order.type === "LIMIT_MAKER" && timeInForce === undefined);
  if (expiresAt !== undefined && !mayEnd) throw unwantedParameter("goodTillDate");
  const args = orderArgsOf({ ...order, timeInForce: isDated ? "GTC" : timeInForce });
  return expiresAt === undefined ? args : { ...args, timeInForce: "gtd", expiresAt };
}
