/** How much a user may have of something, on whichever of several nodes it is added. */
import { onTestFinished, expect, test } from "vitest";
import { ADDRESSES_MAX } from "#contract/transfers.ts";
import { TooManyAlertsError } from "#server/alerts/new-alert.ts";
import { PriceAlerts } from "#server/alerts/price-alerts.ts";
import { ApiKeys, TooManyApiKeysError } from "#server/api-keys/api-keys.ts";
import { storedTime } from "#server/database/accounts-tables.ts";
import type { Database } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";
import {
  AddressBookFullError,
  createWithdrawalAddresses,
} from "#server/personal/withdrawal-addresses.ts";
import { TEST_SECRET } from "./accounts-server.ts";
import { describeEachDatabase } from "./databases.ts";

const ROUNDS = 5;
const MAX = 3;
const log = createSilentLog();
const onChange = () => undefined;
const tellNodes = () => undefined;

async function addUser(database: Database): Promise<void> {
  const now = storedTime(database, Date.now());
  const flag = database.dialect === "sqlite" ? 0 : false;
  const row = { id: "ada", name: "Ada", email: "ada@example.com", emailVerified: flag };
  await database.write
    .insertInto("user")
    .values({ ...row, createdAt: now, updatedAt: now })
    .execute();
}

/** A user's things on a node: adds one, removes all of the node, and counts those in memory. */
interface Things {
  add(): Promise<unknown>;
  clear(): Promise<unknown>;
}

async function alertsOn(database: Database): Promise<Things> {
  const prices = { lastTicks: () => 50, minutes: () => [], closeBefore: () => 0, nowMs: () => 1 };
  const alerts = await PriceAlerts.open({
    database,
    log,
    prices,
    onChange,
    onFired: () => undefined,
    isAlone: false,
    alertsMax: MAX,
  });
  onTestFinished(() => alerts.close());
  const terms = { userId: "ada", marketId: 1, priceTicks: 60, changeBps: 0, windowMinutes: 0 };
  return {
    async add() {
      const before = alerts.of("ada").length;
      try {
        await alerts.create({ ...terms, repeats: false });
      } catch (error) {
        // Nor is it in memory.
        expect(alerts.of("ada")).toHaveLength(before);
        throw error;
      }
    },
    clear: () => alerts.forget("ada"),
  };
}

async function openKeys(database: Database): Promise<ApiKeys> {
  const keys = await ApiKeys.open({
    database,
    log,
    authSecret: TEST_SECRET,
    keysMaxOf: () => MAX,
    accountOf: () => 1,
    onChange,
    tellNodes,
  });
  onTestFinished(() => keys.close());
  return keys;
}

async function keysOn(database: Database): Promise<Things> {
  const keys = await openKeys(database);
  const terms = { userId: "ada", name: "Bot", addressRanges: [], expiresAtMs: null };
  return {
    add: () => keys.create({ ...terms, kind: "hmac", permissions: ["read"] }),
    clear: () => keys.revokeAllOf("ada"),
  };
}

function addressesOn(database: Database): Promise<Things> {
  const book = createWithdrawalAddresses({ database, log, onChange, tellNodes });
  const terms = { label: "Bank", coin: "EUR", network: "SEPA", memo: "", createdAtMs: 1 };
  return Promise.resolve({
    add: () =>
      book.add("ada", { ...terms, address: `DE${Math.random()}` }, (store) =>
        database.write.transaction().execute(store),
      ),
    clear: () => book.forget("ada"),
  });
}

describeEachDatabase("an API key", (openDatabase) => {
  test("that is renamed on one node while it is restricted on another stays restricted", async () => {
    const database = await openDatabase();
    await addUser(database);
    const [here, there] = await Promise.all([database, await openDatabase(database)].map(openKeys));
    const terms = { userId: "ada", name: "Bot", addressRanges: [], expiresAtMs: null };
    const { record } = await here.create({
      ...terms,
      kind: "hmac",
      permissions: ["read", "trade"],
    });
    const restricted = { permissions: ["read"], addressRanges: ["203.0.113.7"] } as const;
    // Both have read it before either stores its change.
    await Promise.all([
      here.change("ada", record.id, { name: "Renamed" }),
      there.change("ada", record.id, restricted),
    ]);
    const rows = await database.read.selectFrom("api_keys").selectAll().execute();
    expect(rows).toMatchObject([
      { name: "Renamed", permissions: '["read"]', address_ranges: '["203.0.113.7"]' },
    ]);
  });
});

describeEachDatabase("what a user may have so many of at most, with two nodes", (openDatabase) => {
  test.each([
    ["price alerts", alertsOn, "price_alerts", MAX, TooManyAlertsError],
    ["API keys", keysOn, "api_keys", MAX, TooManyApiKeysError],
    [
      "addresses to withdraw to",
      addressesOn,
      "withdrawal_addresses",
      ADDRESSES_MAX,
      AddressBookFullError,
    ],
  ] as const)(
    "%s added on both at the same moment are no more",
    async (_what, on, table, max, refusal) => {
      const database = await openDatabase();
      await addUser(database);
      const nodes = [await on(database), await on(await openDatabase(database))];
      const ofAda = () => database.read.selectFrom(table).select("id").where("user_id", "=", "ada");
      for (let round = 0; round < ROUNDS; round += 1) {
        for (let each = 1; each < max; each += 1) await nodes[each % 2].add();
        const added = await Promise.allSettled(nodes.map((node) => node.add()));
        const refused = added.filter((each) => each.status === "rejected");
        expect(refused.map(({ reason }) => reason as unknown)).toEqual([expect.any(refusal)]);
        expect(await ofAda().execute()).toHaveLength(max);
        for (const node of nodes) await node.clear();
      }
    },
  );
});
