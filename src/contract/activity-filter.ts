import { z } from "zod";
import { market, side, timeMs } from "./arguments.ts";
import { ACTIVITY_KINDS } from "./users.ts";

/** Selects rows of the caller's activity; without a filter, all of them. */
export const activityFilter = {
  kind: z.enum(ACTIVITY_KINDS).optional(),
  /** Words that must all occur in a row, ignoring case. */
  search: z.string().max(100).optional(),
  /** Only orders and fills of this market. */
  market: market.optional(),
  /** Only orders and fills of this side. */
  side: side.optional(),
  /** Inclusive start. */
  from: timeMs.optional(),
  /** Exclusive end. */
  to: timeMs.optional(),
  /** Leaves fills out: they belong to their orders, and `fills:ofOrder` lists them. */
  grouped: z.boolean().optional(),
};
export type ActivityFilter = z.output<z.ZodObject<typeof activityFilter>>;
