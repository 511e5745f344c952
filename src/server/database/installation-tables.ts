/** One row, written when an exchange first opens with the database. */
export interface InstallationTable {
  id: number;
  /** Names this database among all others; copies of it have the same. */
  database_id: string;
  /** The identity of the journal that the database belongs to; 0 if it waits for a new one. */
  journal: number;
}

/** At most one row: the exchange that has the database; see lease.ts. */
interface ExchangeLeaseTable {
  id: number;
  /** Of one process. */
  holder: string;
  /** Of its data directory, for the operator and for the next process with it. */
  place: string;
  /** By the database's clock. */
  until_ms: number;
}

export interface InstallationTables {
  installation: InstallationTable;
  exchange_lease: ExchangeLeaseTable;
}
