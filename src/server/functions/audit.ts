import { requireUser } from "./caller.ts";
import type { Contexts, Handlers } from "./handlers.ts";
import { FunctionError } from "./function-error.ts";

export const page: Handlers["audit"]["page"] = async (context, { from, to, ...query }) => {
  await requireAuditor(context);
  return context.services.accounts.audit({ ...query, fromMs: from, toMs: to });
};

/** @throws FunctionError unless the caller is an administrator acting as themselves */
export async function requireAuditor(context: Contexts["action"]): Promise<void> {
  const { services, identity } = context;
  requireUser(context);
  const needed = { user: ["list"], session: ["list"] } as const;
  if (identity === null || !(await services.accounts.permits(identity, needed))) {
    const message = "Only administrators may read the record of security events.";
    throw new FunctionError({ code: "forbidden", message });
  }
}
