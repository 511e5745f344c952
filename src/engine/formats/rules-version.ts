/**
 * The version of the rules by which commands lead to outcomes. It is raised with every change after
 * which some sequence of commands leads to other events than before, however seldom: then no snapshot
 * of an earlier version stands for what a replay leads to.
 */
export const RULES_VERSION = 5;
