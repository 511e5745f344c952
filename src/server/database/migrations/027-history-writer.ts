/** Names the node that writes the history, for exchanges on several machines. */
import { addColumn, type AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await addColumn(database, "history_progress", "writer", "");
}
