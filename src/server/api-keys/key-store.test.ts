import { expect, test } from "vitest";
import type { Database } from "../database/open-database.ts";
import { createKeyStore } from "./key-store.ts";

test("very many keys are read in batches, with turns of the event loop between them", async () => {
  let turn = 0;
  const turns: number[] = [];
  const query = {
    selectFrom: () => query,
    innerJoin: () => query,
    selectAll: () => query,
    select: () => query,
    where: () => query,
    // Answers at once, as SQLite does.
    execute() {
      turns.push(turn);
      setImmediate(() => (turn += 1));
      return Promise.resolve([]);
    },
  };
  const store = createKeyStore({ read: query } as unknown as Database);
  await store.usable(Array.from({ length: 2_100 }, (_, index) => `key-${index}`));
  expect(turns.length).toBeGreaterThan(2);
  expect(new Set(turns).size).toBe(turns.length);
});
