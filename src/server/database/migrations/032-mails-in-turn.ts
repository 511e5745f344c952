/** How many mails to the same recipient wait before a mail, so that recipients take turns. */
import { addColumn, type AnyDatabase, createIndex } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await addColumn(database, "mail_queue", "turn", 0);
  await createIndex(database, "mail_queue_of_recipient", "mail_queue", ["recipient", "state"]);
  // Replaced, since by the old index SQLite would read and sort all due mails for each one that is taken.
  await database.schema.dropIndex("mail_queue_due").ifExists().execute();
  const columns = ["state", "turn", "next_attempt_at_ms"];
  await createIndex(database, "mail_queue_in_turn", "mail_queue", columns);
}
