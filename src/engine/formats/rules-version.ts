/**
 * The version of the rules by which commands lead to outcomes. It is raised with every change after
 * which any sequence of commands leads to other events than before, however rare: earlier snapshots
 * then no longer match a replay.
 */
export const RULES_VERSION = 13;
