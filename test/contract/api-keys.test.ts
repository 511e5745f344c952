import { createHmac, randomUUID } from "node:crypto";
import { onTestFinished, expect, test, vi } from "vitest";
import { ApiKeys, type NewApiKey, TooManyApiKeysError } from "#server/api-keys/api-keys.ts";
import type { Database } from "#server/database/open-database.ts";
import { storedTime } from "#server/database/accounts-tables.ts";
import { createSilentLog } from "#server/log.ts";
import { TEST_SECRET } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

const HERE = "203.0.113.7";
const MINUTE_MS = 60_000;

async function addUser(database: Database, id: string): Promise<void> {
  const now = storedTime(database, Date.now());
  const flag = database.dialect === "sqlite" ? 0 : false;
  const row = { id, name: id, email: `${id}@example.com`, emailVerified: flag, banned: flag };
  await database.write
    .insertInto("user")
    .values({ ...row, createdAt: now, updatedAt: now })
    .execute();
}

async function ban(database: Database, userId: string): Promise<void> {
  const banned = database.dialect === "sqlite" ? 1 : true;
  await database.write.updateTable("user").set({ banned }).where("id", "=", userId).execute();
}

interface OpenedResources {
  readonly keys: ApiKeys;
  readonly stopped: string[];
  readonly changed: ReturnType<typeof vi.fn>;
}

/** Two users, ada and bob, whose accounts are 1 and 2. */
async function open(
  database: Database,
  options: { authSecret?: string; now?: () => number } = {},
): Promise<OpenedResources> {
  const changed = vi.fn<(userId: string) => void>();
  const keys = await ApiKeys.open({
    database,
    log: createSilentLog(),
    authSecret: TEST_SECRET,
    keysMaxOf: () => 3,
    accountOf: (userId) => ({ ada: 1, bob: 2 })[userId],
    onChange: changed,
    ...options,
  });
  onTestFinished(() => keys.close());
  const stopped: string[] = [];
  keys.onStopped((keyId) => stopped.push(keyId));
  return { keys, stopped, changed };
}

const hmac = (more: object = {}): NewApiKey => ({
  kind: "hmac",
  userId: "ada",
  name: "Bot",
  permissions: ["read", "trade"],
  addressRanges: [],
  expiresAtMs: null,
  ...more,
});

