/** Stores mail if no SMTP server is configured: a table that the operator can read. */
import { randomUUID } from "node:crypto";
import type { Database } from "../../database/open-database.ts";
import type { OutboxMailsTable } from "../../database/accounts-tables.ts";
import type { Mail } from "./mails.ts";

const KEPT_MAX = 200;

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox({ write, read }: Database) {
  return {
    async put({ recipient, subject, html, text }: Mail): Promise<{ id: string }> {
      const id = randomUUID();
      await write
        .insertInto("outbox_mails")
        .values({ id, created_at_ms: Date.now(), recipient, subject, html, text })
        .execute();
      const kept = write
        .selectFrom("outbox_mails")
        .select("id")
        .orderBy("created_at_ms", "desc")
        .orderBy("id")
        .limit(KEPT_MAX);
      await write.deleteFrom("outbox_mails").where("id", "not in", kept).execute();
      return { id };
    },
    /** Newest first. */
    list: (): Promise<OutboxMailsTable[]> =>
      read
        .selectFrom("outbox_mails")
        .selectAll()
        .orderBy("created_at_ms", "desc")
        .orderBy("id")
        .limit(KEPT_MAX)
        .execute(),
    async find(id: string): Promise<OutboxMailsTable | null> {
      const row = await read
        .selectFrom("outbox_mails")
        .selectAll()
        .where("id", "=", id)
        .executeTakeFirst();
      return row ?? null;
    },
  };
}
