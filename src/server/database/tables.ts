/**
 * Every table by name. Each module declares its own tables in a file of its own; they are joined
 * here and only here.
 */
import type { AccountsTables } from "./accounts-tables.ts";
import type { HistoryTables } from "./history-tables.ts";
import type { InstallationTables } from "./installation-tables.ts";

export type Tables = HistoryTables & AccountsTables & InstallationTables;
