/** What can be exported of the journal, and how it is written: all that the command line says of exports. */
export const EXPORTS = ["trades", "orders", "ledger", "events"] as const;
export type ExportName = (typeof EXPORTS)[number];
export const EXPORT_FORMATS = ["csv", "jsonl"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
