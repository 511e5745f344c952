/**
 * The versions of the engine's rules and of the form of its state. A change to the engine raises them here
 * and nowhere else. Both together are one number for an engine's interpretation of a journal: nodes with
 * the same number come to the same state hashes. It only grows, so that nodes know which of two is the
 * newer one.
 */

/**
 * The version of the rules by which commands lead to outcomes. It is raised with every change after
 * which any sequence of commands leads to other events than before, however rare: earlier snapshots
 * then no longer match a replay.
 */
export const RULES_VERSION = 13;

/** The version of the engine's state as bytes. It is raised with every change to the output of any part. */
export const SNAPSHOT_VERSION = 14;

const RULES_UNIT = 1_000;

export const ENGINE_VERSION = RULES_VERSION * RULES_UNIT + SNAPSHOT_VERSION;

export function describeEngineVersion(version: number): string {
  return `rules ${Math.floor(version / RULES_UNIT)}, state ${version % RULES_UNIT}`;
}
