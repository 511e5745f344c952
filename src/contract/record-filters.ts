/** Arguments that select records of a user or of the exchange; without one, all of them. */
import { z } from "zod";
import { market, side, timeMs } from "./arguments.ts";
import { ACTIVITY_KINDS, ADMIN_CHANGE_KINDS, SECURITY_EVENT_KINDS } from "./users.ts";

const period = {
  /** Inclusive start. */
  from: timeMs.optional(),
  /** Exclusive end. */
  to: timeMs.optional(),
};

/** Selects rows of the caller's activity. */
export const activityFilter = {
  kind: z.enum(ACTIVITY_KINDS).optional(),
  /** Words that must all occur in a row, ignoring case. */
  search: z.string().max(100).optional(),
  /** Only orders and fills in this market. */
  market: market.optional(),
  /** Only orders and fills of this side. */
  side: side.optional(),
  ...period,
  /** Leaves fills out: they belong to their orders, and `fills:ofOrder` lists them. */
  grouped: z.boolean().optional(),
};
export type ActivityFilter = z.output<z.ZodObject<typeof activityFilter>>;

/** A user's id or complete email address. */
const user = z.string().min(1).max(254).optional();

/** Selects changes that administrators made by commands. */
export const adminChangeFilter = {
  admin: user,
  kind: z.enum(ADMIN_CHANGE_KINDS).optional(),
  ...period,
};

/** Selects security events of all users. */
export const securityEventFilter = {
  user,
  kind: z.enum(SECURITY_EVENT_KINDS).optional(),
  /** Text in the title, ignoring case. */
  search: z.string().max(254).optional(),
  ...period,
};
