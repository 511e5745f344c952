/** The exports of the journal and their formats, as the command line describes them. */
export const EXPORTS = ["trades", "orders", "ledger", "events"] as const;
export type ExportName = (typeof EXPORTS)[number];
export const EXPORT_FORMATS = ["csv", "jsonl"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
