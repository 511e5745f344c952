/** Two nodes fold the same events into one database, and take turns to write. */
import { expect, test } from "vitest";
import type { ExchangeEvent } from "#engine/events.ts";
import type { Database } from "#server/database/open-database.ts";
import { readProgress } from "#server/history/progress.ts";
import { HistoryProjector } from "#server/history/projector.ts";
import { WritingTurn } from "#server/history/writing-turn.ts";
import { describeEachDatabase } from "./databases.ts";
import { dumpHistory } from "./dump-history.ts";
import { cutIntoBatches, ORIGIN_TIME, randomCourse } from "./exchange-events.ts";
import { simulatedCandles } from "./stand-in-candles.ts";

function batchesOf(events: readonly ExchangeEvent[], seed: number) {
  return cutIntoBatches(events, seed).map((batch) => {
    const { sequence, timestampMs: time } = batch[batch.length - 1];
    return { events: batch, end: { sequence, time, originTime: ORIGIN_TIME } };
  });
}

async function projectorOn(database: Database, turn?: WritingTurn, isClosing?: () => boolean) {
  return new HistoryProjector({
    write: database.write,
    progress: await readProgress(database.read),
    simulatedCandles,
    persist: (transaction) => transaction(),
    turn,
    isClosing,
  });
}

describeEachDatabase("a history of two nodes", (open) => {
  test("is written by the one whose turn it is, and is what one alone would write", async () => {
    const events = randomCourse(7, 150);
    const alone = await open();
    const only = await projectorOn(alone);
    for (const batch of batchesOf(events, 1)) await only.project(batch);

    const database = await open();
    const turns = ["one", "two"].map((name) => new WritingTurn(database.write, name));
    const writers: string[] = [];
    const writerNow = async () =>
      (
        await database.read
          .selectFrom("history_progress")
          .select("writer")
          .executeTakeFirstOrThrow()
      ).writer;
    turns[0].grant(true);
    await Promise.all(
      turns.map(async (turn, at) => {
        const projector = await projectorOn(database, turn);
        // Each gathers other batches than the other.
        for (const [count, batch] of batchesOf(events, 1 + at).entries()) {
          // The other has the turn from here on, and this one does not know it yet.
          if (at === 0 && count === 2) turns[1].grant(true);
          expect(await projector.project(batch)).toBe(true);
          writers.push(await writerNow());
        }
      }),
    );
    const written = await dumpHistory(database);
    expect({ ...written, history_progress: [] }).toEqual({
      ...(await dumpHistory(alone)),
      history_progress: [],
    });
    expect(await readProgress(database.read)).toEqual(await readProgress(alone.read));
    expect(new Set(writers)).toEqual(new Set(["one", "two"]));
  });

  test("is not written by a node that still believes it is its turn", async () => {
    const database = await open();
    const [first, second] = batchesOf(randomCourse(3, 40), 2);
    const turn = new WritingTurn(database.write, "one");
    turn.grant(true);
    const projector = await projectorOn(database, turn, () => true);
    await projector.project(first);
    await database.write.updateTable("history_progress").set({ writer: "two" }).execute();
    await expect(projector.project(second)).rejects.toThrow("Another node");
    expect((await readProgress(database.read)).sequence).toBe(first.end.sequence);
  });
});
