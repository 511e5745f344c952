/** A table of one row, written when an exchange first opens the database. */
export interface InstallationTable {
  id: number;
  /** Identifies this database; copies of the database have the same id. */
  database_id: string;
  /**
   * The identity of the journal to which the database belongs; 0 if it still waits for a new
   * journal.
   */
  journal: number;
}

/** A table of at most one row: the lease of the exchange that uses the database; see lease.ts. */
interface ExchangeLeaseTable {
  id: number;
  /** Identifies the process that holds the lease. */
  holder: string;
  /**
   * Identifies the holder's data directory by inode, host and boot, for the operator; a process that
   * has locked the same directory takes the lease without waiting.
   */
  place: string;
  /** When the lease expires, by the database's clock. */
  until_ms: number;
}

export interface InstallationTables {
  installation: InstallationTable;
  exchange_lease: ExchangeLeaseTable;
}
