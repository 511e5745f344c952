/**
 * Refuses microseconds as the unit of times: a client that expects them would misread milliseconds
 * by a factor of a thousand.
 */
import { invalidParameter } from "./api-error.ts";

export const TIME_UNIT_HEADER = "x-mbx-time-unit";

/** Whether a connection's URL requests milliseconds or no unit. */
export function asksForMilliseconds(url: string): boolean {
  const [, query = ""] = url.split("?", 2);
  return isMilliseconds(new URLSearchParams(query).get("timeUnit") ?? undefined);
}

/** @param unit the value of the request's header. @throws ApiError for any unit but milliseconds */
export function checkTimeUnit(unit: string | undefined): void {
  if (!isMilliseconds(unit)) throw invalidParameter("X-MBX-TIME-UNIT");
}

function isMilliseconds(unit = "MILLISECOND"): boolean {
  return unit.toUpperCase() === "MILLISECOND";
}
