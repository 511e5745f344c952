/** The unit of times. Clients can ask for microseconds, and would misread milliseconds by a factor of a thousand. */
import { invalidParameter } from "./api-error.ts";

export const TIME_UNIT_HEADER = "x-mbx-time-unit";

/** Whether the address of a connection asks for the unit that times have here. */
export function asksForMilliseconds(url: string): boolean {
  const [, query = ""] = url.split("?", 2);
  return isMilliseconds(new URLSearchParams(query).get("timeUnit") ?? undefined);
}

/** @param unit as the header of a request names it. @throws ApiError for another one */
export function checkTimeUnit(unit: string | undefined): void {
  if (!isMilliseconds(unit)) throw invalidParameter("X-MBX-TIME-UNIT");
}

function isMilliseconds(unit = "MILLISECOND"): boolean {
  return unit.toUpperCase() === "MILLISECOND";
}
