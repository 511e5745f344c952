/**
 * An index for finding whether a person was active between two trades, which decides whether old
 * trades stay.
 */
import { type AnyDatabase, createIndex } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createIndex(database, "activity_by_sequence", "activity", ["sequence", "kind"]);
}
