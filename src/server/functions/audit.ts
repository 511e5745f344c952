import { z } from "zod";
import { SECURITY_EVENT_KINDS, type AuditEvent, type Page } from "#contract/types.ts";
import { requireUser } from "./caller.ts";
import { action } from "./define.ts";
import { FunctionError } from "./function-error.ts";
import { cursor, pageLimit, timeMs } from "./schemas.ts";

const PAGE_SIZE = 50;
const TEXT_LENGTH_MAX = 254;

/** Everybody's security events, newest first. For administrators only. */
export const page = action(
  z.strictObject({
    user: z.string().min(1).max(TEXT_LENGTH_MAX).optional(),
    kind: z.enum(SECURITY_EVENT_KINDS).optional(),
    search: z.string().max(TEXT_LENGTH_MAX).optional(),
    from: timeMs.optional(),
    to: timeMs.optional(),
    cursor: cursor.optional(),
    limit: pageLimit.optional(),
  }),
  async (context, { from, to, limit = PAGE_SIZE, ...query }): Promise<Page<AuditEvent>> => {
    const { services, identity } = context;
    requireUser(context);
    const needed = { user: ["list"], session: ["list"] } as const;
    if (identity === null || !(await services.accounts.permits(identity, needed))) {
      const message = "Only administrators may read the record of security events.";
      throw new FunctionError({ code: "forbidden", message });
    }
    return services.accounts.audit({ ...query, fromMs: from, toMs: to, limit });
  },
);
