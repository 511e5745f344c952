/** Lets a user's newest events of a kind be read, however many there are of others. */
import { type AnyDatabase, createIndex } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  const columns = ["user_id", "kind", "id"];
  await createIndex(database, "security_events_by_kind", "security_events", columns);
}
