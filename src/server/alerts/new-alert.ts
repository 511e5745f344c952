import { randomUUID } from "node:crypto";
import type { PriceAlert } from "../records/price-alerts.ts";

/** The terms of an alert that its user chooses. */
export type NewAlert = Pick<
  PriceAlert,
  "userId" | "marketId" | "priceTicks" | "changeBps" | "windowMinutes" | "repeats"
>;

/** The user has the maximum number of alerts. */
export class TooManyAlertsError extends Error {
  override readonly name = "TooManyAlertsError";
}

/** An active alert, whose direction is still to be found. */
export function newAlert(wanted: NewAlert, nowMs: number): PriceAlert {
  return {
    ...wanted,
    id: randomUUID(),
    createdAtMs: nowMs,
    status: "active",
    direction: "rise",
    quietUntilMs: 0,
    firedAtMs: 0,
  };
}
