/** How a command went. */
import type { RejectReason } from "./reject-reasons.ts";

/** Accepted, a repeat of an accepted one, or refused with a reason. */
export type Outcome = "accepted" | "repeated" | RejectReason;
