import { expect, test, vi } from "vitest";
import { ADDRESSES_MAX } from "#contract/transfers.ts";
import type { Database } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";
import {
  AddressBookFullError,
  createWithdrawalAddresses,
  KnownAddressError,
} from "#server/personal/withdrawal-addresses.ts";
import { describeEachDatabase } from "./databases.ts";

const TERMS = { label: "Bank", coin: "EUR", network: "SEPA", address: "DE02", memo: "" };
const at = (createdAtMs: number, address = `DE${createdAtMs}`) => ({
  ...TERMS,
  address,
  createdAtMs,
});
const bookOn = (database: Database) =>
  createWithdrawalAddresses({ database, log: createSilentLog(), onChange: vi.fn() });

describeEachDatabase("addresses to withdraw to", (openDatabase) => {
  test("are kept with when they were added, oldest first, also for a later process", async () => {
    const database = await openDatabase();
    const book = bookOn(database);
    const first = await book.add("ada", at(1_700_000_000_001));
    const second = await book.add("ada", at(1_700_000_000_002));
    await book.add("bob", at(1_700_000_000_003));
    expect(await book.load("ada")).toEqual([first, second]);
    expect(await bookOn(database).load("ada")).toEqual([first, second]);
    await book.remove("bob", first.id);
    expect(await bookOn(database).load("ada")).toHaveLength(2);
    await book.remove("ada", first.id);
    expect(await bookOn(database).load("ada")).toEqual([second]);
  });

  test("are kept once, and so many at most", async () => {
    const database = await openDatabase();
    const book = bookOn(database);
    for (let each = 1; each < ADDRESSES_MAX; each++) await book.add("ada", at(each));
    await expect(book.add("ada", at(99, "DE1"))).rejects.toThrow(KnownAddressError);
    await book.add("ada", { ...at(99, "DE1"), memo: "7" });
    await expect(book.add("ada", at(100))).rejects.toThrow(AddressBookFullError);
    expect(await bookOn(database).load("ada")).toHaveLength(ADDRESSES_MAX);
  });

  test("of a deleted user are gone", async () => {
    const database = await openDatabase();
    const book = bookOn(database);
    await book.add("ada", at(1));
    await book.add("bob", at(1));
    await book.forget("ada");
    expect(await bookOn(database).load("ada")).toEqual([]);
    expect(await bookOn(database).load("bob")).toHaveLength(1);
  });
});
