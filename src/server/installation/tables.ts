/** One row, written when an exchange first opens with the database. */
export interface InstallationTable {
  id: number;
  /** Names this database among all others; copies of it have the same. */
  database_id: string;
  /** The identity of the journal that the database belongs to; 0 if it waits for a new one. */
  journal: number;
}

export interface InstallationTables {
  installation: InstallationTable;
}
