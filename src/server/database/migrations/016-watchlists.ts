/** The markets that each user watches, in the user's order; see personal/watchlists.ts. */
import { type AnyDatabase, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createTable(database, "watchlists", { user_id: "text", markets: "text" });
}
