/** The activity page's search parameters, and the arguments of its queries and downloads. */
import type { FunctionArgs } from "convex/server";
import type { functions } from "#contract/functions.ts";
import { SIDES, type Side } from "#contract/enumerations.ts";
import { ACTIVITY_KINDS, type ActivityKind } from "#contract/users.ts";
import { periodOf, parseDay } from "../../format/day.ts";

export interface ActivitySearch {
  readonly kind?: ActivityKind | undefined;
  readonly search?: string | undefined;
  readonly market?: string | undefined;
  readonly side?: Side | undefined;
  /** First and last day, both included, in the viewer's time zone. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Lists fills as separate rows instead of below their orders. */
  readonly flat?: true | undefined;
}

export type ActivityArgs = Omit<FunctionArgs<typeof functions.activity.page>, "cursor" | "limit">;

const TEXT_LENGTH_MAX = 100;
const MARKET_LENGTH_MAX = 40;

/** Parses search parameters; invalid ones are ignored. */
export function parseActivitySearch(given: Record<string, unknown>): ActivitySearch {
  return {
    kind: ACTIVITY_KINDS.find((kind) => kind === given["kind"]),
    search: textOf(given["search"], TEXT_LENGTH_MAX),
    market: textOf(given["market"], MARKET_LENGTH_MAX),
    side: SIDES.find((side) => side === given["side"]),
    from: parseDay(given["from"]),
    to: parseDay(given["to"]),
    flat: given["flat"] === true ? true : undefined,
  };
}

/** Whether the filters exclude any rows. */
export function isFiltered({ kind, search, market, side, from, to }: ActivitySearch): boolean {
  return [kind, search, market, side, from, to].some((filter) => filter !== undefined);
}

export function activityArgs(
  { kind, search, market, side, from, to, flat }: ActivitySearch,
  timeZone: string,
): ActivityArgs {
  return {
    kind,
    search,
    market,
    side,
    ...periodOf(from, to, timeZone),
    grouped: flat === true || kind === "fill" ? undefined : true,
  };
}

function textOf(given: unknown, lengthMax: number): string | undefined {
  // The router parses text of digits only as a number.
  const text = typeof given === "number" ? String(given) : given;
  if (typeof text !== "string" || text.trim() === "") return undefined;
  return text.slice(0, lengthMax);
}
