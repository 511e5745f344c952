/**
 * History that continues from a snapshot: its tables are those of a history that saw every event,
 * wherever the snapshot was taken and however far the tables had come.
 */
import { deserialize, serialize } from "node:v8";
import { sample } from "fast-check";
import { afterEach, expect, test } from "vitest";
import { createEngine } from "#engine/engine.ts";
import { decodeEvents, EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { Database } from "#server/database/open-database.ts";
import { type History, type HistoryState, openHistory } from "#server/history/history.ts";
import { createSilentLog } from "#server/log.ts";
import { createReadModels, type ReadModelsState } from "#server/read-models.ts";
import { opening, steps } from "#test/engine/commands.ts";
import { share } from "#test/support/run-counts.ts";
import { describeEachDatabase } from "./databases.ts";
import { dumpHistory } from "./dump-history.ts";

const SIMULATED_CANDLES = new URL("./stand-in-candles.ts", import.meta.url);

/** The events of each sequence. */
const EVENTS = eventsOfAll();

function eventsOfAll(): ExchangeEvent[][] {
  const engine = createEngine();
  const buffer = new EventBuffer();
  const random = sample(steps("tight", 60), { seed: 21, numRuns: 40 }).flat();
  const all = [
    ...opening(2 ** 40, 2 ** 36).map((command) => ({ command, afterMs: 0, idempotencyKey: "" })),
    ...random,
  ];
  let timestampMs = 1_700_000_000_000;
  return all.map(({ command, afterMs, idempotencyKey }) => {
    timestampMs += afterMs;
    engine.apply(engine.sequence + 1, timestampMs, idempotencyKey, command, buffer);
    return decodeEvents(buffer.take());
  });
}

const between = (after: number, until: number) => EVENTS.slice(after, until).flat();

/** What a snapshot at this sequence holds for the history. */
function stateAt(sequence: number): HistoryState {
  const readModels = createReadModels();
  readModels.fold(between(0, sequence));
  const { history } = readModels.state() as ReadModelsState;
  return deserialize(serialize(history)) as HistoryState;
}

const EARLY = Math.round(EVENTS.length / 3);
const LATE = Math.round((2 * EVENTS.length) / 3);
/** Where the snapshot was taken, and how far the tables had come. */
const PLACES = [
  [EARLY, EARLY],
  [EARLY, LATE],
  [LATE, EVENTS.length],
  [1, LATE],
];

describeEachDatabase("history from a snapshot", (open, dialect) => {
  const histories: History[] = [];
  afterEach(async () => {
    for (const history of histories.splice(0)) await history.close();
  });

  async function historyOf(database: Database): Promise<History> {
    const log = createSilentLog();
    const history = await openHistory({
      database,
      log,
      simulatedCandlesModule: SIMULATED_CANDLES,
    });
    histories.push(history);
    return history;
  }

  async function project(database: Database, until: number, from?: HistoryState): Promise<void> {
    const history = await historyOf(database);
    if (from !== undefined) history.restore(from);
    history.project(between(from?.end.sequence ?? 0, until));
    await history.whenProjected();
    await history.close();
  }

  test("leads to the tables of the whole, however far they had come", async () => {
    const end = EVENTS.length;
    const whole = await open();
    await project(whole, end);
    const expected = await dumpHistory(whole);
    expect(expected.fills.length).toBeGreaterThan(20);
    for (const [taken, projected] of dialect === "sqlite" ? PLACES : share(PLACES)) {
      const database = await open();
      await project(database, projected);
      await project(database, end, stateAt(taken));
      expect(await dumpHistory(database)).toEqual(expected);
    }
  });

  test("is not begun where the tables have not come so far", async () => {
    const database = await open();
    await project(database, 100);
    const history = await historyOf(database);
    expect(() => history.restore(stateAt(101))).toThrow("have not reached");
  });

  test("fails where the tables are of another journal", async () => {
    const database = await open();
    await project(database, 100);
    const state = stateAt(50);
    const history = await historyOf(database);
    history.restore({ ...state, end: { ...state.end, originTime: state.end.originTime + 1 } });
    expect(history.health()).toMatchObject({ status: "failed" });
    const other = await historyOf(database);
    const at = stateAt(100);
    other.restore({ ...at, end: { ...at.end, time: at.end.time + 1 } });
    expect(other.health()).toMatchObject({ status: "failed" });
  });
});
