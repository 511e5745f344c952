import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompiledQuery } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { insertRows } from "../../database/insert-rows.ts";
import { openDatabase } from "../../database/open-database.ts";
import { createSilentLog } from "../../log.ts";
import { readPreventedMatches, selectPreventedMatches } from "./account-reader.ts";

const match = (matchId: number, takerOrderId: number, makerOrderId: number) => ({
  account: 1,
  market_id: 1,
  match_id: matchId,
  taker_order_id: takerOrderId,
  maker_order_id: makerOrderId,
  mode: "expireMaker" as const,
  price_ticks: 100,
  taker_lots: 0,
  maker_lots: 1,
  time: 1_800_000_000_000,
});

test("an order's prevented matches are read by the indexes of both sides, in order", async () => {
  const log = createSilentLog();
  const dataDir = await mkdtemp(join(tmpdir(), "openbell-matches-"));
  const database = await openDatabase({ dataDir, log });
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  await database.migrate();
  const rows = [match(1, 7, 5), match(2, 8, 7), match(3, 9, 5), match(4, 7, 6), match(5, 10, 7)];
  await insertRows(database.write, "prevented_matches", rows);

  const query = { account: 1, marketId: 1, orderId: 7, fromMatchId: 1, limit: 3 };
  const read = await readPreventedMatches(database.read, query);
  expect(read.map(({ matchId }) => matchId)).toEqual([1, 2, 4]);

  const { parameters, sql } = selectPreventedMatches(database.read, query).compile();
  const plan = await database.read.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  );
  const steps = plan.rows.map(({ detail }) => detail).filter((step) => step.includes("SEARCH"));
  expect(steps).toEqual([
    expect.stringContaining("PRIMARY KEY (account=? AND match_id=?)"),
    expect.stringContaining("prevented_matches_by_taker (account=? AND taker_order_id=?"),
    expect.stringContaining("prevented_matches_by_maker (account=? AND maker_order_id=?"),
  ]);
});
