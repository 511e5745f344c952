import { setTimeout as delay } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { ADDRESSES_MAX } from "#contract/transfers.ts";
import { createSecurityEvents } from "#server/accounts/audit/security-events.ts";
import type { Database } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";
import {
  AddressBookFullError,
  createWithdrawalAddresses,
  KnownAddressError,
} from "#server/personal/withdrawal-addresses.ts";
import { startAccounts } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

const TERMS = { label: "Bank", coin: "EUR", network: "SEPA", address: "DE02", memo: "" };
const at = (createdAtMs: number, address = `DE${createdAtMs}`) => ({
  ...TERMS,
  address,
  createdAtMs,
});
/** A book that writes by itself. */
function bookOn(database: Database) {
  const book = createWithdrawalAddresses({ database, log: createSilentLog(), onChange: vi.fn() });
  const add = (userId: string, terms: ReturnType<typeof at>) =>
    book.add(userId, terms, (store) => store(database.write));
  const addWithin: typeof book.add = (...args) => book.add(...args);
  return { ...book, add, addWithin };
}

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

  test("are kept together with the event of which the user hears, or not at all", async () => {
    const database = await openDatabase();
    const book = bookOn(database);
    const onRecorded = vi.fn();
    const events = createSecurityEvents(database, createSilentLog(), onRecorded);
    const event = { userId: "ada", kind: "withdrawalAddressAdded", detail: "Bank" } as const;
    const eventsOf = async (userId: string) => (await events.page({ userId, limit: 9 })).items;
    await book.addWithin("ada", at(1), (store) => events.recordWith(event, store));
    expect(await eventsOf("ada")).toMatchObject([{ kind: "withdrawalAddressAdded" }]);
    expect(onRecorded).toHaveBeenCalledExactlyOnceWith("ada");
    const isLost = Promise.reject.bind(Promise, new Error("the connection is lost"));
    const withoutAddress = book.addWithin("ada", at(2), (store) =>
      events.recordWith(event, (write) => store(write).then(isLost)),
    );
    await expect(withoutAddress).rejects.toThrow("the connection is lost");
    const unrecordable = { ...event, kind: null as unknown as "withdrawalAddressAdded" };
    const withoutEvent = book.addWithin("ada", at(3), (store) =>
      events.recordWith(unrecordable, store),
    );
    await expect(withoutEvent).rejects.toThrow();
    expect(await eventsOf("ada")).toHaveLength(1);
    expect(onRecorded).toHaveBeenCalledTimes(1);
    expect(await book.load("ada")).toHaveLength(1);
    expect(await bookOn(database).load("ada")).toHaveLength(1);
  });

  test("are told to their owner in a mail, with where they were added on record", async () => {
    const database = await openDatabase();
    const server = await startAccounts(database);
    const browser = server.browser();
    const userId: string = (await browser.signUp("ada@example.com")).body.user.id;
    const { accounts } = server;
    const identity = await accounts.verifyBackendToken(await browser.backendToken());
    const told = { detail: "Bank", notice: "withdrawalAddressAdded" } as const;
    await bookOn(database).addWithin(userId, at(1), (store) =>
      accounts.makeOwnChange(identity, "withdrawalAddressAdded", told, store),
    );
    const kinds = ["withdrawalAddressAdded"] as const;
    expect((await accounts.securityEvents({ userId, kinds, limit: 1 })).items).toMatchObject([
      { title: "Address to withdraw to added: Bank", address: "127.0.0.1" },
    ]);
    await vi.waitFor(async () => {
      const mails = await database.read.selectFrom("outbox_mails").selectAll().execute();
      const subjects = mails.map(({ subject }) => subject);
      expect(subjects).toContain("An address to withdraw to was added to your Openbell account");
    });
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

  test("that are being added when all are removed are gone too", async () => {
    const database = await openDatabase();
    const book = bookOn(database);
    const removed = Promise.withResolvers<void>();
    const added = book.addWithin("ada", at(1), async (store) => {
      await Promise.race([removed.promise, delay(50)]);
      await store(database.write);
    });
    void book.forget("ada").then(removed.resolve, removed.reject);
    await Promise.all([added, removed.promise]);
    expect(await book.load("ada")).toEqual([]);
    expect(await bookOn(database).load("ada")).toEqual([]);
  });
});
