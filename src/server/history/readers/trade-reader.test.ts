import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { insertRows } from "../../database/insert-rows.ts";
import { openDatabase } from "../../database/open-database.ts";
import type { Tables } from "../../database/tables.ts";
import { createSilentLog } from "../../log.ts";
import { readTicksBeforeEach } from "./trade-reader.ts";

const TRADES = 400;
/** Trades are at every third command from the tenth on. */
const sequenceOf = (tradeId: number) => 7 + 3 * tradeId;

async function openTrades(onStatement: () => void) {
  const dataDir = await mkdtemp(join(tmpdir(), "openbell-prices-"));
  const database = await openDatabase({ dataDir, log: createSilentLog(), onStatement });
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  await database.migrate();
  const common = { market_id: 1, quantity_lots: 1, time: 1, taker_side: "buy" };
  const rows = Array.from({ length: TRADES }, (_, at) => ({
    ...common,
    trade_id: at + 1,
    sequence: sequenceOf(at + 1),
    price_ticks: 1_000 + at,
  }));
  await insertRows(database.write, "trades", rows as unknown as Tables["trades"][]);
  return database.read;
}

test("prices before many commands are those before each, and the same one is looked for once", async () => {
  let statements = 0;
  const read = await openTrades(() => (statements += 1));
  const sequences = Array.from({ length: 500 }, (_, at) => at + 1);
  const found = await readTicksBeforeEach(read, 1, sequences);
  for (const sequence of sequences) {
    const tradeId = Math.floor((sequence - 1 - 7) / 3);
    expect([sequence, found.get(sequence)]).toEqual([sequence, tradeId < 1 ? 0 : 999 + tradeId]);
  }
  const all = statements;
  statements = 0;
  // None but the newest trade is before them.
  const later = await readTicksBeforeEach(
    read,
    1,
    sequences.map((sequence) => sequence + 2_000),
  );
  expect(new Set(later.values())).toEqual(new Set([999 + TRADES]));
  expect(statements).toBe(1);
  statements = 0;
  expect(new Set((await readTicksBeforeEach(read, 2, sequences)).values())).toEqual(new Set([0]));
  expect(statements).toBe(1);
  expect(all).toBeLessThan(12 * 170);
});

test("reads have their turns between prices, and no more are asked for than a page has", async () => {
  const read = await openTrades(() => undefined);
  let turns = 0;
  let isTurning = true;
  const turn = () => {
    turns += 1;
    if (isTurning) setImmediate(turn);
  };
  setImmediate(turn);
  await readTicksBeforeEach(
    read,
    1,
    Array.from({ length: 30 }, (_, at) => 100 + 3 * at),
  );
  isTurning = false;
  expect(turns).toBeGreaterThanOrEqual(30);
  await expect(readTicksBeforeEach(read, 1, Array(501).fill(1))).rejects.toThrow(RangeError);
});
