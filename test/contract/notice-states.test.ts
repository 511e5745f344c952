import { expect, test } from "vitest";
import type { Database } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";
import { createNoticeStates } from "#server/notices/notice-states.ts";
import { describeEachDatabase } from "./databases.ts";

const statesOn = (database: Database) =>
  createNoticeStates({ database, log: createSilentLog(), onChange: () => undefined });

describeEachDatabase("what is read of the notices", (openDatabase) => {
  test("is kept with the switches, for a later process", async () => {
    const database = await openDatabase();
    const states = statesOn(database);
    await states.markReadUntil("ada", 100);
    await states.markRead("ada", ["b", "c"]);
    await states.switchKind("ada", "alert", { mail: true }, 70);
    await states.switchKind("ada", "fill", { page: false }, 80);
    const later = await statesOn(database).load("ada");
    expect(later).toMatchObject({ readUntilMs: 100, readIds: ["b", "c"], mailedUntilMs: 70 });
    expect(later.switches.alert).toEqual({ page: true, browser: false, mail: true });
    expect(later.switches.fill).toEqual({ page: false, browser: false, mail: false });
    expect((await states.load("bob")).readUntilMs).toBe(0);
  });

  test("never becomes unread, and ids that a moment covers are forgotten", async () => {
    const states = statesOn(await openDatabase());
    await states.markRead("ada", ["b"]);
    await states.markReadUntil("ada", 100);
    await states.markReadUntil("ada", 50);
    expect(await states.load("ada")).toMatchObject({ readUntilMs: 100, readIds: [] });
  });

  test("keeps the newest of very many ids", async () => {
    const states = statesOn(await openDatabase());
    const ids = Array.from({ length: 400 }, (_, index) => `id ${index}`);
    await states.markRead("ada", ids);
    const { readIds } = await states.markRead("ada", ["newest"]);
    expect([readIds.length, readIds[0], readIds.at(-1)]).toEqual([400, "id 1", "newest"]);
    expect(await states.markRead("ada", ["id 7"])).toMatchObject({ readIds });
  });

  test("says who gets mail, and forgets a deleted user", async () => {
    const states = statesOn(await openDatabase());
    await states.switchKind("ada", "fill", { mail: true }, 1);
    await states.switchKind("bob", "fill", { browser: true }, 1);
    await states.switchKind("eve", "fill", { mail: true }, 1);
    await states.switchKind("eve", "fill", { mail: false }, 1);
    expect(await states.mailed()).toEqual(["ada"]);
    await states.forget("ada");
    expect(await states.mailed()).toEqual([]);
  });
});
