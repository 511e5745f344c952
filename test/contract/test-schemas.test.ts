/** The schemas that tests share one after the other are what the migrations made, whatever a test did. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "#server/database/open-database.ts";
import { describeEachDatabase } from "./databases.ts";

const NO_TEXT = { subject: "", text: "", html: "" };
const used: (string | undefined)[] = [];

function progress(database: Database) {
  return database.read.selectFrom("history_progress").selectAll().execute();
}

describeEachDatabase("a database of the tests", (open, dialect) => {
  test("may be filled", async () => {
    const database = await open();
    expect(await progress(database)).toMatchObject([{ sequence: 0 }]);
    await database.write.updateTable("history_progress").set({ sequence: 7 }).execute();
    const mail = { id: "1", recipient: "ada@example.com", ...NO_TEXT, created_at_ms: 1 };
    await database.write.insertInto("outbox_mails").values(mail).execute();
    used.push(database.location.schema);
  });

  if (dialect !== "postgres") return;
  test("is used again as it was, and may be changed", async () => {
    const database = await open();
    expect(database.location.schema).toBe(used.at(-1));
    expect(await progress(database)).toMatchObject([{ sequence: 0 }]);
    expect(await database.read.selectFrom("outbox_mails").selectAll().execute()).toEqual([]);
    await sql`create function refuse() returns trigger language plpgsql
      as $$ begin return null; end $$`.execute(database.write);
    used.push(database.location.schema);
  });

  test("is not used again if more than rows was changed", async () => {
    expect(used).not.toContain((await open()).location.schema);
  });
});
