/** The withdrawal addresses of each user, oldest first. Replacing an address creates a new one. */
import { randomUUID } from "node:crypto";
import { ADDRESSES_MAX } from "#contract/transfers.ts";
import { lockUsers } from "../database/lock-rows.ts";
import type { Database } from "../database/open-database.ts";
import type { WithdrawalAddressesTable } from "../database/personal-tables.ts";
import { PerUser, type UserStoreOptions } from "./per-user.ts";

/** The user's address book is full. */
export class AddressBookFullError extends Error {
  override readonly name = "AddressBookFullError";
}

/** The address is already in the user's address book. */
export class KnownAddressError extends Error {
  override readonly name = "KnownAddressError";
}

export interface KeptAddress {
  readonly id: string;
  readonly label: string;
  readonly coin: string;
  readonly network: string;
  readonly address: string;
  /** "" if none. */
  readonly memo: string;
  readonly createdAtMs: number;
}

type Writer = Database["write"];

export type WithdrawalAddresses = ReturnType<typeof createWithdrawalAddresses>;

export function createWithdrawalAddresses({ database, ...options }: UserStoreOptions) {
  const books = new PerUser<readonly KeptAddress[]>({
    ...options,
    load: (userId) => bookOf(database.read, userId),
  });

  return {
    /** Undefined while the addresses are loading. */
    read: (userId: string) => books.read(userId),
    load: (userId: string) => books.load(userId),
    /** Another node has changed the user's value. */
    changedElsewhere: (userId: string) => books.refresh(userId),
    /**
     * @param within runs the write, such as in a transaction with the event that notifies the user
     * @throws AddressBookFullError or KnownAddressError, in which case nothing changes
     */
    async add(
      userId: string,
      terms: Omit<KeptAddress, "id">,
      within: (store: (write: Writer) => Promise<unknown>) => Promise<unknown>,
    ): Promise<KeptAddress> {
      const added: KeptAddress = { id: randomUUID(), ...terms };
      await books.change(
        userId,
        (book) => withAdded(book, added),
        () =>
          within(async (write) => {
            await lockUsers(write, [userId]);
            // Another node may have stored one since.
            withAdded(await bookOf(write, userId), added);
            await write.insertInto("withdrawal_addresses").values(rowOf(userId, added)).execute();
          }),
      );
      return added;
    },
    async remove(userId: string, id: string): Promise<void> {
      await books.change(
        userId,
        (book) =>
          book.some((each) => each.id === id) ? book.filter((each) => each.id !== id) : book,
        () =>
          database.write
            .deleteFrom("withdrawal_addresses")
            .where("user_id", "=", userId)
            .where("id", "=", id)
            .execute(),
      );
    },
    /** Removes all, also one that is being added. */
    async forget(userId: string): Promise<void> {
      await books.change(
        userId,
        () => [],
        () =>
          database.write.deleteFrom("withdrawal_addresses").where("user_id", "=", userId).execute(),
      );
    },
  };
}

async function bookOf(from: Writer, userId: string): Promise<KeptAddress[]> {
  const rows = await from
    .selectFrom("withdrawal_addresses")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at_ms")
    .orderBy("id")
    .execute();
  return rows.map(addressOf);
}

/** @throws AddressBookFullError or KnownAddressError */
function withAdded(book: readonly KeptAddress[], added: KeptAddress): readonly KeptAddress[] {
  if (book.length >= ADDRESSES_MAX) throw new AddressBookFullError();
  if (book.some((each) => isSame(each, added))) throw new KnownAddressError();
  return [...book, added];
}

function isSame(a: KeptAddress, b: KeptAddress): boolean {
  const isSamePlace = a.coin === b.coin && a.network === b.network;
  return isSamePlace && a.address === b.address && a.memo === b.memo;
}

function addressOf(row: WithdrawalAddressesTable): KeptAddress {
  const { id, label, coin, network, address, memo, created_at_ms: createdAtMs } = row;
  return { id, label, coin, network, address, memo, createdAtMs };
}

function rowOf(userId: string, kept: KeptAddress): WithdrawalAddressesTable {
  const { createdAtMs, ...texts } = kept;
  return { ...texts, user_id: userId, created_at_ms: createdAtMs };
}
