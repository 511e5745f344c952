/**
 * A journal that an older version wrote leads to what it led to then. Later versions may add fields
 * to events and kinds of events, and may add to what the state hash covers: then a decision record
 * says so and the new hash is recorded (record-golden-journal.ts). What was recorded of events,
 * balances, books and accounts is never recorded again.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { ExchangeEvent } from "#engine/events.ts";
import { EXTERNAL_ACCOUNT, type MarketAssets, postingsOf } from "#engine/accounts/postings.ts";
import { expectedEvents, expectedHashes, expectedState, replayGolden } from "./golden-journal.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const repository = fileURLToPath(new URL("../..", import.meta.url));
const formats = readdirSync(here).filter((name) => name.startsWith("format-"));

test("there is a golden journal of every format version so far", () => {
  expect(formats).toContain("format-1");
});

describe.each(formats)("the golden journal %s", (name) => {
  const directory = join(here, name);

  test("holds the commands that it was recorded with", async () => {
    const { state } = await replayGolden(directory);
    expect(state.commands).toEqual(expectedState(directory).commands);
  });

  test("leads to every event that it led to then", async () => {
    const recorded = expectedEvents(directory);
    const { events } = await replayGolden(directory);
    const knownTypes = new Set(recorded.map(({ type }) => type));
    const known = events.filter(({ type }) => knownTypes.has(type));
    expect(known.map(placeOf)).toEqual(recorded.map(placeOf));
    // Through JSON, as the recorded ones went; of fields, all that there were then.
    const plain = JSON.parse(JSON.stringify(known)) as ExchangeEvent[];
    for (const [index, event] of recorded.entries()) expect(plain[index]).toMatchObject(event);
  });

  test("leads to the balances, books and accounts that it led to then", async () => {
    const { state } = await replayGolden(directory);
    const recorded = expectedState(directory);
    expect(state.sequence).toBe(recorded.sequence);
    expect(state.timestampMs).toBe(recorded.timestampMs);
    expect(state.balances).toEqual(recorded.balances);
    expect(state.books).toEqual(recorded.books);
    expect(state.accounts).toEqual(recorded.accounts);
  });

  test("has postings that add up to its balances", async () => {
    const { events, state, engine } = await replayGolden(directory);
    engine.read.checkInvariants();
    expect(foldPostings(events)).toEqual(state.balances);
  });

  test("leads to the state hash that was recorded, each change of it decided", async () => {
    const { stateHash } = await replayGolden(directory);
    const hashes = expectedHashes(directory);
    expect(stateHash).toBe(hashes.at(-1)?.hash);
    for (const { decision } of hashes.slice(1)) {
      expect(existsSync(join(repository, decision)), decision).toBe(true);
      expect(decision).toMatch(/^docs\/decisions\//);
    }
  });
});

const placeOf = ({ sequence, type }: ExchangeEvent) => `${sequence} ${type}`;

/** [account, asset id, available, held] where not both are 0, by account and asset. */
function foldPostings(events: readonly ExchangeEvent[]): number[][] {
  const markets = new Map<number, MarketAssets>();
  const balances = new Map<string, { available: bigint; held: bigint }>();
  const balance = (account: number, assetId: number) => {
    const key = `${account} ${assetId}`;
    const found = balances.get(key) ?? { available: 0n, held: 0n };
    balances.set(key, found);
    return found;
  };
  for (const event of events) {
    if (event.type === "marketListed") markets.set(event.marketId, event);
    for (const posting of postingsOf(event, (marketId) => markets.get(marketId) as MarketAssets)) {
      const amount = BigInt(posting.amount);
      const debited = balance(posting.debitAccount, posting.assetId);
      debited[posting.debitBalance] -= amount;
      balance(posting.creditAccount, posting.assetId)[posting.creditBalance] += amount;
      if (posting.debitAccount !== EXTERNAL_ACCOUNT) {
        expect(debited[posting.debitBalance]).toBeGreaterThanOrEqual(0n);
      }
    }
  }
  return [...balances]
    .map(([key, { available, held }]) => [
      ...key.split(" ").map(Number),
      Number(available),
      Number(held),
    ])
    .filter(([, , available, held]) => available !== 0 || held !== 0)
    .sort(([a, b], [c, d]) => a - c || b - d);
}
