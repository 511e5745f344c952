/**
 * The fault lab: faults in the traffic of one API key, so that its owner can test programs against
 * a bad connection. No fault reaches the ledger or another key.
 */

/** The faults with their bounds. Each is an integer; 0 turns it off. */
export const KEY_FAULTS = {
  /** Delay before every request is executed and every message is sent. */
  latencyMs: { unit: "ms", min: 0, max: 5_000 },
  /** Random extra delay, up to this much. */
  jitterMs: { unit: "ms", min: 0, max: 5_000 },
  /** Share of requests whose connection is cut before anything is executed. */
  cutPercent: { unit: "percent", min: 0, max: 100 },
  /**
   * Share of requests that change something whose connection is cut after execution, instead of an
   * answer.
   */
  lostAnswerPercent: { unit: "percent", min: 0, max: 100 },
  /**
   * Share of requests that change something whose answer is delayed by `lateAnswerMs` after
   * execution.
   */
  lateAnswerPercent: { unit: "percent", min: 0, max: 100 },
  lateAnswerMs: { unit: "ms", min: 0, max: 30_000 },
  /** Share of requests that are refused with 429. */
  rateLimitPercent: { unit: "percent", min: 0, max: 100 },
  /** Age at which WebSockets are cut. */
  connectionSeconds: { unit: "seconds", min: 0, max: 3_600 },
  /** Books are out of date by up to this much. */
  staleDepthMs: { unit: "ms", min: 0, max: 10_000 },
  /** Share of a book's updates that streams leave out. */
  depthGapPercent: { unit: "percent", min: 0, max: 100 },
  /** How far the exchange's clock is ahead of the true time, as the key sees it. */
  clockSkewMs: { unit: "ms", min: -30_000, max: 30_000 },
  /** 1: every market appears halted. */
  halted: { unit: "switch", min: 0, max: 1 },
} as const;

export type KeyFaultName = keyof typeof KEY_FAULTS;
export type KeyFaults = Readonly<Record<KeyFaultName, number>>;

export const KEY_FAULT_NAMES = Object.keys(KEY_FAULTS) as readonly KeyFaultName[];

/** How long faults may last, in seconds, before they end automatically. */
export const FAULT_SECONDS = { min: 1, max: 24 * 3_600, otherwise: 3_600 } as const;

export const FAULT_SEED_MAX = 2 ** 32 - 1;

export interface ActiveKeyFaults {
  faults: KeyFaults;
  /** Seed of the random choices: the same requests in the same order meet the same faults. */
  seed: number;
  /** When the faults end, milliseconds since 1970 UTC. */
  endsAt: number;
}
