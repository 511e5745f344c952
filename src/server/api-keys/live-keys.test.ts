import { expect, test } from "vitest";
import type { ApiKeyRecord } from "./key-store.ts";
import { type LiveKey, LiveKeys } from "./live-keys.ts";

function keyOf(userId: string, number: number): LiveKey {
  const id = `${userId}-${number}`;
  return { record: { id, apiKey: id, userId } as ApiKeyRecord } as LiveKey;
}

function added(keys: LiveKeys, live: LiveKey): string | undefined {
  const displaced = keys.add(live);
  if (displaced !== undefined) expect(keys.remove(displaced)).toBe(true);
  return displaced?.record.id;
}

test("a user with very many keys displaces their own", () => {
  const keys = new LiveKeys(4);
  for (const userId of ["ann", "bob"]) expect(added(keys, keyOf(userId, 1))).toBeUndefined();
  for (const number of [1, 2]) expect(added(keys, keyOf("eve", number))).toBeUndefined();
  expect(added(keys, keyOf("eve", 3))).toBe("eve-1");
  keys.use("eve-2");
  expect(added(keys, keyOf("eve", 4))).toBe("eve-3");
  expect(added(keys, keyOf("joe", 1))).toBe("eve-2");
  expect(keys.all().map(({ record }) => record.id)).toEqual(["ann-1", "bob-1", "eve-4", "joe-1"]);
});

test("of users with one key each the least recently used is displaced", () => {
  const keys = new LiveKeys(2);
  for (const userId of ["ann", "bob"]) expect(added(keys, keyOf(userId, 1))).toBeUndefined();
  keys.use("ann-1");
  expect(added(keys, keyOf("joe", 1))).toBe("bob-1");
  expect(added(keys, keyOf("may", 1))).toBe("ann-1");
  expect(keys.find("joe-1")?.record.userId).toBe("joe");
});
