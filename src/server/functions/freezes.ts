import { requireAdmin } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { refused } from "./refusals.ts";

export const freeze: Handlers["accounts"]["freeze"] = async (context, args) => {
  const byAdmin = requireAdmin(context);
  const { services, idempotencyKey } = context;
  const account = services.views.accounts.ofUser(args.userId)?.account;
  if (account === undefined) throw refused("unknownAccount");
  const { rejected } = await services.exchange.submit(
    {
      type: "setAccountFreeze",
      account,
      isFrozen: args.frozen,
      cancelsOrders: args.cancelOrders,
      byAdmin,
      reason: args.reason,
      validUntilMs: args.validUntil,
    },
    idempotencyKey,
  );
  if (rejected !== undefined) throw refused(rejected);
  return null;
};
