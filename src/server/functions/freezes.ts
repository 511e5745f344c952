import { z } from "zod";
import { requireAdmin } from "./caller.ts";
import { mutation } from "./define.ts";
import { refused } from "./refusals.ts";
import { reason, timeLimit, userId } from "./schemas.ts";

/** For administrators. A frozen account places nothing and changes no plan; it may still cancel. */
export const freeze = mutation(
  z.strictObject({
    userId,
    frozen: z.boolean(),
    cancelOrders: z.boolean().optional(),
    reason,
    ...timeLimit,
  }),
  async (context, args): Promise<null> => {
    const byAdmin = requireAdmin(context);
    const { services, idempotencyKey } = context;
    const account = services.views.accounts.ofUser(args.userId)?.account;
    if (account === undefined) throw refused("unknownAccount");
    const { rejected } = await services.exchange.submit(
      {
        type: "setAccountFreeze",
        account,
        isFrozen: args.frozen,
        cancelsOrders: args.cancelOrders ?? false,
        byAdmin,
        reason: args.reason,
        validUntilMs: args.validUntil,
      },
      idempotencyKey,
    );
    if (rejected !== undefined) throw refused(rejected);
    return null;
  },
);
