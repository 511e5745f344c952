/**
 * The version of the rules by which commands lead to outcomes. It is raised with every change after
 * which some sequence of commands leads to other events than before, however rare: then no earlier
 * snapshot equals what a replay leads to.
 */
export const RULES_VERSION = 7;