describeEachDatabase("API keys", (openDatabase) => {
  async function withUsers(): Promise<Database> {
    const database = await openDatabase();
    await addUser(database, "ada");
    await addUser(database, "bob");
    return database;
  }

  test("are found with what they may do, and verify what their secret signed, also in a later process", async () => {
    const database = await withUsers();
    const { record, secret } = await (await open(database)).keys.create(hmac());
    expect(record.apiKey).toMatch(/^[A-Za-z0-9]{64}$/);
    expect(secret).toMatch(/^[A-Za-z0-9]{64}$/);
    const { keys } = await open(database);
    expect(await keys.find(record.apiKey, HERE)).toEqual({
      keyId: record.id,
      userId: "ada",
      account: 1,
      permissions: ["read", "trade"],
      kind: "hmac",
    });
    const signature = createHmac("sha256", secret!).update("a=1").digest("hex");
    expect(keys.verify(record.apiKey, "a=1", signature)).toBe(true);
    expect(keys.verify(record.apiKey, "a=2", signature)).toBe(false);
  });

  test("keep their secret from the database", async () => {
    const database = await withUsers();
    const { secret } = await (await open(database)).keys.create(hmac());
    const rows = await database.read.selectFrom("api_keys").selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  test("that are unknown or malformed are refused", async () => {
    const { keys } = await open(await withUsers());
    await expect(keys.find("A".repeat(64), HERE)).rejects.toMatchObject({ reason: "unknown" });
    for (const text of ["", "A".repeat(63), "A".repeat(65), `${"A".repeat(63)}'`]) {
      await expect(keys.find(text, HERE)).rejects.toMatchObject({ reason: "malformed" });
    }
    expect(keys.verify("A".repeat(64), "", "")).toBe(false);
    expect(keys.isLive(randomUUID())).toBe(false);
  });

  test("are refused from an address outside their ranges", async () => {
    const { keys } = await open(await withUsers());
    const { record } = await keys.create(hmac({ addressRanges: ["203.0.113.0/29"] }));
    expect(await keys.find(record.apiKey, HERE)).toMatchObject({ keyId: record.id });
    await expect(keys.find(record.apiKey, "203.0.113.8")).rejects.toMatchObject({
      reason: "address",
    });
  });

  test("expire at their moment, not a millisecond before, and what was opened with them is told", async () => {
    let nowMs = 1_000_000;
    const { keys, stopped } = await open(await withUsers(), { now: () => nowMs });
    const { record } = await keys.create(hmac({ expiresAtMs: nowMs + 500 }));
    nowMs += 499;
    await keys.find(record.apiKey, HERE);
    expect(keys.isLive(record.id)).toBe(true);
    nowMs += 1;
    expect(keys.isLive(record.id)).toBe(false);
    await expect(keys.find(record.apiKey, HERE)).rejects.toMatchObject({ reason: "expired" });
    await keys.check();
    expect(stopped).toEqual([record.id]);
  });

  test("of a server with another secret are refused with that reason, until it has the old one again", async () => {
    const database = await withUsers();
    const { record } = await (await open(database)).keys.create(hmac());
    const { keys } = await open(database, { authSecret: `${TEST_SECRET} rotated` });
    await expect(keys.find(record.apiKey, HERE)).rejects.toMatchObject({ reason: "secretChanged" });
    expect(keys.isReadable(record)).toBe(false);
    const restored = await open(database);
    expect(await restored.keys.find(record.apiKey, HERE)).toMatchObject({ keyId: record.id });
  });

  test("that are revoked while in use stop at once", async () => {
    const { keys, stopped } = await open(await withUsers());
    const { record, secret } = await keys.create(hmac());
    await keys.find(record.apiKey, HERE);
    expect(await keys.revoke("ada", record.id)).toMatchObject({ id: record.id });
    expect(stopped).toEqual([record.id]);
    expect(keys.isLive(record.id)).toBe(false);
    const signature = createHmac("sha256", secret!).update("a=1").digest("hex");
    expect(keys.verify(record.apiKey, "a=1", signature)).toBe(false);
    await expect(keys.find(record.apiKey, HERE)).rejects.toMatchObject({ reason: "unknown" });
  });

  test("that are revoked while they are being found are not found", async () => {
    const { keys } = await open(await withUsers());
    const { record } = await keys.create(hmac());
    const found = keys.find(record.apiKey, HERE).catch(() => null);
    await keys.revoke("ada", record.id);
    await found;
    expect(keys.isLive(record.id)).toBe(false);
    await expect(keys.find(record.apiKey, HERE)).rejects.toMatchObject({ reason: "unknown" });
  });

  test("that are restricted end what was opened with them, and are found with the new terms", async () => {
    const { keys, stopped } = await open(await withUsers());
    const { record } = await keys.create(hmac());
    await keys.find(record.apiKey, HERE);
    await keys.change("ada", record.id, { permissions: ["read"], addressRanges: [HERE] });
    expect(stopped).toEqual([record.id]);
    expect(await keys.find(record.apiKey, HERE)).toMatchObject({ permissions: ["read"] });
    await expect(keys.find(record.apiKey, "10.0.0.1")).rejects.toMatchObject({ reason: "address" });
  });

  test("that are renamed stay in use", async () => {
    const database = await withUsers();
    const { keys, stopped } = await open(database);
    const { record } = await keys.create(hmac());
    await keys.find(record.apiKey, HERE);
    expect(await keys.change("ada", record.id, { name: "Other" })).toMatchObject({ name: "Other" });
    await keys.check();
    expect([stopped, keys.isLive(record.id)]).toEqual([[], true]);
    const later = (await open(database)).keys;
    later.read("ada");
    await vi.waitFor(() => expect(later.read("ada")).toMatchObject([{ name: "Other" }]));
  });

  test("of another user can be neither changed nor revoked", async () => {
    const { keys } = await open(await withUsers());
    const { record } = await keys.create(hmac());
    expect(await keys.change("bob", record.id, { name: "Mine" })).toBeUndefined();
    expect(await keys.revoke("bob", record.id)).toBeUndefined();
    expect(await keys.find(record.apiKey, HERE)).toMatchObject({ userId: "ada" });
    expect(keys.read("ada")).toMatchObject([{ name: "Bot" }]);
  });

  test("have a limit, also made at the same moment", async () => {
    const { keys } = await open(await withUsers());
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => keys.create(hmac())));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    await expect(keys.create(hmac())).rejects.toThrow(TooManyApiKeysError);
    await keys.create(hmac({ userId: "bob" }));
  });

  test("of a banned user stop before anything is awaited, and stay revoked after the ban", async () => {
    const database = await withUsers();
    const { keys, stopped } = await open(database);
    const { record } = await keys.create(hmac());
    const other = (await keys.create(hmac({ userId: "bob" }))).record;
    await keys.find(record.apiKey, HERE);
    await keys.find(other.apiKey, HERE);
    await ban(database, "ada");
    const revoked = keys.revokeAllOf("ada");
    expect([stopped, keys.isLive(record.id)]).toEqual([[record.id], false]);
    await revoked;
    await database.write.updateTable("user").set({ banned: null }).execute();
    await expect(keys.find(record.apiKey, HERE)).rejects.toMatchObject({ reason: "unknown" });
    expect(keys.isLive(other.id)).toBe(true);
  });

  test.each([
    ["at the next check", (keys: ApiKeys) => keys.check()],
    [
      "at once if it tells",
      async (keys: ApiKeys) => {
        for (const userId of ["ada", "bob"]) await keys.changedElsewhere(userId);
      },
    ],
  ])(
    "of a user whom another process banned or deleted, or whose key it removed, stop %s",
    async (_, look) => {
      const database = await withUsers();
      const { keys, stopped } = await open(database);
      const { record } = await keys.create(hmac());
      const removed = (await keys.create(hmac())).record;
      const bobs = (await keys.create(hmac({ userId: "bob" }))).record;
      for (const { apiKey } of [record, removed, bobs]) await keys.find(apiKey, HERE);
      await look(keys);
      expect(stopped).toEqual([]);
      await database.write.deleteFrom("api_keys").where("id", "=", removed.id).execute();
      await database.write.deleteFrom("user").where("id", "=", "bob").execute();
      await look(keys);
      expect(new Set(stopped)).toEqual(new Set([removed.id, bobs.id]));
      await ban(database, "ada");
      await look(keys);
      expect(stopped).toHaveLength(3);
      for (const { apiKey } of [record, removed, bobs]) {
        await expect(keys.find(apiKey, HERE)).rejects.toMatchObject({ reason: "unknown" });
      }
    },
  );

  test("of users who were banned while no process ran are removed at the start", async () => {
    const database = await withUsers();
    await (await open(database)).keys.create(hmac());
    await (await open(database)).keys.create(hmac({ userId: "bob" }));
    await ban(database, "ada");
    await open(database);
    const rows = await database.read.selectFrom("api_keys").select("user_id").execute();
    expect(rows).toEqual([{ user_id: "bob" }]);
  });

  test("keep when and from where they were last used, stored once a minute", async () => {
    const database = await withUsers();
    let nowMs = 1_000_000;
    const { keys, changed } = await open(database, { now: () => nowMs });
    const { record } = await keys.create(hmac());
    await keys.find(record.apiKey, HERE);
    const stored = async () => {
      await keys.check();
      const columns = ["last_used_at_ms", "last_used_address"] as const;
      return database.read.selectFrom("api_keys").select(columns).executeTakeFirst();
    };
    keys.noteUse(record.id, HERE);
    expect(await stored()).toEqual({ last_used_at_ms: 1_000_000, last_used_address: HERE });
    expect(keys.read("ada")).toMatchObject([{ lastUse: { atMs: 1_000_000, address: HERE } }]);
    changed.mockClear();
    nowMs += MINUTE_MS - 1;
    keys.noteUse(record.id, "203.0.113.8");
    expect(await stored()).toMatchObject({ last_used_address: HERE });
    expect(changed).not.toHaveBeenCalled();
    nowMs += 1;
    expect(await stored()).toEqual({
      last_used_at_ms: 1_000_000 + MINUTE_MS - 1,
      last_used_address: "203.0.113.8",
    });
    expect(changed).toHaveBeenCalledWith("ada");
    keys.noteUse(record.id, "203.0.113.9");
    await keys.close();
    const row = await database.read.selectFrom("api_keys").selectAll().executeTakeFirst();
    expect(row?.last_used_address).toBe("203.0.113.9");
  });
});
