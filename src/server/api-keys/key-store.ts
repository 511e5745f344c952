/** Database access to API keys, joined with their owners. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Selectable } from "kysely";
import type { ApiKeyPermission } from "#contract/api-keys.ts";
import { flagOf } from "../database/accounts-tables.ts";
import type { ApiKeysTable } from "../database/api-key-tables.ts";
import { lockUsers } from "../database/lock-rows.ts";
import type { Database } from "../database/open-database.ts";
import { retrySerialization } from "../database/retry-serialization.ts";

interface RecordFields {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly apiKey: string;
  readonly permissions: readonly ApiKeyPermission[];
  /** Empty if the key may be used from any address. */
  readonly addressRanges: readonly string[];
  readonly createdAtMs: number;
  /** null if the key never expires. */
  readonly expiresAtMs: number | null;
  readonly lastUse: KeyUse | null;
}

export interface KeyUse {
  readonly atMs: number;
  readonly address: string;
}

export type ApiKeyRecord = RecordFields &
  (
    | { readonly kind: "hmac"; readonly encryptedSecret: string }
    | { readonly kind: "ed25519"; readonly publicKey: string }
  );

/** The fields of a key that its owner may change. */
export type KeyTerms = Pick<RecordFields, "name" | "permissions" | "addressRanges" | "expiresAtMs">;

const IDS_PER_QUERY = 500;

export type KeyStore = ReturnType<typeof createKeyStore>;

export function createKeyStore({ dialect, read, write }: Database) {
  return {
    /** Newest first. */
    async ofUser(userId: string): Promise<ApiKeyRecord[]> {
      const rows = await read
        .selectFrom("api_keys")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("created_at_ms", "desc")
        .orderBy("id")
        .execute();
      return rows.map(recordOf);
    },

    /** Undefined if the key does not exist, or its owner is banned or deleted. */
    async find(apiKey: string): Promise<ApiKeyRecord | undefined> {
      const row = await read
        .selectFrom("api_keys")
        .innerJoin("user", "user.id", "api_keys.user_id")
        .selectAll("api_keys")
        .select("user.banned")
        .where("api_key", "=", apiKey)
        .executeTakeFirst();
      return row === undefined || flagOf(row.banned) ? undefined : recordOf(row);
    },

    /**
     * The current records of the given keys, except removed keys and keys of banned or deleted
     * owners.
     */
    async usable(ids: readonly string[]): Promise<Map<string, ApiKeyRecord>> {
      const found = new Map<string, ApiKeyRecord>();
      for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
        // SQLite answers without a turn of the event loop.
        if (start > 0) await nextTurn();
        const rows = await read
          .selectFrom("api_keys")
          .innerJoin("user", "user.id", "api_keys.user_id")
          .selectAll("api_keys")
          .select("user.banned")
          .where("api_keys.id", "in", ids.slice(start, start + IDS_PER_QUERY))
          .execute();
        for (const row of rows) if (!flagOf(row.banned)) found.set(row.id, recordOf(row));
      }
      return found;
    },

    /** @returns false, and stores nothing, if the user has `keysMax` keys or more, on whichever node */
    insert(record: ApiKeyRecord, keysMax: number): Promise<boolean> {
      return retrySerialization(() =>
        write.transaction().execute(async (transaction) => {
          await lockUsers(transaction, [record.userId]);
          const { count } = await transaction
            .selectFrom("api_keys")
            .select(({ fn }) => fn.countAll<number>().as("count"))
            .where("user_id", "=", record.userId)
            .executeTakeFirstOrThrow();
          if (count >= keysMax) return false;
          await transaction.insertInto("api_keys").values(rowOf(record)).execute();
          return true;
        }),
      );
    },

    /** Changes these terms alone: another node may be changing the others. */
    async update(id: string, terms: Partial<KeyTerms>): Promise<void> {
      const { addressRanges, expiresAtMs, name, permissions } = terms;
      await write
        .updateTable("api_keys")
        .set({
          ...(name !== undefined && { name }),
          ...(permissions !== undefined && { permissions: JSON.stringify(permissions) }),
          ...(addressRanges !== undefined && { address_ranges: JSON.stringify(addressRanges) }),
          ...(expiresAtMs !== undefined && { expires_at_ms: expiresAtMs }),
        })
        .where("id", "=", id)
        .execute();
    },

    async remove(id: string): Promise<void> {
      await write.deleteFrom("api_keys").where("id", "=", id).execute();
    },

    async removeOfUser(userId: string): Promise<void> {
      await write.deleteFrom("api_keys").where("user_id", "=", userId).execute();
    },

    /** Removes keys of users who were banned while no server process was running. */
    async removeOfBanned(): Promise<void> {
      const isBanned = dialect === "sqlite" ? 1 : true;
      const banned = write.selectFrom("user").select("id").where("banned", "=", isBanned);
      await write.deleteFrom("api_keys").where("user_id", "in", banned).execute();
    },

    async storeUses(uses: ReadonlyMap<string, KeyUse>): Promise<void> {
      await write.transaction().execute(async (transaction) => {
        for (const [id, { atMs, address }] of uses) {
          await transaction
            .updateTable("api_keys")
            .set({ last_used_at_ms: atMs, last_used_address: address })
            .where("id", "=", id)
            .execute();
        }
      });
    },
  };
}

function recordOf(row: Selectable<ApiKeysTable>): ApiKeyRecord {
  const { secret, public_key: publicKey } = row;
  const fields: RecordFields = {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    apiKey: row.api_key,
    permissions: JSON.parse(row.permissions) as ApiKeyPermission[],
    addressRanges: JSON.parse(row.address_ranges) as string[],
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    lastUse:
      row.last_used_at_ms === null
        ? null
        : { atMs: row.last_used_at_ms, address: row.last_used_address ?? "" },
  };
  return row.kind === "hmac"
    ? { ...fields, kind: row.kind, encryptedSecret: secret ?? "" }
    : { ...fields, kind: row.kind, publicKey: publicKey ?? "" };
}

function rowOf(record: ApiKeyRecord): ApiKeysTable {
  return {
    id: record.id,
    user_id: record.userId,
    name: record.name,
    api_key: record.apiKey,
    kind: record.kind,
    secret: record.kind === "hmac" ? record.encryptedSecret : null,
    public_key: record.kind === "ed25519" ? record.publicKey : null,
    permissions: JSON.stringify(record.permissions),
    address_ranges: JSON.stringify(record.addressRanges),
    created_at_ms: record.createdAtMs,
    expires_at_ms: record.expiresAtMs,
    last_used_at_ms: record.lastUse?.atMs ?? null,
    last_used_address: record.lastUse?.address ?? null,
  };
}
