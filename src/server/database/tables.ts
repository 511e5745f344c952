/**
 * Every table by name. Each module declares its tables in its own file; only this file joins them.
 */
import type { AccountsTables } from "./accounts-tables.ts";
import type { ApiKeyTables } from "./api-key-tables.ts";
import type { HistoryTables } from "./history-tables.ts";
import type { InstallationTables } from "./installation-tables.ts";
import type { PersonalTables } from "./personal-tables.ts";

export type Tables = HistoryTables &
  AccountsTables &
  ApiKeyTables &
  InstallationTables &
  PersonalTables;
