/** The process may end between any two transactions, and the answer to a commit may be lost. */
import { expect, test } from "vitest";
import type { ExchangeEvent } from "#engine/events.ts";
import type { Database } from "#server/database/open-database.ts";
import { readProgress } from "#server/history/progress.ts";
import { HistoryProjector } from "#server/history/projector.ts";
import { rebuildHistory } from "#server/history/rebuild-history.ts";
import { createSilentLog } from "#server/log.ts";
import { pairs } from "#test/support/run-counts.ts";
import { describeEachDatabase } from "./databases.ts";
import { dumpHistory } from "./dump-history.ts";
import {
  at,
  cutIntoBatches,
  ExchangeScript,
  ORIGIN_TIME,
  randomCourse,
} from "./exchange-events.ts";
import { simulatedCandles } from "./stand-in-candles.ts";

class Interruption extends Error {}

/** The beginning of the simulation amidst other events, then some trading. */
function course(): ExchangeEvent[] {
  const script = new ExchangeScript().begin();
  script.takeFunds(16, 100);
  script.next({ type: "simulationStarted", seed: 3 });
  const begun = script.sequence;
  const later = randomCourse(31, 120).filter((event) => event.sequence >= begun - 1);
  return [...script.events, ...later.map((event) => at(event, event.sequence + 2))];
}

async function project(
  database: Database,
  events: readonly ExchangeEvent[],
  persist: (transaction: () => Promise<void>) => Promise<void>,
) {
  const projector = new HistoryProjector({
    write: database.write,
    progress: await readProgress(database.read),
    simulatedCandles,
    persist,
  });
  for (const batch of cutIntoBatches(events, 3)) {
    const { sequence, timestampMs: time } = batch[batch.length - 1];
    await projector.project({ events: batch, end: { sequence, time, originTime: ORIGIN_TIME } });
  }
}

describeEachDatabase("interrupted history", (open, dialect) => {
  test("continues after an interruption at any transaction and reaches the same tables", async () => {
    const events = course();
    const whole = await open();
    let transactions = 0;
    await project(whole, events, async (transaction) => {
      transactions += 1;
      await transaction();
    });
    expect(transactions).toBeGreaterThan(4);
    const expected = await dumpHistory(whole);
    const database = await open();
    const all = Array.from({ length: transactions }, (_, index) => index + 1);
    // Before it and after it; on PostgreSQL, which takes four times as long, in a share one of both.
    const both = all.flatMap((last) => [false, true].map((is) => [is, last] as const));
    for (const [isCommitted, last] of dialect === "sqlite" ? both : pairs([false, true], all)) {
      await rebuildHistory({ database, events: [], simulatedCandles, log: createSilentLog() });
      let count = 0;
      const interrupted = project(database, events, async (transaction) => {
        count += 1;
        if (count < last) return transaction();
        if (isCommitted) await transaction();
        throw new Interruption();
      });
      await expect(interrupted).rejects.toThrow(Interruption);
      await project(database, events, (transaction) => transaction());
      expect(await dumpHistory(database), `transaction ${last}`).toEqual(expected);
    }
  }, 60_000);

  test("a transaction that is run again after its commit changes nothing more", async () => {
    const events = course();
    const once = await open();
    await project(once, events, (transaction) => transaction());
    const twice = await open();
    await project(twice, events, async (transaction) => {
      await transaction();
      await transaction();
    });
    expect(await dumpHistory(twice)).toEqual(await dumpHistory(once));
  });
});
