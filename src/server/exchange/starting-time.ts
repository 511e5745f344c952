/**
 * Decides whether the exchange may start with the wall clock as it is. The journal has the time of
 * its last command; neither shows which of the two is wrong. If they are far apart, the start
 * stops: continuing would either let time stand still until the clock catches up, or fire
 * everything due in between at once, and neither can be undone.
 */
import { SKEW_MS_MAX, type SharedTime } from "./exchange-clock.ts";

/** After a longer stop the operator must confirm the clock. */
const AHEAD_MS_MAX = 30 * 24 * 60 * 60 * 1000;

export class ClockRefusedError extends Error {
  override readonly name = "ClockRefusedError";
}

/**
 * Sets exchange time forward to that of the journal's last command if the clock is behind it.
 * @throws ClockRefusedError if they are too far apart and the operator has not accepted that
 */
export function beginAfter(lastTimestampMs: number, time: SharedTime, isAccepted: boolean): void {
  const aheadMs = time.now() - lastTimestampMs;
  if (!isAccepted && (aheadMs < -SKEW_MS_MAX || aheadMs > AHEAD_MS_MAX)) {
    throw new ClockRefusedError(refusalMessage(lastTimestampMs, time.now()));
  }
  if (aheadMs < 0) time.shift(-aheadMs);
}

function refusalMessage(lastTimestampMs: number, nowMs: number): string {
  const isBehind = nowMs < lastTimestampMs;
  const what = isBehind
    ? "before the last command of the journal"
    : "after it: orders and plans that ended since would end at once";
  const accepted = isBehind
    ? "With ACCEPT_CLOCK=on the time continues from the last command, ahead of this clock."
    : "With ACCEPT_CLOCK=on the exchange goes by this clock.";
  return (
    `The clock of this machine says ${isoOf(nowMs)}, and the last command of the journal is of ` +
    `${isoOf(lastTimestampMs)}. The clock is ${durationOf(Math.abs(nowMs - lastTimestampMs))} ` +
    `${what}. If it is wrong, set it right and start again. ${accepted}`
  );
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

function durationOf(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
