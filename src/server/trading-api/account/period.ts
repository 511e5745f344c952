/** Checks the period that a call requests. */
import { invalidParameter, periodTooLong } from "../api-error.ts";

const HOUR_MS = 3_600_000;

export interface Period {
  /** Milliseconds since 1970 UTC; both ends are inclusive. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** @throws ApiError if the period ends before it begins, or is longer than `hoursMax` */
export function checkPeriod({ startTime, endTime }: Period, hoursMax: number): void {
  if (startTime === undefined || endTime === undefined) return;
  if (endTime < startTime) throw invalidParameter("endTime");
  if (endTime - startTime > hoursMax * HOUR_MS) throw periodTooLong(hoursMax);
}
