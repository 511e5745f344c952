import { z } from "zod";
import { market, side, timeMs } from "./arguments.ts";
import { ACTIVITY_KINDS } from "./users.ts";

/** Which rows of the caller's activity; all of them without a filter. */
export const activityFilter = {
  kind: z.enum(ACTIVITY_KINDS).optional(),
  /** Words that a row must all contain, ignoring case. */
  search: z.string().max(100).optional(),
  /** Only orders and fills of this market. */
  market: market.optional(),
  /** Only orders and fills of this side. */
  side: side.optional(),
  /** The first moment included. */
  from: timeMs.optional(),
  /** The first moment excluded. */
  to: timeMs.optional(),
  /** Without fills: they belong to their orders, and `fills:ofOrder` lists them. */
  grouped: z.boolean().optional(),
};
export type ActivityFilter = z.output<z.ZodObject<typeof activityFilter>>;
