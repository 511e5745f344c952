/**
 * The fault lab: what the traffic of one API key suffers, so that its owner's programs can be tried
 * against a bad day. Nothing of it reaches the ledger or another key.
 */

/** Each fault is an integer within its bounds, 0 if it is off. */
export const KEY_FAULTS = {
  /** Every request is carried out, and every message sent, so much later. */
  latencyMs: { unit: "ms", min: 0, max: 5_000 },
  /** Up to so much more, by chance. */
  jitterMs: { unit: "ms", min: 0, max: 5_000 },
  /** Of requests: the connection is cut before anything is done. */
  cutPercent: { unit: "percent", min: 0, max: 100 },
  /** Of requests that change something: carried out, but the connection is cut instead of an answer. */
  lostAnswerPercent: { unit: "percent", min: 0, max: 100 },
  /** Of requests that change something: carried out, but answered `lateAnswerMs` later. */
  lateAnswerPercent: { unit: "percent", min: 0, max: 100 },
  lateAnswerMs: { unit: "ms", min: 0, max: 30_000 },
  /** Of requests: refused with 429. */
  rateLimitPercent: { unit: "percent", min: 0, max: 100 },
  /** WebSockets are cut when they are so old. */
  connectionSeconds: { unit: "seconds", min: 0, max: 3_600 },
  /** Books are up to so old. */
  staleDepthMs: { unit: "ms", min: 0, max: 10_000 },
  /** Of a book's updates in streams: left out. */
  depthGapPercent: { unit: "percent", min: 0, max: 100 },
  /** How far the exchange's clock is ahead. */
  clockSkewMs: { unit: "ms", min: -30_000, max: 30_000 },
  /** 1: every market is halted. */
  halted: { unit: "switch", min: 0, max: 1 },
} as const;

export type KeyFaultName = keyof typeof KEY_FAULTS;
export type KeyFaults = Readonly<Record<KeyFaultName, number>>;

export const KEY_FAULT_NAMES = Object.keys(KEY_FAULTS) as readonly KeyFaultName[];

/** After this they end by themselves. */
export const FAULT_SECONDS = { min: 1, max: 24 * 3_600, otherwise: 3_600 } as const;

export const FAULT_SEED_MAX = 2 ** 32 - 1;

export interface ActiveKeyFaults {
  faults: KeyFaults;
  /** Chance is drawn from it: the same requests in the same order meet the same faults. */
  seed: number;
  /** Milliseconds since 1970 UTC. */
  endsAt: number;
}
