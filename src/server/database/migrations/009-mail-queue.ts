/**
 * Queues mails until the mail server has accepted them, so that an outage or a restart loses none.
 */
import { type AnyDatabase, createIndex, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createTable(database, "mail_queue", {
    id: "text",
    created_at_ms: "bigint",
    expires_at_ms: "bigint",
    recipient: "text",
    subject: "text",
    html: "text?",
    text: "text?",
    state: "text",
    attempts: "integer",
    next_attempt_at_ms: "bigint",
    last_error: "text?",
  });
  await createIndex(database, "mail_queue_due", "mail_queue", ["state", "next_attempt_at_ms"]);
  await createIndex(database, "mail_queue_by_time", "mail_queue", ["created_at_ms"]);
}
