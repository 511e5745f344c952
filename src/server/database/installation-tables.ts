/** One row, written when an exchange first opens with the database. */
export interface InstallationTable {
  id: number;
  /** Identifies this database; copies of it have the same. */
  database_id: string;
  /** The identity of the journal that the database belongs to; 0 if it waits for a new one. */
  journal: number;
}

/** At most one row: the exchange that uses the database; see lease.ts. */
interface ExchangeLeaseTable {
  id: number;
  /** Identifies one process. */
  holder: string;
  /** Its data directory, for the operator and for the next process that uses it. */
  place: string;
  /** By the database's clock. */
  until_ms: number;
}

export interface InstallationTables {
  installation: InstallationTable;
  exchange_lease: ExchangeLeaseTable;
}
